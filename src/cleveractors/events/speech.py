"""What one tool call says by itself, between its start and its end."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cleveractors.abort import bounded
    from cleveractors.events.types import CustomEvent
    from cleveractors.events.voice import Voice

__all__ = ["Speech"]

LOOK_SECONDS = 1.0
"""How often a thread that waits for the loop looks whether there still is one."""


class Speech:
    """The custom events of one tool call.

    Args:
        voice: of the agent whose call it is.
        name: the tool's.
        call_id: the call's.
    """

    __slots__ = (
        "_behind",
        "_call_id",
        "_ended",
        "_left",
        "_loop",
        "_name",
        "_since",
        "_voice",
        "arguments",
        "clock",
        "held",
    )

    def __init__(self, voice: Voice, name: str, call_id: str) -> None:
        self._voice = voice
        self._name = name
        self._call_id = call_id
        self._loop = asyncio.get_running_loop()
        self._ended = False
        self._behind = 0
        self._since = 0.0
        self._left: float | None = None
        self.arguments: dict[str, Any] | None = None
        """With what the call was told to have begun."""
        self.clock: bounded | None = None
        """The call's own clock, which stands still while the reader is waited for."""
        self.held = 0.0
        """Seconds for which the reader was waited for."""

    @property
    def tool(self) -> tuple[str, str]:
        """The tool's name, and the call's id."""
        return self._name, self._call_id

    def begin(self, arguments: dict[str, Any]) -> bool:
        """The call begins, unless it was told before; whether the reader has room for more."""
        if self.arguments is not None:
            return True
        self.arguments = arguments
        return self._voice.begin_call(self._name, self._call_id, arguments)

    def end(self) -> None:
        """The call has ended: what it says from now on is refused."""
        self._ended = True
        self.clock = None

    async def tell(self, event: CustomEvent) -> None:
        """Say it, and wait where the reader is behind."""
        placed = self._of_call(event)
        if self._voice.say(placed, self.tool):
            return
        self.pause()
        try:
            await self._voice.wait_for_room()
        finally:
            self.go_on()

    def say(self, event: CustomEvent) -> None:
        """Say it now, waiting for nobody; on the run's loop."""
        self._voice.say(self._of_call(event), self.tool)

    def say_from_thread(self, event: CustomEvent) -> None:
        """Say it from whichever thread; another than the loop's waits until it is said, and the reader has room."""
        placed = self._of_call(event)
        if _running_loop() is self._loop:
            self.say(placed)
            return
        said: Future[None] = Future()
        self._loop.call_soon_threadsafe(self._say_for, placed, said)
        while True:
            try:
                return said.result(LOOK_SECONDS)
            except TimeoutError:
                if self._loop.is_closed():
                    return

    def _say_for(self, event: CustomEvent, said: Future[None]) -> None:
        """On the loop; the call may have ended while the event travelled."""
        try:
            room = self._voice.say(self._of_call(event), self.tool)
        except RuntimeError as error:
            said.set_exception(error)
            return
        if room:
            said.set_result(None)
        else:
            self._voice.run.services.background.start(self._wait_for(said), f"events of {self._call_id}")

    async def _wait_for(self, said: Future[None]) -> None:
        self.pause()
        try:
            await self._voice.wait_for_room()
        finally:
            self.go_on()
            said.set_result(None)

    def pause(self) -> None:
        """Its clock stands still, until as many have let it go on as have held it."""
        if not self._behind:
            self._since = self._loop.time()
            self._left = None if self.clock is None else self.clock.pause()
        self._behind += 1

    def go_on(self) -> None:
        """Its clock goes on, when nobody else holds it."""
        self._behind -= 1
        if self._behind:
            return
        self.held += self._loop.time() - self._since
        if self.clock is not None:
            self.clock.restart(self._left)

    def _of_call(self, event: CustomEvent) -> CustomEvent:
        if self._ended:
            raise RuntimeError(f"tool call {self._call_id!r} has ended: it can emit no more events")
        if event.tool_call_id is None:
            return replace(event, tool_call_id=self._call_id)
        if event.tool_call_id != self._call_id:
            raise ValueError(f"the event names tool call {event.tool_call_id!r}, but {self._call_id!r} runs here")
        return event


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
