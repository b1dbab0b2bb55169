"""The entry agent's answer, with the run's clock and signal around agents that do not mind them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any, cast

from cleveractors.abort import Aborted, bounded
from cleveractors.agents.base import Agent
from cleveractors.ambient import enter, leave, peek
from cleveractors.context import RunContext
from cleveractors.exceptions import LimitReached
from cleveractors.models.admission import interrupted
from cleveractors.run import Run
from cleveractors.stops import Stop, StopReason

__all__ = ["answer_pieces", "answer_whole"]


async def answer_whole(agent: Agent[Any], context: RunContext[Any]) -> None:
    """Have the agent answer; the answer, or why there is none, stands on the run."""
    run = context.run
    outer = peek()
    enter(context)
    try:
        if agent.minds_the_run:
            run.answer = await agent.process_message(run.message, context)
        else:
            async with bounded(run.signal, run.within(None)):
                run.answer = await agent.process_message(run.message, context)
    except (LimitReached, Aborted, TimeoutError) as error:
        run.stop = _stop(run, error)
        if run.stop is None:
            raise
    finally:
        leave(outer)


async def answer_pieces(agent: Agent[Any], context: RunContext[Any]) -> AsyncGenerator[str, None]:
    """Have the agent answer in pieces, which make the answer where the agent leaves no other."""
    run = context.run
    pieces: list[str] = []
    stream = agent.stream_message(run.message, context)
    async with aclosing(stream):
        while True:
            try:
                piece = await _next(agent, stream, context)
            except (LimitReached, Aborted, TimeoutError) as error:
                run.stop = _stop(run, error)
                if run.stop is None:
                    raise
                break
            if piece is None:
                break
            pieces.append(piece)
            run.partial_text = run.partial_text if agent.minds_the_run else "".join(pieces)
            yield piece
    if run.answer is None and run.stop is None:
        run.answer = "".join(pieces)


async def _next(agent: Agent[Any], stream: AsyncIterator[str], context: RunContext[Any]) -> str | None:
    run = context.run
    outer = peek()
    enter(context)
    try:
        if agent.minds_the_run:
            return await anext(stream, None)
        async with bounded(run.signal, run.within(None)):
            return await anext(stream, None)
    finally:
        leave(outer)


def _stop(run: Run, error: Exception) -> Stop | None:
    """Why the run ends, where its own limits ended it."""
    if isinstance(error, LimitReached):
        return Stop(cast("StopReason", error.reason), error.detail)
    return interrupted(run)
