"""One timer of an event loop for all whose time may run out: an await that ends in time costs it nothing."""

from __future__ import annotations

import asyncio
import math
from typing import Protocol
from weakref import ReferenceType, WeakKeyDictionary, ref

__all__ = ["Alarm", "Sleeper", "alarm_of"]


class Sleeper(Protocol):
    """Whoever is to be woken when its time is up."""

    def due(self, now: float) -> float | None:
        """The moment, as things stand now; None for none."""
        ...

    def wake(self) -> None:
        """Its time is up."""
        ...


class Alarm:
    """Wakes the sleepers of one loop.

    A timer for each would be made and cancelled with every await. This one is set only when somebody is due
    before it rings; when it does, most of those for whom it was set have long gone, and it is set for the next.
    """

    __slots__ = ("_at", "_timer", "sleepers")

    def __init__(self) -> None:
        self.sleepers: set[Sleeper] = set()
        self._at = math.inf
        # Weak: it holds the loop, which this must not keep alive.
        self._timer: ReferenceType[asyncio.TimerHandle] | None = None

    def set(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        """See to it that it rings at `due`, or before."""
        if due >= self._at:
            return
        former = self._timer() if self._timer is not None else None
        if former is not None:
            former.cancel()
        self._at = due
        self._timer = ref(loop.call_at(due, self._ring, loop))

    def _ring(self, loop: asyncio.AbstractEventLoop) -> None:
        self._at, self._timer = math.inf, None
        now, upcoming = loop.time(), math.inf
        for sleeper in tuple(self.sleepers):
            due = sleeper.due(now)
            if due is None:
                continue
            if due <= now:
                sleeper.wake()
            else:
                upcoming = min(upcoming, due)
        if upcoming < math.inf:
            self.set(loop, upcoming)


_alarms: WeakKeyDictionary[asyncio.AbstractEventLoop, Alarm] = WeakKeyDictionary()


def alarm_of(loop: asyncio.AbstractEventLoop) -> Alarm:
    """The alarm of a running loop."""
    alarm = _alarms.get(loop)
    if alarm is None:
        alarm = _alarms[loop] = Alarm()
    return alarm
