"""A word that ends a run, safe to say from any thread, and the clock that listens for it."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Final, Protocol

from cleveractors.alarm import alarm_of

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
        return partial(self._forget, key)

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


class RunClock(Protocol):
    """The clock of a whole run, which may stand still meanwhile."""

    def left(self, now: float) -> float | None:
        """Seconds until its end at a moment of the loop's time; None: it has none."""
        ...


class bounded:
    """Bound one await by a signal, a clock of its own and the run's; no task, no thread.

        async with bounded(run.signal, 30, run.clock):
            answer = await model.ainvoke(messages)

    Raises `Aborted` when the signal ended it, `TimeoutError` when the clock did. An outer
    cancellation passes as it is. All three are raised too where what was awaited went on after its
    cancellation, and answered or raised something else. Never hold one open across a yield.

    Args:
        signal: the run's signal.
        seconds: its own clock, or None for no limit.
        clock: the run's, or None.
        grace: seconds between the signal and the end, for work that watches the signal itself.
    """

    __slots__ = (
        "_alarm",
        "_cancels",
        "_clock",
        "_due",
        "_forget",
        "_grace",
        "_loop",
        "_rung",
        "_seconds",
        "_signal",
        "_task",
    )

    def __init__(
        self, signal: AbortSignal, seconds: float | None, clock: RunClock | None = None, *, grace: float = 0
    ) -> None:
        self._signal = signal
        self._seconds = seconds
        self._clock = clock
        self._grace = grace
        self._due: float | None = None
        self._rung = False

    async def __aenter__(self) -> bounded:
        if self._signal.is_aborted:
            raise Aborted
        loop = self._loop = asyncio.get_running_loop()
        task = self._task = asyncio.current_task()
        if task is None:
            raise RuntimeError("only a task can be bounded")
        self._cancels = task.cancelling()
        self._alarm = alarm_of(loop)
        self._alarm.sleepers.add(self)
        self._forget = self._signal.subscribe(self._call)
        now = loop.time()
        self._due = None if self._seconds is None else now + self._seconds
        first = self.due(now)
        if first is not None:
            self._alarm.set(loop, first)
        return self

    def pause(self) -> float | None:
        """Stop its own clock, as while somebody else is waited for; the seconds that were left."""
        left = None if self._due is None else max(self._due - self._loop.time(), 0)
        self._due = None
        return left

    def restart(self, seconds: float | None) -> None:
        """Start its own clock anew."""
        if seconds is None:
            self._due = None
            return
        due = self._due = self._loop.time() + seconds
        self._alarm.set(self._loop, due)

    def due(self, now: float) -> float | None:
        """When, as things stand, the first clock will have run out."""
        left = None if self._clock is None else self._clock.left(now)
        if left is None:
            return self._due
        return now + left if self._due is None else min(now + left, self._due)

    def _call(self) -> None:
        self._loop.call_soon_threadsafe(self._hear if self._grace else self.wake)

    def _hear(self) -> None:
        self._loop.call_later(self._grace, self.wake)

    def wake(self) -> None:
        """End the await, unless it has ended while the call travelled between the threads."""
        if self._task is not None and not self._rung:
            self._rung = True
            self._task.cancel()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._forget()
        self._alarm.sleepers.discard(self)
        task, self._task = self._task, None
        if task is None or (kind is not None and not issubclass(kind, Exception | asyncio.CancelledError)):
            return
        asked = task.uncancel() if self._rung else task.cancelling()
        if asked > self._cancels:
            # Somebody else's cancellation goes before ours, also where what was awaited has swallowed it.
            if kind is not asyncio.CancelledError:
                raise asyncio.CancelledError from error
        elif self._rung:
            raise (Aborted if self._signal.is_aborted else TimeoutError) from error
