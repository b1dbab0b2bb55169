"""What a whole tree of runs counts together: its calls, and its time."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Clock", "Counters"]


@dataclass(slots=True)
class Counters:
    """What happens in a whole tree of runs, counted."""

    model_calls: int = 0
    tool_calls: int = 0
    deliveries: int = 0
    """Rows that `on_usage` has now."""
    forks: int = 0


@dataclass(slots=True)
class Clock:
    """The time of a whole tree of runs; it stands still while any of them waits for the reader of events."""

    deadline: float | None = None
    """In the loop's time; None for none."""
    _held: int = 0
    _since: float = 0.0

    def left(self, now: float) -> float | None:
        """Seconds until the deadline, at a moment of the loop's time."""
        if self.deadline is None:
            return None
        return self.deadline - (self._since if self._held else now)

    def hold(self, now: float) -> None:
        """Stand still until as many have let it go on as have held it."""
        if not self._held:
            self._since = now
        self._held += 1

    def resume(self, now: float) -> None:
        """Go on, when nobody else holds it."""
        self._held -= 1
        if not self._held and self.deadline is not None:
            self.deadline += now - self._since
