"""The tools of scenarios about the loop: each does one thing that a tool may do to a loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from cleveractors import ConfigurationError, FatalToolError, RunContext, ToolRetry, tool

__all__ = ["LABEL", "Bench"]

LABEL: ContextVar[str] = ContextVar("label", default="none")


class Place(BaseModel):
    """What a tool may return."""

    city: str
    rooms: int


GIFTS: dict[str, object] = {
    "text": "plain\ntext",
    "number": 5,
    "nothing": None,
    "list": [1, "a"],
    "mapping": {"city": "Paris"},
    "model": Place(city="Paris", rooms=3),
    "blocks": [{"type": "text", "text": "seen"}],
    "error": ValueError("bad"),
}


@dataclass
class Bench:
    """The tools of one scenario, and what they saw."""

    log: list[str] = field(default_factory=list[str])
    """What they did, in order."""
    entered: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when `waits` has been called."""
    leave: asyncio.Event = field(default_factory=asyncio.Event)
    """Lets `waits` go on."""
    filler: str = "abc"
    """What `fills` returns again and again."""
    peak: int = 0
    """The most calls of `crowd` that ran at a time."""
    _inside: int = 0

    def pick(self, names: Sequence[str]) -> list[Callable[..., Any]]:
        """The tools of these names."""
        return [getattr(self, name) for name in names]

    async def echo(self, text: str = "echo") -> str:
        """Say it again."""
        self.log.append(f"echo {text}")
        return text

    async def needs(self, city: str) -> str:
        """Can't do without a city."""
        self.log.append(f"needs {city}")
        return city

    async def big(self, size: int = 10_000) -> str:
        """Return that many letters."""
        return "abcdefghi " * (size // 10) + "x" * (size % 10)

    async def fills(self, size: int) -> str:
        """Return that many letters of the scenario's text."""
        return (self.filler * (size // len(self.filler) + 1))[:size]

    async def fails(self) -> str:
        """Fail."""
        raise ValueError("out of paper")

    async def asks(self) -> str:
        """Ask for another try."""
        raise ToolRetry("give a city in France")

    async def rants(self, way: str) -> str:
        """Fail at great length."""
        text = "why " * 10_000
        raise ToolRetry(text) if way == "asks" else ValueError(text)

    async def fatal(self) -> str:
        """End the run."""
        raise FatalToolError("the database is gone")

    async def misled(self) -> str:
        """Find that the host has set up something wrong."""
        raise ConfigurationError("no database is configured")

    async def cancels(self) -> str:
        """Raise a cancellation that nobody asked for."""
        raise asyncio.CancelledError

    async def impatient(self) -> str:
        """Give up by a clock of its own."""
        raise TimeoutError

    async def hangs(self) -> str:
        """Never return."""
        await asyncio.Event().wait()
        return "never"

    async def waits(self) -> str:
        """Wait to be let go on."""
        self.entered.set()
        try:
            await self.leave.wait()
        except asyncio.CancelledError:
            self.log.append("waits was cancelled")
            raise
        self.log.append("waits went on")
        return "went on"

    async def lets_go(self) -> str:
        """Let `waits` go on."""
        await self.entered.wait()
        self.log.append("lets_go")
        self.leave.set()
        return "let go"

    async def crowd(self) -> str:
        """Count who is here at the same time."""
        self._inside += 1
        self.peak = max(self.peak, self._inside)
        for _ in range(20):
            await asyncio.sleep(0)
        self._inside -= 1
        return "left"

    @tool(repeatable=True)
    async def poll(self) -> str:
        """Look whether it is done."""
        return "not yet"

    @tool(max_uses=2)
    async def rare(self) -> str:
        """May be used twice."""
        self.log.append("rare")
        return "used"

    @tool(timeout=0.05)
    async def brief(self) -> str:
        """Never return, and have a clock of its own."""
        await asyncio.Event().wait()
        return "never"

    def threaded(self) -> str:
        """Say where it runs, and what it sees there."""
        away = threading.current_thread() is not threading.main_thread()
        return f"{'a thread' if away else 'the loop'}, label {LABEL.get()}"

    async def gives(self, kind: str) -> object:
        """Return something of a kind."""
        return GIFTS[kind]

    async def spends(self, context: RunContext[Any]) -> str:
        """Pay for something by itself."""
        context.report_usage(model="search", prompt_tokens=30, completion_tokens=4)
        return "paid"

    async def thinks(self, context: RunContext[Any]) -> str:
        """Ask the model by itself."""
        from langchain_core.messages import HumanMessage

        return (await context.call_model([HumanMessage("think")])).text

    async def aborts(self, context: RunContext[Any]) -> str:
        """Abort the run, and go on as if nothing had been."""
        context.abort_signal.abort("the tool said so")
        self.log.append("aborts")
        return "aborted it"
