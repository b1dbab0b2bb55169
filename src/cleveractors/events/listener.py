"""Model calls as events."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cleveractors.events.deltas import ArgumentDeltas
from cleveractors.events.types import (
    CustomEvent,
    LLMCallEndEvent,
    LLMCallErrorEvent,
    LLMCallStartEvent,
    LLMChunkArriveEvent,
    ToolCallArgumentsDeltaEvent,
)
from cleveractors.events.voice import Voice

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

    from cleveractors.usage import Attempt

__all__ = ["EventListener", "usage_of"]


class EventListener:
    """Says what happens in one agent's model calls.

    Args:
        voice: the agent's.
        chunks: whether answers are followed piece by piece, where the reader wants that.
    """

    committed = False
    """Text can be taken back: `stream_reset` says so."""

    def __init__(self, voice: Voice, *, chunks: bool = True) -> None:
        self._voice = voice
        self.wants_chunks = chunks and voice.publisher.chunks
        self._streamed = False
        self._begin([], "turn", 1)

    def _begin(self, messages: list[Any], purpose: str, attempt: int) -> None:
        self._messages = messages
        self._purpose = purpose
        self._attempt = attempt
        self._text = ""
        self._chunks = 0
        self._deltas = ArgumentDeltas()
        self._started = time.monotonic()

    @property
    def issued(self) -> Mapping[int, str]:
        """Ids given to calls whose provider had sent none when their arguments began, by place."""
        return self._deltas.ids

    async def started(self, row: Attempt, view: Sequence[BaseMessage]) -> None:
        """An attempt begins; text of one that failed is taken back first."""
        if self._streamed:
            self._streamed = False
            await self._voice.tell(CustomEvent("stream_reset", {"attempt": self._attempt}))
        self._begin(list(view), row.purpose, row.attempt)
        await self._voice.tell(LLMCallStartEvent(self._messages, row.purpose, row.attempt, row.id))

    async def chunk(self, chunk: AIMessageChunk | AIMessage) -> None:
        """A piece of the answer."""
        text = chunk.text
        for part in self._deltas.feed(getattr(chunk, "tool_call_chunks", ())):
            event = ToolCallArgumentsDeltaEvent(part.name, part.call_id, part.argname, part.delta, part.index)
            await self._voice.tell(event, (part.name, part.call_id))
        if text:
            self._text += text
            self._streamed = True
        event = LLMChunkArriveEvent(chunk, self._text, self._chunks, text, self._purpose, self._attempt)
        self._chunks += 1
        await self._voice.tell(event)

    async def ended(self, row: Attempt, message: AIMessage) -> None:
        """The attempt has answered, its row is settled."""
        self._streamed = False
        usage = usage_of(row.prompt_tokens, row.completion_tokens) if row.state == "settled" else None
        seconds = time.monotonic() - self._started
        calls: list[Any] = list(message.tool_calls)
        await self._voice.tell(LLMCallEndEvent(message, self._messages, calls, seconds, message.text, usage))
        await self._voice.tell(CustomEvent("usage", self._spend(row)))

    async def failed(self, row: Attempt, error: BaseException, will_retry: bool) -> None:
        """The attempt has failed or was cut, its row is settled; nothing is waited for, as it may be on the way out."""
        self._voice.say(LLMCallErrorEvent(error, will_retry, row.attempt))

    def _spend(self, row: Attempt) -> dict[str, Any]:
        """The row, and what the run has spent and has left of its own limits."""
        run = self._voice.run
        totals = run.ledger.totals
        spent: dict[str, Any] = {**usage_of(totals.prompt_tokens, totals.completion_tokens), "cost": _text(totals.cost)}
        remaining: dict[str, Any] = {}
        for purse in run.purses:
            budget = purse.budget
            if purse.private:
                remaining |= {"tokens": budget.remaining, "cost": _text(budget.remaining_cost)}
            elif budget.visible and budget.name:
                shown = {"tokens": budget.remaining, "cost": _text(budget.remaining_cost)}
                remaining.setdefault("budgets", {})[budget.name] = shown
        return {"row": row.freeze().to_dict(), "spent": spent, "remaining": remaining}


def usage_of(prompt_tokens: int, completion_tokens: int) -> dict[str, int]:
    """Counts by the names that events use."""
    return {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "total_tokens": prompt_tokens + completion_tokens,
    }


def _text(amount: object) -> str | None:
    return None if amount is None else str(amount)
