"""Which run of an executor ended last in this context."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from typing import Any
from weakref import ReferenceType, ref

from cleveractors.result import ActorResult

__all__ = ["LastResults"]

Entry = tuple["ReferenceType[LastResults]", "ReferenceType[asyncio.Task[Any]] | None", "ActorResult[Any]"]

_ended_here: ContextVar[tuple[Entry, ...]] = ContextVar("cleveractors_last_results", default=())


class LastResults:
    """One executor's last results; a context sees its own alone."""

    __slots__ = ("__weakref__", "_count", "_only")

    def __init__(self) -> None:
        self._count = 0
        self._only: ActorResult[Any] | None = None

    def ended(self, result: ActorResult[Any]) -> None:
        """A run ended, wherever; telling it again changes nothing."""
        if result is self._only:
            return
        self._count += 1
        self._only = result if self._count == 1 else None

    def note_here(self, result: ActorResult[Any]) -> None:
        """It ended in this context."""
        kept = tuple(entry for entry in _ended_here.get() if entry[0]() not in (None, self))
        task = _current_task()
        _ended_here.set((*kept, (ref(self), None if task is None else ref(task), result)))

    def get(self) -> ActorResult[Any] | None:
        """The last of this context; in one that has seen none, the executor's only run, if there was just one."""
        task = _current_task()
        for owner, where, result in _ended_here.get():
            # A new task starts with a copy of its parent's context: what stands there is not its own.
            if owner() is self and (task is None or (where is not None and where() is task)):
                return result
        return self._only


def _current_task() -> asyncio.Task[Any] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None
