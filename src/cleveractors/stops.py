"""Why a run ended: a closed table."""

from __future__ import annotations

from typing import Literal, NamedTuple

__all__ = ["RAISING", "Stop", "StopReason"]

StopReason = Literal[
    "completed",
    "length",
    "refused",
    "max_rounds",
    "model_calls",
    "tool_calls",
    "token_budget",
    "cost_budget",
    "tool_only",
    "repeated_calls",
    "denied",
    "approval",
    "timeout",
    "aborted",
    "error",
    "cancelled",
    "detached",
]
"""All but `error` and `cancelled`, which raise, are returned; `detached` stands only on a left stream's handle."""

RAISING: frozenset[StopReason] = frozenset({"error", "cancelled"})


class Stop(NamedTuple):
    """Why something was not done."""

    reason: StopReason
    detail: str
    """One sentence with names and figures."""
    refusal: str | None = None
    """Of a budget: `contention` or `exhausted`."""
