"""Which run of an executor ended last in this context."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any
from weakref import ReferenceType, ref

from cleveractors.result import ActorResult

__all__ = ["LastResults"]

Entry = tuple["ReferenceType[LastResults]", "ActorResult[Any]"]

_ended_here: ContextVar[tuple[Entry, ...]] = ContextVar("cleveractors_last_results", default=())


class LastResults:
    """One executor's last results; a context sees its own alone."""

    __slots__ = ("__weakref__", "_count", "_only")

    def __init__(self) -> None:
        self._count = 0
        self._only: ActorResult[Any] | None = None

    def ended(self, result: ActorResult[Any]) -> None:
        """A run ended, wherever."""
        self._count += 1
        self._only = result if self._count == 1 else None

    def note_here(self, result: ActorResult[Any]) -> None:
        """It ended in this context."""
        kept = tuple(entry for entry in _ended_here.get() if entry[0]() not in (None, self))
        _ended_here.set((*kept, (ref(self), result)))

    def get(self) -> ActorResult[Any] | None:
        """The last of this context; in one that has seen none, the executor's only run, if there was just one."""
        for owner, result in _ended_here.get():
            if owner() is self:
                return result
        return self._only
