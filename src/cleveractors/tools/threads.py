"""Threads for sync tools: the executor's own, so that a slow tool starves neither the host nor a model."""

from __future__ import annotations

from asyncio import AbstractEventLoop, CancelledError, get_running_loop
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from anyio import CapacityLimiter, to_thread

from cleveractors.exceptions import ExecutionError

__all__ = ["MAX_THREADS", "STILL_RUNS", "ToolThreads", "threads_of"]

T = TypeVar("T")

MAX_THREADS = 40
"""Functions that run at a time in one loop, where the host says nothing else."""
STILL_RUNS = "its thread still runs: it can't be stopped"
"""Noted on the cancellation that left a thread behind."""


class ToolThreads:
    """Runs sync functions in threads, of which no more than `max_threads` run at a time in one loop.

    A thread can't be stopped: when the wait for one is cancelled, it is left behind, and counted until its
    function returns. Usable from several loops at once.

    Args:
        max_threads: functions that run at a time.
        max_abandoned: threads left behind at which nothing more is started.
    """

    __slots__ = ("__weakref__", "_abandoned", "_limiters", "_lock", "_max_abandoned", "_max_threads")

    def __init__(self, max_threads: int = MAX_THREADS, max_abandoned: int = 20) -> None:
        self._max_threads = max_threads
        self._max_abandoned = max_abandoned
        self._abandoned = 0
        self._lock = Lock()
        self._limiters: WeakKeyDictionary[AbstractEventLoop, CapacityLimiter] = WeakKeyDictionary()

    @property
    def abandoned(self) -> int:
        """How many threads that nobody waits for are still running."""
        return self._abandoned

    async def run(self, fn: Callable[[], T]) -> T:
        """Run a function in a thread, in a copy of the caller's context; what it raises passes.

        Raises:
            ExecutionError: `max_abandoned` threads still run that were left behind.
        """
        if self._abandoned >= self._max_abandoned:
            raise ExecutionError(
                f"not run: {self._abandoned} sync tools did not end in time and still run in their threads, "
                "and no more are started until one of them ends"
            )
        job = _Job(fn, self)
        try:
            return await to_thread.run_sync(job, abandon_on_cancel=True, limiter=self._limiter())
        except CancelledError as error:
            if job.leave():
                error.add_note(STILL_RUNS)
            raise
        finally:
            job.leave()

    def _limiter(self) -> CapacityLimiter:
        loop = get_running_loop()
        with self._lock:
            limiter = self._limiters.get(loop)
            if limiter is None:
                limiter = self._limiters[loop] = CapacityLimiter(self._max_threads)
            return limiter

    def count(self, change: int) -> None:
        """Count a thread left behind, or one of them that ended."""
        with self._lock:
            self._abandoned += change

    def __repr__(self) -> str:
        return f"<ToolThreads max_threads={self._max_threads} abandoned={self._abandoned}>"


class _Job(Generic[T]):
    """One call in a thread, which knows whether somebody still waits for it."""

    __slots__ = ("_fn", "_left", "_lock", "_running", "_threads")

    def __init__(self, fn: Callable[[], T], threads: ToolThreads) -> None:
        self._fn = fn
        self._threads = threads
        self._lock = Lock()
        self._running = False
        self._left = False

    def __call__(self) -> T:
        with self._lock:
            if self._left:
                raise RuntimeError("left before it began")
            self._running = True
        try:
            return self._fn()
        finally:
            with self._lock:
                self._running = False
                if self._left:
                    self._threads.count(-1)

    def leave(self) -> bool:
        """Stop waiting; a function that still runs is counted until it ends. Whether it does."""
        with self._lock:
            if self._running and not self._left:
                self._threads.count(1)
            self._left = True
            return self._running


def threads_of(context: object) -> ToolThreads:
    """Find the threads of a run, or those of calls outside any."""
    found = getattr(context, "threads", None) or getattr(context, "_threads", None)
    return found if isinstance(found, ToolThreads) else OUTSIDE


OUTSIDE = ToolThreads()
