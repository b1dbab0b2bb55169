"""One at a time for each id, in the order of asking, across loops and threads."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Hashable

__all__ = ["TurnToken", "Turns"]


class TurnToken:
    """Somebody's turn; releasing it lets the next one in."""

    __slots__ = ("_key", "_released", "_turns")

    def __init__(self, turns: Turns, key: Hashable) -> None:
        self._turns = turns
        self._key = key
        self._released = False

    def release(self) -> None:
        """End the turn; from any thread, and twice does no harm."""
        if not self._released:
            self._released = True
            self._turns.pass_on(self._key)


class Turns:
    """Whose turn it is, by id."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[Hashable, deque[_Waiter | Callable[[], None]]] = {}
        """Ids whose turn is taken, and who waits for it."""

    async def take(self, key: Hashable, seconds: float | None = None) -> TurnToken:
        """Wait for the turn.

        Args:
            key: whose turn.
            seconds: how long to wait at most, or None.

        Raises:
            TimeoutError: it did not come in time.
        """
        waiter = self._queue(key)
        if waiter is None:
            return TurnToken(self, key)
        try:
            async with asyncio.timeout(seconds):
                await waiter.turn
        except BaseException:
            self._give_up(key, waiter)
            raise
        return TurnToken(self, key)

    def _queue(self, key: Hashable) -> _Waiter | None:
        """Take the turn at once, or stand in the queue."""
        with self._lock:
            queue = self._waiting.get(key)
            if queue is None:
                self._waiting[key] = deque()
                return None
            waiter = _Waiter()
            queue.append(waiter)
            return waiter

    def _give_up(self, key: Hashable, waiter: _Waiter) -> None:
        with self._lock:
            granted = waiter.granted
            queue = self._waiting.get(key)
            # One whose loop had ended was passed over.
            if queue is not None and waiter in queue:
                queue.remove(waiter)
        # The turn may come in the moment in which the wait ends.
        if granted:
            self.pass_on(key)

    def when_free(self, key: Hashable, then: Callable[[], None]) -> None:
        """Call `then` once those before it had their turns; now, where there are none."""
        with self._lock:
            queue = self._waiting.get(key)
            if queue is not None:
                queue.append(then)
                return
        then()

    def pass_on(self, key: Hashable) -> None:
        """Let in the next one that is still there."""
        free: list[Callable[[], None]] = []
        with self._lock:
            queue = self._waiting[key]
            while queue:
                first = queue.popleft()
                if not isinstance(first, _Waiter):
                    free.append(first)
                elif first.let_in():
                    break
            else:
                del self._waiting[key]
        for then in free:
            then()

    def waiting(self, key: Hashable) -> int:
        """How many wait for the turn."""
        return len(self._waiting.get(key, ()))

    def is_taken(self, key: Hashable) -> bool:
        """Whether it is somebody's turn."""
        return key in self._waiting


class _Waiter:
    """Somebody in the queue, on whichever loop."""

    __slots__ = ("_loop", "granted", "turn")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.turn: asyncio.Future[None] = self._loop.create_future()
        self.granted = False

    def let_in(self) -> bool:
        """Tell the waiter; False where its loop has ended."""
        try:
            self._loop.call_soon_threadsafe(self._tell)
        except RuntimeError:
            return False
        self.granted = True
        return True

    def _tell(self) -> None:
        if not self.turn.done():
            self.turn.set_result(None)
