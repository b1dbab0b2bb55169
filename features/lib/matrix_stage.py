"""One cell of the fault matrix: an actor at a provider that bills like a real one, brought to one place of a run."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from cleveractors import ActorResult, Budget, InvocationRecord
from cleveractors.testing import RecordedRequest, Turn
from features.lib.bench import Bench, Odd, soon
from features.lib.world import World

__all__ = ["MODES", "PLACES", "Mode", "Place", "Stage", "asking", "saying"]

Mode = Literal["blocking", "answer", "tokens"]
Place = Literal["first", "middle", "synthesis"]
MODES: tuple[Mode, ...] = ("blocking", "answer", "tokens")
PLACES: tuple[Place, ...] = ("first", "middle", "synthesis")

TEXT = "It rains in the hills, and it will go on raining until the evening. Take the long coat, and a hat."
CITIES = ("Paris", "Lyon", "Nantes", "Lille")
CEILING = 1_000_000


def saying(**more: Any) -> Turn:
    """An answer in words."""
    return Turn(TEXT, **more)


def asking(tool: str = "get_weather", text: str | None = None, **more: Any) -> Turn:
    """A response that asks for a tool."""
    arguments = {"city": "Paris, the part on the left bank"} if tool in ("get_weather", "fails") else {}
    return Turn(text, calls=[(tool, arguments)], **more)


class Stage(Bench):
    """One cell: what it is about, and what was seen.

    Args:
        world: ends whatever was begun.
        mode: how the run is asked.
        place: the model call that it is about.
    """

    def __init__(self, world: World, mode: Mode, place: Place) -> None:
        super().__init__(world)
        self.mode: Mode = mode
        self.place: Place = place
        self.budget = Budget(max_tokens=CEILING, name="house")
        self.keys |= {"parameters": {"max_tokens": 4000}, "retry": {"attempts": 2, "initial": 0, "maximum": 0}}
        self.keys["tools"] = ["get_weather", "fails", "waits"]
        self.tools += [_get_weather, _fails, self.waits]
        self.options |= {"budgets": [self.budget], "on_usage": self.take_row, "on_result": self.take_bill}
        if mode == "tokens":
            self.run_options["streaming"] = "tokens"
        if place == "synthesis":
            self.keys["tool_max_rounds"] = 1
        self.turns: deque[Turn] = deque()
        self.rest: Turn = saying()
        self.interrupted = False
        """Whether it was ended by SIGINT: asyncio.run then raises KeyboardInterrupt."""
        self.in_tool, self.released = asyncio.Event(), asyncio.Event()
        self.threads = set(threading.enumerate())
        self.provider.respond(self.respond)

    # The provider

    def respond(self, request: RecordedRequest) -> Turn:
        """The next turn; a real provider bills what it was sent, tools included."""
        turn = self.turns.popleft() if self.turns else self.rest
        if request.tool_choice == "none":
            turn = replace(turn, calls=())
        sent = [request.body.get(part) for part in ("messages", "tools")]
        size = sum(len(json.dumps(part, ensure_ascii=False, separators=(",", ":")).encode()) for part in sent if part)
        return replace(turn, prompt_tokens=-(-size // 4))

    def script(self, turns: Sequence[Turn], rest: Turn) -> None:
        """Bring the run to its place; there it gets these turns, and after them the rest for ever."""
        asks = [Turn(calls=[("get_weather", {"city": city})]) for city in CITIES[: self.before]]
        self.turns, self.rest = deque([*asks, *turns]), rest

    @property
    def before(self) -> int:
        """Model calls before the one that the cell is about."""
        return PLACES.index(self.place)

    @property
    def settled(self) -> int:
        """Settled rows that `on_usage` has seen."""
        return sum(seen.row.state == "settled" for seen in self.seen)

    @property
    def streamed(self) -> bool:
        """Whether the provider streams."""
        return self.mode == "tokens"

    # The host

    async def waits(self) -> str:
        """Waits until somebody releases it."""
        self.in_tool.set()
        await self.released.wait()
        return "released"

    async def take_row(self, row: InvocationRecord) -> None:
        """`on_usage`."""
        self.note_row(row)

    async def take_bill(self, result: ActorResult[Any]) -> None:
        """`on_result`."""
        self.note_bill(result)

    async def work(self) -> ActorResult[Any]:
        """The run, as its mode asks for it."""
        return await (self.ask() if self.mode == "blocking" else self.read())

    async def settle(self, *, left: bool) -> None:
        """Let everything come to rest: the bill, the run's tasks, the provider.

        Args:
            left: whether the call was cut; its connection, which nobody else uses, is closed then.
        """
        if left:
            await self.provider.wait_closed_async()
        self.gate.open()
        await soon(lambda: bool(self.bills))
        own = asyncio.current_task()
        await soon(lambda: not [task for task in asyncio.all_tasks() if task is not own and _is_ours(task)])
        await self.provider.wait_settled_async(sum(one.method == "POST" for one in self.provider.requests))


def _is_ours(task: asyncio.Task[Any]) -> bool:
    return "run " in task.get_name() or "tools of" in task.get_name() or "on_" in task.get_name()


async def _get_weather(city: str) -> str:
    """The weather of a city."""
    return f"rain in {city}"


async def _fails(city: str) -> str:
    """A tool that always fails."""
    raise Odd(city)


_get_weather.__name__, _fails.__name__ = "get_weather", "fails"
