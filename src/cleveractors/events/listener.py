"""Model calls as events."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cleveractors.abort import Aborted
from cleveractors.events.deltas import ArgumentDelta, ArgumentDeltas
from cleveractors.events.types import (
    CustomEvent,
    LLMCallEndEvent,
    LLMCallErrorEvent,
    LLMCallStartEvent,
    LLMChunkArriveEvent,
    ReActEvent,
    ToolCallArgumentsDeltaEvent,
)
from cleveractors.events.voice import NO_TOOL, Voice
from cleveractors.exceptions import LimitReached
from cleveractors.identifiers import new_call_id

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

    from cleveractors.events.speech import Speech
    from cleveractors.usage import Attempt

__all__ = ["EventListener", "usage_of"]


class EventListener:
    """Says what happens in one agent's model calls.

    Args:
        voice: the agent's.
        chunks: whether answers are followed piece by piece, where the reader wants that.
        speech: of the tool call that makes the model calls, where one does.
        purpose: what turns are told to be for, where they are no loop's.
    """

    committed = False
    """Text can be taken back: `stream_reset` says so."""

    def __init__(
        self, voice: Voice, *, chunks: bool = True, speech: Speech | None = None, purpose: str = "turn"
    ) -> None:
        self._voice = voice
        self._turns = purpose
        self._tool = NO_TOOL if speech is None else speech.tool
        self.wants_chunks = chunks and voice.publisher.chunks
        self._streamed = False
        self._open = False
        self._begin([], "turn", 1)

    def _begin(self, messages: list[Any], purpose: str, attempt: int) -> None:
        self._messages = messages
        self._purpose = purpose
        self._attempt = attempt
        self._text = ""
        self._chunks = 0
        self._deltas = ArgumentDeltas()
        self._issued: dict[int, str] = {}

    @property
    def issued(self) -> Mapping[int, str]:
        """Ids given to calls, by place: the provider had sent none when their arguments began, or an earlier call's."""
        return {**self._deltas.ids, **self._issued}

    async def started(self, row: Attempt, view: Sequence[BaseMessage]) -> None:
        """An attempt begins; text of one that failed is taken back first."""
        if self._streamed:
            self._streamed = False
            await self._tell(CustomEvent("stream_reset", {"attempt": self._attempt}))
        self._begin(list(view), self._turns if row.purpose == "turn" else row.purpose, row.attempt)
        self._open = True
        await self._tell(LLMCallStartEvent(self._messages, self._purpose, row.attempt, row.id))
        self._started, self._held = time.monotonic(), self._voice.held

    async def chunk(self, chunk: AIMessageChunk | AIMessage) -> None:
        """A piece of the answer."""
        text = chunk.text
        for part in self._deltas.feed(getattr(chunk, "tool_call_chunks", ())):
            call_id = self._id_of(part)
            event = ToolCallArgumentsDeltaEvent(part.name, call_id, part.argname, part.delta, part.index)
            await self._voice.tell(event, (part.name, call_id))
        if text:
            self._text += text
            self._streamed = True
        event = LLMChunkArriveEvent(chunk, self._text, self._chunks, text, self._purpose, self._attempt)
        self._chunks += 1
        await self._tell(event)

    async def ended(self, row: Attempt, message: AIMessage) -> None:
        """The attempt has answered, its row is settled."""
        self._streamed = self._open = False
        usage = usage_of(row.prompt_tokens, row.completion_tokens) if row.state == "settled" else None
        seconds = max(time.monotonic() - self._started - (self._voice.held - self._held), 0.0)
        calls: list[Any] = list(message.tool_calls)
        await self._tell(LLMCallEndEvent(message, self._messages, calls, seconds, message.text, usage))
        await self._tell(CustomEvent("usage", self._spend(row)))

    async def failed(self, row: Attempt, error: BaseException, will_retry: bool) -> None:
        """The attempt has failed or was cut, its row is settled; nothing is waited for, as it may be on the way out."""
        if not self._open:
            return
        self._open = False
        signal = self._voice.run.signal
        if signal.is_aborted and isinstance(error, Aborted | asyncio.CancelledError):
            why = signal.reason
            error = LimitReached("aborted", f"the run was aborted{f': {why}' if why else ''}")
        self._voice.say(LLMCallErrorEvent(error, will_retry, row.attempt), self._tool)

    async def _tell(self, event: ReActEvent) -> None:
        await self._voice.tell(event, self._tool)

    def _id_of(self, part: ArgumentDelta) -> str:
        """The id that the call will have: one that an earlier call had is not taken twice."""
        if part.index in self._issued:
            return self._issued[part.index]
        if part.call_id not in getattr(self._voice.talk, "seen_ids", ()):
            return part.call_id
        return self._issued.setdefault(part.index, new_call_id())

    def _spend(self, row: Attempt) -> dict[str, Any]:
        """The row, and what the run has spent and has left of its own limits."""
        run = self._voice.run
        totals = run.ledger.totals
        spent: dict[str, Any] = {**usage_of(totals.prompt_tokens, totals.completion_tokens), "cost": _text(totals.cost)}
        remaining: dict[str, Any] = {}
        for purse in run.purses:
            budget = purse.budget
            if purse.of_limits:
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
