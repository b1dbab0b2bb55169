"""Waiting for a condition from threads and from coroutines, without polling."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future

Condition = Callable[[], bool]


class Notice:
    """Wakes whoever waits for a condition, as soon as the owner of the state reports a change.

    The owner changes its state first and calls `check` afterwards; a waiter gives a condition over that state.
    Safe to use from any number of threads and event loops.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[tuple[Condition, Future[None]]] = []

    def check(self) -> None:
        """Re-evaluate every waiter's condition and wake those whose condition holds now."""
        with self._lock:
            ready = [future for holds, future in self._waiting if future.cancelled() or holds()]
            if not ready:
                return
            self._waiting = [entry for entry in self._waiting if entry[1] not in ready]
        for future in ready:
            if future.set_running_or_notify_cancel():
                future.set_result(None)

    def when(self, holds: Condition) -> Future[None]:
        """Give a future that is done once `holds()` is true.

        Args:
            holds: A quick condition without side effects; it is evaluated in the thread that reports the change.

        Returns:
            The future; it is already done when the condition holds now.
        """
        future: Future[None] = Future()
        with self._lock:
            if not holds():
                self._waiting.append((holds, future))
                return future
        future.set_result(None)
        return future

    def wait(self, holds: Condition, timeout: float, what: Callable[[], str]) -> None:
        """Block the calling thread until `holds()` is true.

        Args:
            holds: The condition.
            timeout: Longest wait in seconds.
            what: Describes the unmet condition for the error.

        Raises:
            TimeoutError: The condition did not hold in time.
        """
        future = self.when(holds)
        try:
            future.result(timeout)
        except TimeoutError:
            self._forget(future)
            raise TimeoutError(f"waited {timeout} s: {what()}") from None

    async def wait_async(self, holds: Condition, timeout: float, what: Callable[[], str]) -> None:
        """Suspend the calling coroutine until `holds()` is true; as `wait` otherwise.

        Args:
            holds: The condition.
            timeout: Longest wait in seconds.
            what: Describes the unmet condition for the error.

        Raises:
            TimeoutError: The condition did not hold in time.
        """
        future = self.when(holds)
        try:
            await asyncio.wait_for(asyncio.wrap_future(future), timeout)
        except TimeoutError:
            raise TimeoutError(f"waited {timeout} s: {what()}") from None
        finally:
            self._forget(future)

    async def until(self, holds: Condition) -> None:
        """Suspend the calling coroutine until `holds()` is true, however long it takes.

        Args:
            holds: The condition.
        """
        future = self.when(holds)
        try:
            await asyncio.wrap_future(future)
        finally:
            self._forget(future)

    def _forget(self, future: Future[None]) -> None:
        with self._lock:
            self._waiting = [entry for entry in self._waiting if entry[1] is not future]
