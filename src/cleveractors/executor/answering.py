"""The entry agent's answer, with the run's clock and signal around agents that do not mind them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cleveractors.abort import Aborted, bounded
from cleveractors.agents.accepting import accept_plain
from cleveractors.agents.base import Agent
from cleveractors.agents.hooked import around_run
from cleveractors.agents.telling import stop_of, told
from cleveractors.ambient import enter, leave, peek
from cleveractors.context import RunContext
from cleveractors.contract import Contract, Misfit
from cleveractors.exceptions import ExecutionError, LimitReached, OutputError
from cleveractors.executor.conclusion import so_far
from cleveractors.executor.opening import Openings
from cleveractors.run import Run
from cleveractors.tasks import STOP_SECONDS

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

__all__ = ["answer_pieces", "answer_whole"]

T = TypeVar("T")

_LIMITS = (LimitReached, Aborted, TimeoutError)
"""What the end of a run's time, room or patience is told by."""


async def answer_whole(agent: Agent[Any], context: RunContext[Any], openings: Openings) -> None:
    """Have the agent answer; the answer, or why there is none, stands on the run."""
    run = context.run
    outer = peek()
    enter(context)
    try:
        await _within_limits(run, openings.open(agent, run))
        if run.stop is None:
            await _within_limits(run, _answer(agent, context))
    finally:
        leave(outer)


async def _answer(agent: Agent[Any], context: RunContext[Any]) -> None:
    run = context.run
    if agent.minds_the_run:
        _keep(agent, run, await agent.process_message(run.message, context))
        return
    async with _around(agent, context) as begun:
        answer = begun.denied
        if answer is None:
            async with bounded(run.signal, None, run.clock):
                answer = await agent.process_message(begun.message, begun.context)
            answer = await accept_plain(begun.context, _messages(run), answer)
        _keep(agent, run, answer)
        begun.keep(answer)


def _messages(run: Run) -> list[BaseMessage]:
    return [*run.history, *([run.message] if run.message is not None else ())]


def _around(agent: Agent[Any], context: RunContext[Any]) -> AbstractAsyncContextManager[_Begun]:
    """The start and the end, for listeners and hooks, of an agent that minds neither clock nor listeners itself."""
    return nullcontext(_Begun(context, context.run.message, None, str)) if agent.minds_the_run else _told(context)


@asynccontextmanager
async def _told(context: RunContext[Any]) -> AsyncGenerator[_Begun]:
    run = context.run
    messages = _messages(run)
    async with told(context, messages) as (spoken, keep), around_run(spoken, messages, "") as denied:
        run.message = messages[-1] if run.message is not None else None
        yield _Begun(spoken, run.message, denied, keep)


class _Begun(NamedTuple):
    """An agent that may begin."""

    context: RunContext[Any]
    message: BaseMessage | None
    """What it is asked, with what hooks know."""
    denied: str | None
    """The answer, where a hook has denied the run."""
    keep: Callable[[str], str]
    """Takes the answer for whoever listens."""


def _keep(agent: Agent[Any], run: Run, answer: object) -> None:
    run.answer = _text(agent, answer)
    denied = run.stop is not None and run.stop.reason == "denied"
    if run.contract is not None and not run.has_output and not denied:
        run.output, run.has_output = _fitting(run.contract, run.answer), True


async def answer_pieces(agent: Agent[Any], context: RunContext[Any], openings: Openings) -> AsyncGenerator[str, None]:
    """Have the agent answer in pieces, which make the answer where the agent leaves no other."""
    run = context.run
    pieces: list[str] = []
    await _within_limits(run, openings.open(agent, run))
    if run.stop is None:
        async with _around(agent, context) as begun:
            if begun.denied is not None:
                pieces.append(begun.denied)
                yield begun.denied
            else:
                async with _closed_in_time(agent, agent.stream_message(begun.message, begun.context)) as stream:
                    while (piece := await _next(agent, stream, begun.context)) is not None:
                        pieces.append(_text(agent, piece))
                        run.partial_text = run.partial_text if agent.minds_the_run else "".join(pieces)
                        yield piece
                if not agent.minds_the_run:
                    await accept_plain(begun.context, _messages(run), "".join(pieces))
            begun.keep("".join(pieces))
    if run.answer is None and run.stop is None:
        run.answer = "".join(pieces)
    if run.stop is not None and not pieces:
        yield so_far(run)


async def _within_limits(run: Run, work: Awaitable[T]) -> T | None:
    """Await work; where the run's own limits end it, the reason stands on the run."""
    try:
        return await work
    except _LIMITS as error:
        if not _stops(run, error):
            raise
        return None


def _stops(run: Run, error: Exception) -> bool:
    run.stop = stop_of(run, error)
    return run.stop is not None


async def _next(agent: Agent[Any], stream: AsyncIterator[str], context: RunContext[Any]) -> str | None:
    """The next piece; None at the end, or where the run's own limits have ended it."""
    run = context.run
    outer = peek()
    enter(context)
    try:
        if agent.minds_the_run:
            return await anext(stream, None)
        async with bounded(run.signal, None, run.clock):
            return await anext(stream, None)
    except _LIMITS as error:
        if not _stops(run, error):
            raise
        return None
    finally:
        leave(outer)


@asynccontextmanager
async def _closed_in_time(agent: Agent[Any], stream: AsyncIterator[str]) -> AsyncGenerator[AsyncIterator[str], None]:
    """Close a stream on every way out of it; what a host's own code does then must not hold up the leaver."""
    close = getattr(stream, "aclose", None)
    try:
        yield stream
    finally:
        if close is not None:
            async with asyncio.timeout(None if agent.minds_the_run else STOP_SECONDS):
                await close()


def _text(agent: Agent[Any], answer: object) -> str:
    if not isinstance(answer, str):
        raise ExecutionError(
            f"agent {agent.name!r} ({type(agent).__name__}) answered {type(answer).__name__}, not text"
        )
    return answer


def _fitting(contract: Contract, answer: str) -> Any:
    """The value of an answer whose agent has not read it itself."""
    try:
        return contract.read(answer)
    except Misfit as misfit:
        raise OutputError(f"the answer does not fit {contract.kind!r}: {misfit}") from misfit.__cause__
