"""Where the events of a run go: numbered as they are delivered, to one reader and any observers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from cleveractors.events.envelope import EventOrigin, EventYield, ReactOutput, ResponseYield
from cleveractors.events.types import ReActEvent
from cleveractors.tasks import Feed

if TYPE_CHECKING:
    from cleveractors.events.observers import Observers

__all__ = ["STALL_SECONDS", "Publisher"]

STALL_SECONDS = 30.0
"""A reader that takes nothing for so long is taken for gone."""


class Publisher:
    """Delivers the events of one root run and of all that it causes.

    Args:
        feed: of the reader, or None where only observers listen.
        observers: of the executor, or None.
        chunks: whether model calls are streamed for it.
        on_stall: called when the reader has stalled.
    """

    __slots__ = ("_feed", "_observers", "_on_stall", "_sequence", "chunks", "held")

    def __init__(
        self,
        feed: Feed[ReactOutput] | None,
        observers: Observers | None,
        *,
        chunks: bool,
        on_stall: Callable[[], object] | None = None,
    ) -> None:
        self._feed = feed
        self._observers = observers
        self._on_stall = on_stall
        self._sequence = 0
        self.chunks = chunks
        self.held = 0.0
        """Seconds for which deliveries waited for the reader; they count on no clock."""

    def deliver(self, event: ReActEvent, origin: tuple[object, ...], tool: tuple[str | None, str | None]) -> bool:
        """Number an event and hand it over.

        Args:
            event: what happened.
            origin: the origin's fields before and after the number, see `Voice`.
            tool: name and id of the call in which it arose.

        Returns:
            Whether there is room for more.
        """
        self._sequence += 1
        session_id, call_id, *rest = origin
        before, after = rest[:6], rest[6:]
        placed = EventOrigin(session_id, call_id, self._sequence, *before, *tool, *after)  # type: ignore[arg-type]  # Voice orders them
        if self._observers is not None:
            self._observers.notify(event, placed)
        if self._feed is None:
            return True
        return self._feed.put_nowait(EventYield(event, placed))

    def respond(self, response: ResponseYield) -> None:
        """Hand over the answer."""
        if self._feed is not None:
            self._feed.put_nowait(response)

    async def wait_for_room(self) -> None:
        """Wait until the reader has taken some; one that stalls is left behind."""
        if self._feed is None:
            return
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            async with asyncio.timeout(STALL_SECONDS):
                await self._feed.wait_for_room()
        except TimeoutError:
            self._feed.leave()
            if self._on_stall is not None:
                self._on_stall()
        finally:
            self.held += loop.time() - began

    async def drain(self, seconds: float) -> None:
        """Give observers a moment to take what is theirs."""
        if self._observers is not None:
            await self._observers.drain(seconds)
