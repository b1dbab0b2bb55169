"""The ledger: one row per attempt, and the sums that are read off the rows."""

from __future__ import annotations

import dataclasses
import operator
import threading
import time
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal, NamedTuple

from cleveractors.identifiers import new_id

__all__ = [
    "Attempt",
    "InvocationRecord",
    "Ledger",
    "Outcome",
    "Purpose",
    "RowState",
    "TokenUsage",
    "Totals",
    "last_token_usage_var",
]

Purpose = Literal["turn", "synthesis", "pruning", "repair", "tool"]
Outcome = Literal["tools", "answer", "error"]
RowState = Literal["open", "settled", "unmeasured", "rejected", "unsent"]


class TokenUsage(NamedTuple):
    """Tokens that providers told of."""

    prompt_tokens: int
    completion_tokens: int

    @property
    def total_tokens(self) -> int:
        """Both together."""
        return self.prompt_tokens + self.completion_tokens


last_token_usage_var: ContextVar[TokenUsage | None] = ContextVar("cleveractors_last_token_usage", default=None)
"""What the last `process_message` or `stream_message` of this context caused, on every ending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InvocationRecord:
    """One attempt at one model call, as it stands; later revisions carry the same `id`."""

    id: str
    run_id: str
    parent_run_id: str | None
    session_id: str | None
    tenant: str | None
    metadata: Mapping[str, str]
    agent: str
    provider: str
    model: str
    model_served: str | None
    """The model as the provider named it."""
    purpose: Purpose
    outcome: Outcome | None
    """What came of it; None while open."""
    round: int
    """The round it belongs to, from 1."""
    attempt: int
    """From 1, within its model call."""
    state: RowState
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    cache_write_tokens: int
    reasoning_tokens: int
    estimated: bool
    """The counts are our estimate, since the provider told nothing."""
    reserved_tokens: int
    """What budgets held for it; 0 where none applied."""
    over_reserved: bool
    """It settled above its reservation."""
    cost: Decimal | None
    """In the currency of the prices; None where no price is known."""
    price_source: str | None
    provider_request_id: str | None
    error_type: str | None
    revision: int
    """From 0, one more for each change of the row."""
    started_at: float
    """Seconds since the epoch."""
    duration: float
    """Seconds; 0 while open."""

    @property
    def total_tokens(self) -> int:
        """Prompt and completion."""
        return self.prompt_tokens + self.completion_tokens

    def to_dict(self) -> dict[str, Any]:
        """The row as JSON values; money as text."""
        values = {name: getattr(self, name) for name in _FIELDS}
        values["metadata"] = dict(self.metadata)
        values["cost"] = None if self.cost is None else str(self.cost)
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> InvocationRecord:
        """The inverse of `to_dict`; unknown keys are left out."""
        known = {name: values[name] for name in _FIELDS if name in values}
        if known.get("cost") is not None:
            known["cost"] = Decimal(known["cost"])
        return cls(**known)


_FIELDS = tuple(one.name for one in dataclasses.fields(InvocationRecord))
_values_of = operator.attrgetter(*_FIELDS)


@dataclass(slots=True, kw_only=True)
class Attempt:
    """A row while it is written: one object an attempt, frozen only where somebody reads it."""

    run_id: str
    agent: str
    provider: str
    model: str
    purpose: Purpose
    round: int = 0
    attempt: int = 1
    parent_run_id: str | None = None
    session_id: str | None = None
    tenant: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    id: str = field(default_factory=new_id)
    model_served: str | None = None
    outcome: Outcome | None = None
    state: RowState = "open"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0
    estimated: bool = False
    reserved_tokens: int = 0
    over_reserved: bool = False
    cost: Decimal | None = None
    price_source: str | None = None
    provider_request_id: str | None = None
    error_type: str | None = None
    revision: int = 0
    started_at: float = field(default_factory=time.time)
    duration: float = 0.0

    def freeze(self) -> InvocationRecord:
        """The row as it stands now."""
        return InvocationRecord(**dict(zip(_FIELDS, _values_of(self), strict=True)))


@dataclass(slots=True)
class Totals:
    """Sums over rows: the known part, and beside it what could only be estimated or counted."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    estimated_prompt_tokens: int = 0
    estimated_completion_tokens: int = 0
    unmeasured_calls: int = 0
    cost: Decimal | None = None
    """Of the priced settled rows; None while nothing was priced."""
    estimated_cost: Decimal | None = None
    unpriced_calls: int = 0

    @property
    def usage(self) -> TokenUsage:
        """What providers told."""
        return TokenUsage(self.prompt_tokens, self.completion_tokens)

    def add(self, row: Attempt, sign: int = 1) -> None:
        """Count a row that is no longer open; with `sign=-1` take it back."""
        if row.state == "settled":
            self._add_settled(row, sign)
        elif row.state == "unmeasured":
            self.unmeasured_calls += sign
            self.estimated_prompt_tokens += sign * row.prompt_tokens
            self.estimated_completion_tokens += sign * row.completion_tokens
            if row.cost is not None:
                self.estimated_cost = (self.estimated_cost or Decimal(0)) + sign * row.cost

    def _add_settled(self, row: Attempt, sign: int) -> None:
        self.prompt_tokens += sign * row.prompt_tokens
        self.completion_tokens += sign * row.completion_tokens
        self.cached_tokens += sign * row.cached_tokens
        self.reasoning_tokens += sign * row.reasoning_tokens
        if row.cost is None:
            self.unpriced_calls += sign
        else:
            self.cost = (self.cost or Decimal(0)) + sign * row.cost


class Ledger:
    """The rows of a run and of all that it caused; a child's rows count in its parents too.

    Rows are kept once, by the root, in the order in which they were opened.
    """

    __slots__ = ("_lock", "_open", "_rows", "made", "parent", "totals")

    def __init__(self, parent: Ledger | None = None) -> None:
        self.parent = parent
        self.totals = Totals()
        self.made = 0
        """Rows opened here and below."""
        self._open: set[str] = parent._open if parent is not None else set()
        self._rows: list[Attempt] = parent._rows if parent is not None else []
        # Tools report from threads; a dropped stream settles inside a garbage collection, at any line.
        self._lock = parent._lock if parent is not None else threading.RLock()

    def child(self) -> Ledger:
        """A part of this ledger with sums of its own."""
        return Ledger(self)

    @property
    def rows(self) -> list[Attempt]:
        """All rows of the root, in the order in which they were opened."""
        return self._rows

    def open(self, row: Attempt) -> Attempt:
        """Enter a row before its request is sent."""
        with self._lock:
            self._rows.append(row)
            self._open.add(row.id)
            for ledger in self._up():
                ledger.made += 1
        return row

    def close(self, row: Attempt) -> bool:
        """Count a row that has its final state; False if somebody else closed it before."""
        with self._lock:
            if row.id not in self._open:
                return False
            self._open.remove(row.id)
            for ledger in self._up():
                ledger.totals.add(row)
        return True

    def _up(self) -> Iterator[Ledger]:
        ledger: Ledger | None = self
        while ledger is not None:
            yield ledger
            ledger = ledger.parent
