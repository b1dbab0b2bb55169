"""The run that this code runs in, where somebody must find it without being handed it."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

__all__ = ["enter", "leave", "peek"]

_current: ContextVar[Any] = ContextVar("cleveractors_context", default=None)


def enter(context: object) -> None:
    """Make `context` the current one of this task."""
    _current.set(context)


def leave(context: object) -> None:
    """Make an earlier context, or none, the current one again."""
    _current.set(context)


def peek() -> Any:
    """The current `RunContext`, or None."""
    return _current.get()
