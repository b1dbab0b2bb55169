"""A word that ends a run, safe to say from any thread, and the clock that listens for it."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Final

__all__ = ["ABORT_SIGNAL_PARAM", "AbortSignal", "Aborted", "bounded"]

ABORT_SIGNAL_PARAM: Final = "_abort_signal"
"""A tool parameter of this name receives the run's signal."""


class AbortSignal:
    """Ends runs when somebody calls `abort`; the first reason wins.

    Safe from any thread. One signal may be given to many runs; each run listens on one of its own,
    so that aborting a run never ends another.
    """

    __slots__ = ("_aborted", "_listeners", "_lock", "_reason")

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._aborted = False
        self._reason: str | None = None
        self._listeners: dict[object, Callable[[], object]] = {}

    @property
    def is_aborted(self) -> bool:
        """Whether somebody has aborted."""
        return self._aborted

    @property
    def reason(self) -> str | None:
        """What the first caller gave as the reason."""
        return self._reason

    def abort(self, reason: str | None = None) -> None:
        """Abort; a second call changes nothing."""
        with self._lock:
            if self._aborted:
                return
            self._reason = reason
            self._aborted = True
            listeners = list(self._listeners.values())
            self._listeners.clear()
        for listener in listeners:
            # A listener whose loop has closed must not keep the others from hearing.
            with contextlib.suppress(RuntimeError):
                listener()

    def subscribe(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Call `listener` once on abort, from the aborting thread (at once when already aborted).

        Returns:
            A function that ends the subscription.
        """
        key = object()
        with self._lock:
            aborted = self._aborted
            if not aborted:
                self._listeners[key] = listener
        if aborted:
            listener()
        return lambda: self._forget(key)

    def _forget(self, key: object) -> None:
        with self._lock:
            self._listeners.pop(key, None)

    def follow(self, other: AbortSignal) -> Callable[[], None]:
        """Abort when `other` does, with its reason.

        Returns:
            A function that stops following.
        """
        return other.subscribe(lambda: self.abort(other.reason))

    async def wait(self) -> None:
        """Return when aborted."""
        loop = asyncio.get_running_loop()
        heard = asyncio.Event()
        forget = self.subscribe(lambda: loop.call_soon_threadsafe(heard.set))
        try:
            await heard.wait()
        finally:
            forget()

    def __repr__(self) -> str:
        state = f"aborted, reason={self._reason!r}" if self._aborted else "not aborted"
        return f"<AbortSignal {state}>"


class Aborted(Exception):
    """Internal: the run's signal ended what was awaited."""


class bounded:
    """Bound one await by a signal and a clock; no task, no thread.

    ::

        async with bounded(signal, 30):
            answer = await model.ainvoke(messages)

    Raises `Aborted` when the signal ended it, `TimeoutError` when the clock did. An outer
    cancellation passes as it is. Never hold one open across a yield.

    Args:
        signal: the run's signal.
        seconds: the clock, or None for no limit.
    """

    __slots__ = ("_due", "_forget", "_loop", "_seconds", "_signal", "_timeout", "_timer")

    def __init__(self, signal: AbortSignal, seconds: float | None) -> None:
        self._signal = signal
        self._seconds = seconds
        self._due: float | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def __aenter__(self) -> bounded:
        if self._signal.is_aborted:
            raise Aborted
        self._loop = asyncio.get_running_loop()
        self._timeout = asyncio.timeout(None)
        await self._timeout.__aenter__()
        self._forget = self._signal.subscribe(self._wake)
        self.restart(self._seconds)
        return self

    def pause(self) -> float | None:
        """Stop the clock, as while somebody else is waited for; the seconds that were left."""
        left = None if self._due is None else max(self._due - self._loop.time(), 0)
        self._due = None
        return left

    def restart(self, seconds: float | None) -> None:
        """Start the clock anew.

        The timer itself is moved only to an earlier moment: a stream restarts its clock at every chunk.
        """
        if seconds is None:
            self._due = None
            return
        due = self._due = self._loop.time() + seconds
        if self._timer is None or self._timer.when() > due:
            self._arm(due)

    def _arm(self, due: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(due, self._ring)

    def _ring(self) -> None:
        self._timer = None
        if self._due is None:
            return
        if self._loop.time() < self._due:
            self._arm(self._due)
        else:
            self._expire()

    def _wake(self) -> None:
        self._loop.call_soon_threadsafe(self._expire)

    def _expire(self) -> None:
        # The await may have ended while the call travelled between the threads.
        with contextlib.suppress(RuntimeError):
            self._timeout.reschedule(self._loop.time())

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._forget()
        if self._timer is not None:
            self._timer.cancel()
        try:
            await self._timeout.__aexit__(kind, error, trace)
        except TimeoutError:
            if self._signal.is_aborted:
                raise Aborted from error
            raise
