"""Gates: places where the scripted provider stands still until a test lets it go on."""

from __future__ import annotations

import threading

from cleveractors.testing.provider.notice import Notice


class Gate:
    """A point at which the provider waits, so a test can act in the middle of a call without any sleep.

    Give it to a turn (`hold_before=gate` or `hold_after_chunk=(2, gate)`), wait until the provider stands there
    (`wait_reached_async` in a coroutine, `wait_reached` in a thread), act, and `open` it. An open
    gate stays open. One gate may hold any number of requests.

    Args:
        name: Shown in error messages.
    """

    def __init__(self, name: str = "gate") -> None:
        self.name = name
        self._notice = Notice()
        self._lock = threading.Lock()
        self._opened = False
        self._reached = 0

    @property
    def opened(self) -> bool:
        """Whether the gate lets requests pass."""
        return self._opened

    @property
    def reached(self) -> int:
        """How many times a request has come to this gate so far."""
        return self._reached

    def open(self) -> None:
        """Let every request pass that stands here or comes later; from any thread."""
        self._opened = True
        self._notice.check()

    def wait_reached(self, times: int = 1, timeout: float = 30.0) -> None:
        """Block until requests have come to this gate.

        Do not call it in the event loop that runs the client: that loop could not send the request.

        Args:
            times: How many arrivals to wait for.
            timeout: Longest wait in seconds.

        Raises:
            TimeoutError: Fewer requests came in time.
        """
        self._notice.wait(lambda: self._reached >= times, timeout, lambda: self._missed(times))

    async def wait_reached_async(self, times: int = 1, timeout: float = 30.0) -> None:
        """Suspend until requests have come to this gate.

        Args:
            times: How many arrivals to wait for.
            timeout: Longest wait in seconds.

        Raises:
            TimeoutError: Fewer requests came in time.
        """
        await self._notice.wait_async(lambda: self._reached >= times, timeout, lambda: self._missed(times))

    async def stand(self) -> None:
        """Report an arrival and wait until the gate is open; the provider's side of the gate."""
        with self._lock:
            self._reached += 1
        self._notice.check()
        await self._notice.until(lambda: self._opened)

    def _missed(self, times: int) -> str:
        return f"{self._reached} of {times} requests reached the gate {self.name!r}"

    def __repr__(self) -> str:
        return f"Gate({self.name!r}, opened={self._opened}, reached={self._reached})"
