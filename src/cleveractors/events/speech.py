"""What one tool call says by itself, between its start and its end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from cleveractors.events.types import CustomEvent

if TYPE_CHECKING:
    from cleveractors.abort import bounded
    from cleveractors.events.voice import Voice

__all__ = ["Speech"]


class Speech:
    """The custom events of one tool call.

    Args:
        voice: of the agent whose call it is.
        name: the tool's.
        call_id: the call's.
    """

    __slots__ = ("_call_id", "_ended", "_loop", "_name", "_voice", "clock")

    def __init__(self, voice: Voice, name: str, call_id: str) -> None:
        self._voice = voice
        self._name = name
        self._call_id = call_id
        self._loop = asyncio.get_running_loop()
        self._ended = False
        self.clock: bounded | None = None
        """The call's own clock, which stands still while the reader is waited for."""

    @property
    def voice(self) -> Voice:
        """Of the agent whose call it is."""
        return self._voice

    @property
    def call_id(self) -> str:
        """The call's id."""
        return self._call_id

    def end(self) -> None:
        """The call has ended: what it says from now on is refused."""
        self._ended = True

    async def tell(self, event: CustomEvent) -> None:
        """Say it, and wait where the reader is behind."""
        placed = self._of_call(event)
        if self._voice.say(placed, (self._name, self._call_id)):
            return
        left = None if self.clock is None else self.clock.pause()
        await self._voice.wait_for_room()
        if self.clock is not None:
            self.clock.restart(left)

    def say(self, event: CustomEvent) -> None:
        """Say it now, waiting for nobody; on the run's loop."""
        self._voice.say(self._of_call(event), (self._name, self._call_id))

    def say_from_thread(self, event: CustomEvent) -> None:
        """Say it on the run's loop, from whichever thread."""
        placed = self._of_call(event)
        self._loop.call_soon_threadsafe(self._voice.say, placed, (self._name, self._call_id))

    def _of_call(self, event: CustomEvent) -> CustomEvent:
        if self._ended:
            raise RuntimeError(f"tool call {self._call_id!r} has ended: it can emit no more events")
        if event.tool_call_id is None:
            return CustomEvent(event.event_name, event.data, self._call_id)
        if event.tool_call_id != self._call_id:
            raise ValueError(f"the event names tool call {event.tool_call_id!r}, but {self._call_id!r} runs here")
        return event
