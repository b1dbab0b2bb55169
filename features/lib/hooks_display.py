"""The story of a message as a display hook is shown it: a clock of its own, deliveries that wait until let go."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cleveractors.exceptions import LimitReached
from cleveractors.hooks.display import Display, Frame, Message
from cleveractors.hooks.hook import Hook, make_hook
from cleveractors.hooks.listening import HookListener
from cleveractors.hooks.points import POINTS
from cleveractors.tasks import Background
from features.lib.hooks import HooksWorld, settle

__all__ = ["Show", "show_of"]


class _Nothing:
    name = "nothing"

    async def answer(self, payload: object, grace: float) -> None:
        """Answer nothing."""


@dataclass
class Show:
    """One run's messages, and what was shown of them."""

    now: float = 0.0
    slow: bool = False
    """Whether a delivery waits until it is let go."""
    shown: list[Frame] = field(default_factory=list[Frame])
    waiting: list[asyncio.Event] = field(default_factory=list[asyncio.Event])
    background: Background = field(default_factory=Background)
    hooks: list[Hook] = field(default_factory=lambda: [make_hook(POINTS["message_display"], _Nothing())])
    message: Message | None = None
    _display: Display | None = None

    @property
    def display(self) -> Display:
        """The run's messages."""
        if self._display is None:
            self._display = Display(self.background.start, lambda: self.now)
        return self._display

    async def deliver(self, hook: Hook, frame: Frame) -> None:
        """Show a frame."""
        self.shown.append(frame)
        if self.slow:
            self.waiting.append(asyncio.Event())
            await self.waiting[-1].wait()

    async def play(self, script: str) -> None:
        """Do what a script says: a time and a word a line."""
        self.message = self.message or self.display.message(self.hooks, self.deliver)
        for line in script.splitlines():
            at, word, *rest = line.split(" ", 2)
            self.now = float(at)
            self._do(self.message, word, rest[0] if rest else "")
            await settle()

    def _do(self, message: Message, word: str, rest: str) -> None:
        actions: Mapping[str, Callable[[], object]] = {
            "start": message.start,
            "text": lambda: message.add(rest),
            "blank": lambda: message.add("\n \n"),
            "close": lambda: message.close(rest),  # pyright: ignore[reportArgumentType] - a scenario writes it
            "cancel": self.display.cancel,
            "release": lambda: self.waiting.pop(0).set(),
            "another": self._another,
        }
        actions[word]()

    def _another(self) -> None:
        self.message = self.display.message(self.hooks, self.deliver)

    async def drain(self, times: int) -> float:
        """Wait for finals, so many at once, with the run's real clock; the seconds that it took."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        await asyncio.gather(*(self.display.drain() for _ in range(times)))
        return loop.time() - began

    async def close(self) -> None:
        """Let go what waits."""
        for event in self.waiting:
            event.set()
        await self.background.drain(0)


def show_of(context: object) -> Show:
    """Find the scenario's, or begin one."""
    found = getattr(context, "hooks_show", None)
    if found is None:
        found = Show()
        getattr(context, "world").defer(found.close)  # noqa: B009 - behave's context has no types
        setattr(context, "hooks_show", found)  # noqa: B010 - likewise
    return found


async def stream(story: HooksWorld, script: str) -> None:
    """Have a listener follow the model calls of a conversation, one word a line."""
    from langchain_core.messages import AIMessage, AIMessageChunk

    listener = HookListener(story.run_hooks, story.context)
    row = story.context.run.row(agent="main", provider="openai", model="m", purpose="turn", round=1)

    for line in script.splitlines():
        word, _, rest = line.partition(" ")
        if word == "start":
            row.round, row.attempt = int(rest or 1), row.attempt + 1
            await listener.started(row, [])
        elif word in ("text", "thought"):
            content: Any = rest if word == "text" else [{"type": "reasoning", "reasoning": rest}]
            await listener.chunk(AIMessageChunk(content=content))
        elif word == "fail":
            await listener.failed(row, ConnectionError(rest), will_retry=True)
        elif word == "end":
            await listener.ended(row, AIMessage("", response_metadata={"finish_reason": rest or "stop"}))
        else:
            listener.over(_ENDINGS[rest]())
        await settle()
    await story.run_hooks.drain_messages(story.context)


_ENDINGS: Mapping[str, Callable[[], BaseException]] = {
    "error": lambda: ConnectionError("gone"),
    "aborted": lambda: LimitReached("aborted", "enough"),
    "cancelled": asyncio.CancelledError,
}


def described(frame: Any, columns: list[str]) -> dict[str, str]:
    """A frame as a table's row."""
    values = {
        "attempt": str(frame.attempt),
        "seq": str(frame.seq),
        "text": frame.displayed_text,
        "final": "yes" if frame.is_final else "",
        "outcome": frame.outcome or "",
    }
    return {column: values[column] for column in columns}
