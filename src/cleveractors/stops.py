"""Why a run ended: a closed table."""

from __future__ import annotations

from typing import Literal

__all__ = ["RAISING", "StopReason"]

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
