"""An agent's start and end, told to whoever listens."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from cleveractors.agents.conversation import Conversation
from cleveractors.context import RunContext
from cleveractors.events.types import ReactEndEvent, ReactStartEvent
from cleveractors.events.voice import Voice
from cleveractors.models.listener import Listener, compose

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

__all__ = ["listen", "told"]

Told = tuple[RunContext[Any], Callable[[str], str]]


@asynccontextmanager
async def told(context: RunContext[Any], messages: list[BaseMessage]) -> AsyncGenerator[Told]:
    """Tell that an agent begins to answer and, on every ending, that it has ended.

    Yields:
        The context to go on with, and a function that takes the answer and gives it back.
    """
    publisher = context.run.publisher
    if publisher is None:
        yield context, lambda answer: answer
        return
    voice = Voice(publisher, context.run, context.voice, context.tool_call_id, context.run.fork)
    answers: list[str] = []

    def keep(answer: str) -> str:
        answers.append(answer)
        return answer

    await voice.tell(ReactStartEvent())
    spoken = context.for_voice(voice)
    try:
        yield spoken, keep
    except BaseException as error:
        # Its place is reserved: on the way out nobody is waited for.
        voice.say(_end(spoken, messages, "", error))
        raise
    voice.say(_end(spoken, messages, answers[-1] if answers else "", None))


def _end(
    context: RunContext[Any], messages: list[BaseMessage], answer: str, error: BaseException | None
) -> ReactEndEvent:
    from cleveractors.events.listener import usage_of

    voice = context.voice
    talk = voice.talk if voice is not None else None
    totals = (talk.ledger if isinstance(talk, Conversation) else context.run.ledger).totals
    reason = "completed"
    if error is not None:
        reason = "error" if isinstance(error, Exception) else "cancelled"
    elif isinstance(talk, Conversation) and talk.stop_reason is not None:
        reason = talk.stop_reason
    return ReactEndEvent(
        final_messages=list(messages),
        response=answer,
        stop_reason=reason,
        usage=usage_of(totals.prompt_tokens, totals.completion_tokens),
        cost=totals.cost,
        error=error,
    )


def listen(talk: Conversation, listener: Listener | None, voice: Voice | None) -> None:
    """Have a conversation's model calls followed by a consumer of text, by events, by both or by none."""
    if voice is None:
        talk.listener = listener
        return
    # Loaded only where somebody listens.
    from cleveractors.events.listener import EventListener

    voice.talk = talk
    talk.voice = voice
    talk.listener = compose(listener, EventListener(voice))
    talk.pass_listener = EventListener(voice, chunks=False)
