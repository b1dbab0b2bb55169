"""Messages as they appear: what a display hook is shown, and when."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, NamedTuple

from cleveractors.hooks.hook import Hook
from cleveractors.hooks.payloads import DisplayOutcome
from cleveractors.identifiers import new_id

__all__ = ["DEBOUNCE", "DRAIN", "Display", "Frame", "Message", "Window", "open_window", "step"]

DEBOUNCE = 0.2
"""Seconds between two payloads of a message."""
DRAIN = 5.0
"""Seconds that a run waits for its final payloads, all together."""

_log = logging.getLogger("cleveractors")


class Window(NamedTuple):
    """What has come of an attempt's text, and what of it was shown when."""

    text: str
    shown: str
    since: float


def open_window(now: float) -> Window:
    """An attempt begins: nothing has come, nothing was shown."""
    return Window("", "", now)


def step(window: Window, chunk: str, now: float) -> tuple[Window, bool]:
    """Take a chunk; True when the text is to be shown now.

    There is no timer: within `DEBOUNCE` of the last showing, text waits for the next chunk or the end.
    """
    text = window.text + chunk
    due = text != window.shown and now - window.since >= DEBOUNCE and not text.isspace()
    return (Window(text, text, now) if due else window._replace(text=text)), due


class Frame(NamedTuple):
    """One showing of a message."""

    message_id: str
    displayed_text: str
    is_final: bool
    attempt: int
    seq: int
    outcome: DisplayOutcome | None = None


Deliver = Callable[[Hook, Frame], "Awaitable[object]"]
Start = Callable[[Coroutine[Any, Any, None], str], "asyncio.Task[None]"]


class Display:
    """The messages of one run, its children included, and the one budget for the wait at its end.

    Args:
        start: starts a task that outlives whoever started it.
        clock: seconds, monotonic.
        budget: seconds that all waits together may take.
    """

    __slots__ = ("_began", "_budget", "_finals", "_messages", "_total", "_waiting", "_warned", "clock", "start")

    def __init__(self, start: Start, clock: Callable[[], float] = time.monotonic, budget: float = DRAIN) -> None:
        self.start = start
        self.clock = clock
        self._budget = self._total = budget
        self._began = 0.0
        self._waiting = 0
        self._warned = False
        self._finals: set[asyncio.Task[None]] = set()
        self._messages: set[Message] = set()

    def message(self, hooks: Sequence[Hook], deliver: Deliver) -> Message:
        """A model call begins."""
        message = Message(self, hooks, deliver)
        self._messages.add(message)
        return message

    def closed(self, message: Message) -> None:
        """A message will show nothing more."""
        self._messages.discard(message)

    def follow(self, final: asyncio.Task[None]) -> None:
        """Wait for this one at the end."""
        self._finals.add(final)
        final.add_done_callback(self._finals.discard)

    def cancel(self) -> None:
        """The run was cancelled: no finals, and nothing that waits its turn."""
        for message in list(self._messages):
            message.drop()

    async def drain(self, at_most: float | None = None) -> None:
        """Wait for final payloads that are on their way, as long as the run's budget lasts.

        Cancelling the wait ends no delivery; one that is late goes on by itself.
        """
        if not self._finals:
            return
        if not self._waiting:
            self._began = self.clock()
        self._waiting += 1
        try:
            left = self._budget - (self.clock() - self._began)
            seconds = max(left if at_most is None else min(left, at_most), 0)
            _, late = await asyncio.wait(set(self._finals), timeout=seconds)
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._budget = max(self._budget - (self.clock() - self._began), 0)
        if late and not self._warned:
            self._warned = True
            _log.warning("message_display: the run goes on without %d final payloads, not delivered in time", len(late))


class Message:
    """The text of one model call, over all its attempts.

    Args:
        display: the run's.
        hooks: whom it is shown to.
        deliver: shows it to one.
    """

    __slots__ = ("__weakref__", "_attempt", "_closed", "_deliver", "_display", "_id", "_lanes", "_seq", "_window")

    def __init__(self, display: Display, hooks: Sequence[Hook], deliver: Deliver) -> None:
        self._display = display
        self._deliver = deliver
        self._lanes = [_Lane(self, hook) for hook in hooks]
        self._id = new_id()
        self._attempt = 0
        self._seq = 0
        self._closed = False
        self._window = open_window(display.clock())

    @property
    def display(self) -> Display:
        """The run's messages."""
        return self._display

    def start(self) -> None:
        """A physical attempt begins: text that came before is void, also what waits its turn."""
        self._attempt += 1
        self._window = open_window(self._display.clock())
        self._forget()

    def add(self, text: str) -> None:
        """Text has come."""
        if self._closed or not text:
            return
        self._window, due = step(self._window, text, self._display.clock())
        if due:
            frame = self._frame(None)
            for lane in self._lanes:
                lane.show(frame)

    def close(self, outcome: DisplayOutcome) -> None:
        """The message has ended: its last payload goes out at once, beside one that is on its way."""
        if self._closed:
            return
        self.drop()
        text = self._window.text
        if self._seq or (text and not text.isspace()):
            frame = self._frame(outcome)
            for lane in self._lanes:
                self._display.follow(self._display.start(self.deliver(lane.hook, frame), "message_display"))

    def drop(self) -> None:
        """Nothing more is shown."""
        self._closed = True
        self._forget()
        self._display.closed(self)

    async def deliver(self, hook: Hook, frame: Frame) -> None:
        """Show a frame to one hook."""
        await self._deliver(hook, frame)

    def _frame(self, outcome: DisplayOutcome | None) -> Frame:
        self._seq += 1
        return Frame(self._id, self._window.text, outcome is not None, self._attempt, self._seq, outcome)

    def _forget(self) -> None:
        for lane in self._lanes:
            lane.waiting = None


class _Lane:
    """One hook of a message: one payload on its way, and the newest of those that wait."""

    __slots__ = ("_busy", "_message", "hook", "waiting")

    def __init__(self, message: Message, hook: Hook) -> None:
        self._message = message
        self._busy = False
        self.hook = hook
        self.waiting: Frame | None = None

    def show(self, frame: Frame) -> None:
        if self._busy:
            self.waiting = frame
            return
        self._busy = True
        self._message.display.start(self._pump(frame), "message_display")

    async def _pump(self, first: Frame) -> None:
        frame: Frame | None = first
        try:
            while frame is not None:
                await self._message.deliver(self.hook, frame)
                frame, self.waiting = self.waiting, None
        finally:
            self._busy = False
