"""The provider's own ledger: what it would bill, and what the wire told about it."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Literal

from cleveractors.testing.provider.notice import Notice

Outcome = Literal["answered", "rejected", "cut", "spoiled"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request.

    Attributes:
        prompt_tokens: Tokens of the prompt.
        completion_tokens: Tokens of the answer, reasoning included.
        cached_tokens: Part of the prompt tokens that came from a cache.
        reasoning_tokens: Part of the completion tokens that were reasoning.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """What became of one chat request.

    Attributes:
        order: The request's `order`.
        request_id: The `x-request-id` of the response.
        model: The model asked for.
        streamed: Whether it was a stream.
        outcome: `"answered"`: complete; `"rejected"`: an error status; `"cut"`: the connection ended (by either
            side) before the answer was complete; `"spoiled"`: the answer was delivered but broken by a fault.
        charged: Whether the provider bills it.
        prompt_tokens: Billed tokens of the prompt; 0 when not charged, as the next three.
        completion_tokens: Billed tokens of the answer.
        cached_tokens: Part of the billed prompt tokens that came from a cache.
        reasoning_tokens: Part of the billed completion tokens that were reasoning.
        told_prompt_tokens: The last number of prompt tokens written to the wire, `None` when none was.
        told_completion_tokens: The last number of completion tokens written to the wire, `None` when none was.
        reason: The error message of a rejected request.
    """

    order: int
    request_id: str
    model: str
    streamed: bool
    outcome: Outcome
    charged: bool
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    told_prompt_tokens: int | None = None
    told_completion_tokens: int | None = None
    reason: str = ""

    @property
    def told(self) -> bool:
        """Whether the wire told the billed usage in full before the connection ended."""
        told = (self.told_prompt_tokens, self.told_completion_tokens)
        return self.charged and told == (self.prompt_tokens, self.completion_tokens)


@dataclass(frozen=True, slots=True)
class LedgerTotals:
    """Sums over the ledger.

    Attributes:
        requests: Chat requests whose fate is decided.
        billed: How many of them are billed.
        untold: How many of the billed ones the wire did not tell in full.
        prompt_tokens: Billed prompt tokens.
        completion_tokens: Billed completion tokens.
        cached_tokens: Billed prompt tokens that came from a cache.
        reasoning_tokens: Billed completion tokens that were reasoning.
        told_prompt_tokens: Prompt tokens the wire told.
        told_completion_tokens: Completion tokens the wire told.
    """

    requests: int
    billed: int
    untold: int
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    reasoning_tokens: int
    told_prompt_tokens: int
    told_completion_tokens: int


class Ledger:
    """All decided chat requests, in the order in which their fate was decided.

    Args:
        notice: Told of every change.
    """

    def __init__(self, notice: Notice) -> None:
        self._notice = notice
        self._lock = threading.Lock()
        self._entries: dict[int, LedgerEntry] = {}

    def put(self, entry: LedgerEntry) -> None:
        """Enter a request, or correct what was entered for it.

        Args:
            entry: The entry; one with the same `order` is replaced.
        """
        with self._lock:
            self._entries[entry.order] = entry
        self._notice.check()

    def entries(self) -> tuple[LedgerEntry, ...]:
        """Give all entries."""
        with self._lock:
            return tuple(self._entries.values())

    def clear(self) -> None:
        """Forget all entries."""
        with self._lock:
            self._entries.clear()

    def totals(self) -> LedgerTotals:
        """Sum up all entries."""
        entries = self.entries()
        return LedgerTotals(
            requests=len(entries),
            billed=sum(entry.charged for entry in entries),
            untold=sum(entry.charged and not entry.told for entry in entries),
            prompt_tokens=sum(entry.prompt_tokens for entry in entries),
            completion_tokens=sum(entry.completion_tokens for entry in entries),
            cached_tokens=sum(entry.cached_tokens for entry in entries),
            reasoning_tokens=sum(entry.reasoning_tokens for entry in entries),
            told_prompt_tokens=sum(entry.told_prompt_tokens or 0 for entry in entries),
            told_completion_tokens=sum(entry.told_completion_tokens or 0 for entry in entries),
        )
