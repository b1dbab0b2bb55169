"""An agent's start and end, told to whoever listens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import TYPE_CHECKING, Any, cast

from cleveractors.abort import Aborted
from cleveractors.agents.conversation import Conversation
from cleveractors.agents.endings import fallback
from cleveractors.agents.hooked import hooks_of
from cleveractors.agents.orphans import end_orphans
from cleveractors.context import RunContext
from cleveractors.events.types import ReactEndEvent, ReactStartEvent
from cleveractors.events.voice import Voice
from cleveractors.exceptions import LimitReached
from cleveractors.models.admission import interrupted
from cleveractors.models.listener import Listener, compose
from cleveractors.stops import Stop, StopReason

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

    from cleveractors.events.publisher import Publisher
    from cleveractors.run import Run

__all__ = ["Told", "listen", "listen_aside", "stop_of", "told"]

ANSWERED = ("completed", "tool_only")
"""Endings of which an answer that must fit a type does fit it."""

Told = tuple[RunContext[Any], Callable[[str], str]]


def told(context: RunContext[Any], messages: list[BaseMessage]) -> AbstractAsyncContextManager[Told]:
    """Tell that an agent begins to answer and, on every ending, that it has ended.

    Returns:
        Around the agent's work: the context to go on with, and a function that takes the answer and gives it back.
    """
    publisher = context.run.publisher
    return nullcontext((context, str)) if publisher is None else _told(context, messages, publisher)


@asynccontextmanager
async def _told(context: RunContext[Any], messages: list[BaseMessage], publisher: Publisher) -> AsyncGenerator[Told]:
    run = context.run
    voice = Voice(publisher, run, context.voice, context.speech or run.caller, run.fork)
    answers: list[str] = []

    def keep(answer: str) -> str:
        answers.append(answer)
        return answer

    spoken = context.for_voice(voice)
    try:
        await voice.tell(ReactStartEvent())
        yield spoken, keep
    except BaseException as error:
        try:
            await end_orphans(run)
        finally:
            # Its place is reserved: on the way out nobody is waited for.
            voice.say(_end(spoken, messages, None, error))
        raise
    await end_orphans(run)
    voice.say(_end(spoken, messages, answers[-1] if answers else "", None))


def _end(
    context: RunContext[Any], messages: list[BaseMessage], answer: str | None, error: BaseException | None
) -> ReactEndEvent:
    from cleveractors.events.listener import usage_of

    run, talk = context.run, context.voice.talk if context.voice is not None else None
    totals = (talk.ledger if isinstance(talk, Conversation) else run.ledger).totals
    stop = run.stop if error is None else stop_of(run, error)
    so_far: str = run.partial_text or getattr(talk, "last_text", "")
    if stop is not None:
        error, reason, answer = None, stop.reason, fallback(stop.reason, stop.detail, so_far)
    elif error is not None:
        reason, answer = "error" if isinstance(error, Exception) else "cancelled", so_far
    else:
        reason = getattr(talk, "stop_reason", None) or "completed"
    return ReactEndEvent(
        final_messages=_history(messages, answer if talk is None and error is None else None),
        response=run.output if run.has_output and reason in ANSWERED else answer,
        stop_reason=reason,
        usage=usage_of(totals.prompt_tokens, totals.completion_tokens),
        cost=totals.cost,
        error=error,
    )


def stop_of(run: Run, error: BaseException) -> Stop | None:
    """Why a run ends whose own limits raised the error that ends it; None: they did not."""
    if isinstance(error, LimitReached):
        return Stop(cast("StopReason", error.reason), error.detail)
    # Whoever waits for a child cancels it for the same reason as it ends itself, and may come first.
    cut = run.parent is not None and isinstance(error, asyncio.CancelledError)
    return interrupted(run) if cut or isinstance(error, Aborted | TimeoutError) else None


def _history(messages: list[BaseMessage], answer: str | None) -> list[BaseMessage]:
    """The record; that of an agent without a loop lacks its answer."""
    from langchain_core.messages import AIMessage

    return [*messages, *([AIMessage(answer)] if answer else ())]


def listen_aside(context: RunContext[Any]) -> Listener | None:
    """What follows a model call outside any conversation; its text is no part of an answer, so not in pieces."""
    voice, hooks = context.voice, hooks_of(context)
    if voice is None and hooks is None:
        return None
    from cleveractors.events.listener import EventListener
    from cleveractors.hooks.listening import HookListener

    said = None if voice is None else EventListener(voice, chunks=False, speech=context.speech, purpose="call")
    return compose(said, None if hooks is None else HookListener(hooks, context, messages=False))


def listen(talk: Conversation, listener: Listener | None, context: RunContext[Any]) -> None:
    """Have a conversation's model calls followed by a consumer of text, by events, by hooks, or by none."""
    voice, hooks = context.voice, hooks_of(context)
    if voice is None and hooks is None:
        talk.listener = listener
        return
    # Loaded only where somebody listens.
    from cleveractors.events.listener import EventListener
    from cleveractors.hooks.listening import HookListener

    said = aside = None
    if voice is not None:
        voice.talk = talk
        talk.voice = voice
        said, aside = EventListener(voice), EventListener(voice, chunks=False)
    if hooks is not None:
        talk.hook_listener = HookListener(hooks, context)
    silent = HookListener(hooks, context, messages=False) if hooks is not None else None
    talk.listener = compose(listener, said, talk.hook_listener)
    talk.pass_listener = compose(aside, silent)
