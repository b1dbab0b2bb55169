"""What a run tells its hooks about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cleveractors.hooks.payloads import ChildStatus, ToolStatus

__all__ = ["ChildRan", "SessionOver", "ToolRan"]


@dataclass(frozen=True, slots=True)
class ToolRan:
    """A tool call that has an answer."""

    tool_name: str
    tool_input: Any
    tool_call_id: str
    result: Any
    """What the model will read: text, or content parts."""
    seconds: float
    status: ToolStatus


@dataclass(frozen=True, slots=True)
class SessionOver:
    """How a session ended."""

    reason: str
    """The stop reason."""
    completed: bool = False
    failed: bool = False
    interrupted: bool = False
    usage: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ChildRan:
    """A child run that has ended."""

    role: str
    """The agent that was called."""
    run_id: str
    seconds: float
    answer: str
    status: ChildStatus
