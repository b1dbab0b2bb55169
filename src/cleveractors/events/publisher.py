"""Where the events of a run go: numbered as they are delivered, to one reader and any observers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cleveractors.abort import Aborted, AbortSignal, bounded
from cleveractors.events.envelope import EventOrigin, EventYield, ReactOutput, ResponseYield
from cleveractors.events.types import ReActEvent
from cleveractors.tasks import Feed

if TYPE_CHECKING:
    from cleveractors.events.observers import Observers

__all__ = ["Place", "Publisher"]


class Place(NamedTuple):
    """An agent call, as the parts of an `EventOrigin` around its number and tool call."""

    call: tuple[str, str]
    """Session and agent call."""
    kin: tuple[str | None, str | None, int, int | None, str | None, str | None, str | None]
    """The parent's call, and where a fork stands."""
    run: tuple[str, str | None]
    """The run, and the tool call that started it."""


class Publisher:
    """Delivers the events of one root run and of all that it causes.

    Args:
        feed: of the reader, or None where only observers listen.
        observers: of the executor, or None.
        chunks: whether model calls are streamed for it.
        stall: seconds after which a reader that takes nothing is taken for gone.
        on_stall: called then.
    """

    __slots__ = ("_feed", "_observers", "_on_stall", "_sequence", "_stall", "chunks")

    def __init__(
        self,
        feed: Feed[ReactOutput] | None,
        observers: Observers | None,
        *,
        chunks: bool,
        stall: float,
        on_stall: Callable[[], object] | None = None,
    ) -> None:
        self._feed = feed
        self._observers = observers
        self._stall = stall
        self._on_stall = on_stall
        self._sequence = 0
        self.chunks = chunks

    def deliver(self, event: ReActEvent, place: Place, tool: tuple[str | None, str | None]) -> bool:
        """Number an event and hand it over.

        Args:
            event: what happened.
            place: the agent call in which it did.
            tool: name and id of the tool call in which it did.

        Returns:
            Whether there is room for more.
        """
        self._sequence += 1
        placed = EventOrigin(*place.call, self._sequence, *place.kin, *tool, *place.run)
        if self._observers is not None:
            self._observers.notify(event, placed)
        if self._feed is None:
            return True
        return self._feed.put_nowait(EventYield(event, placed))

    def respond(self, response: ResponseYield) -> None:
        """Hand over the answer."""
        if self._feed is not None:
            self._feed.put_nowait(response)

    def leave(self) -> None:
        """Nobody reads any more; observers hear on."""
        if self._feed is not None:
            self._feed.leave()

    async def wait_for_room(self, signal: AbortSignal) -> None:
        """Wait until the reader has taken some, or has stalled, or the signal ends the run: what is left is little.

        Args:
            signal: of the run that waits.
        """
        if self._feed is None or signal.is_aborted:
            return
        with suppress(Aborted):
            try:
                async with bounded(signal, self._stall):
                    await self._feed.wait_for_room()
            except TimeoutError:
                if self._on_stall is not None:
                    self._on_stall()

    async def drain(self, seconds: float) -> None:
        """Give observers a moment to take what is theirs."""
        if self._observers is not None:
            await self._observers.drain(seconds)
