"""Conversations that outlive a run: where they are kept, whose turn it is, how much of them is sent."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cleveractors.sessions.memory import MemorySessions
    from cleveractors.sessions.sqlite import SQLiteSessions
    from cleveractors.sessions.store import SessionStore, StoredMessage
    from cleveractors.sessions.trimming import trim

__all__ = ["MemorySessions", "SQLiteSessions", "SessionStore", "StoredMessage", "trim"]

_HOMES: Final = {
    "MemorySessions": "memory",
    "SQLiteSessions": "sqlite",
    "SessionStore": "store",
    "StoredMessage": "store",
    "trim": "trimming",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
