"""Readers that are slow, stall or come back, observers of all kinds, and streams in numbers."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import is_dataclass
from typing import Any
from unittest import mock

from cleveractors import ActorResult, EventOrigin, ReActEvent, ReactOutput, create_executor, is_event_yield
from cleveractors.events import envelope, types
from cleveractors.testing import ScriptedChatModel, ScriptedTurn, call
from features.lib.events_rules import check_order, check_stream
from features.lib.events_story import EventStory
from features.lib.events_tools import look

__all__ = ["Behind", "count_events", "observer_that", "read_many"]

TURNS = 200
"""Rounds of the loop in which all that can go on goes on."""
FULL = 240
"""Events that wait for a reader when the run is about to wait for it."""


async def settle_down() -> None:
    """Let everything run that can."""
    for _ in range(TURNS):
        await asyncio.sleep(0)


@contextmanager
def later(seconds: float) -> Generator[None]:
    """The loop's time, so much later."""
    loop = asyncio.get_running_loop()
    real = loop.time
    setattr(loop, "time", lambda: real() + seconds)  # noqa: B010 - a method of the loop's, in this story alone
    try:
        yield
    finally:
        setattr(loop, "time", real)  # noqa: B010 - likewise


class Behind:
    """A reader of a stream that is behind.

    Args:
        story: of the stream.
    """

    def __init__(self, story: EventStory) -> None:
        self._story = story
        self._billed = asyncio.Event()
        self.bill: ActorResult[Any] | None = None
        self.most_waiting = 0
        story.house["on_result"] = self._take_bill

    def _take_bill(self, bill: ActorResult[Any]) -> None:
        self.bill = bill
        self._loop.call_soon_threadsafe(self._billed.set)

    async def pause(self, after: int, seconds: float) -> None:
        """Read so many events, let the run go as far as it can, let time pass, and read the rest."""
        stream = await self._read_some(after)
        await self._until_full()
        with later(seconds):
            await settle_down()
            await self.come_back()
            self._story.result = stream.result
        check_stream(self._story.outputs, self._story.result)

    async def dawdle(self, after: int) -> None:
        """Read so many events, let the run go as far as it can, and read the rest."""
        stream = await self._read_some(after)
        for _ in range(10):
            await settle_down()
        await self.come_back()
        self._story.result = stream.result
        check_stream(self._story.outputs, self._story.result)

    async def _read_some(self, count: int, **options: Any) -> Any:
        self._loop = asyncio.get_running_loop()
        stream = self._story.begin(streamed=False, **options)
        while len(self._story.outputs) < count:
            self._story.outputs.append(await anext(stream))
        return stream

    async def _until_full(self) -> None:
        """Until the run waits for its reader."""
        while self._waiting < FULL:
            await asyncio.to_thread(lambda: None)
        await settle_down()
        self.most_waiting = self._waiting

    @property
    def _waiting(self) -> int:
        return self._story.tools.told - len(self._story.outputs)

    async def stall(self, after: int, policy: Any) -> None:
        """Read so many events, then nothing until the bill has come."""
        await self._read_some(after, on_disconnect=policy)
        await self._billed.wait()

    async def abort(self) -> None:
        """Abort the run while it waits, and read nothing until the bill has come."""
        stream = await self._read_some(1)
        await self._until_full()
        stream.abort("enough")
        await self._billed.wait()

    async def come_back(self) -> None:
        """Read what there still is."""
        async for output in self._story.stream:
            self._story.outputs.append(output)


def observer_that(way: str) -> Callable[[ReActEvent, EventOrigin], Any]:
    """An observer that `raises` or `hangs`."""

    async def observe(event: ReActEvent, origin: EventOrigin) -> None:
        if way == "raises":
            raise ValueError("an observer fails")
        await asyncio.Future[None]()

    return observe


@contextmanager
def count_events() -> Generator[Counter[str]]:
    """Count every event, origin and output that is built meanwhile."""
    counted: Counter[str] = Counter()
    with ExitStack() as patches:
        for kind in (*vars(types).values(), *vars(envelope).values()):
            if isinstance(kind, type) and is_dataclass(kind):
                patches.enter_context(mock.patch.object(kind, "__init__", _counting(kind, counted)))
        yield counted


def _counting(kind: type[Any], counted: Counter[str]) -> Callable[..., None]:
    build = kind.__init__

    def counting(self: object, *parts: Any, **named: Any) -> None:
        counted[kind.__name__] += 1
        build(self, *parts, **named)

    return counting


async def read_many(count: int) -> None:
    """Read so many streams of one executor at once, each with figures of its own."""
    bills: list[ActorResult[Any]] = []
    figures = iter(range(1, 2 * count + 1))

    def answer(messages: list[Any]) -> ScriptedTurn:
        number = next(figures)
        asking = messages[-1].type == "human"
        calls = [call("look", word=messages[-1].text)] if asking else []
        return ScriptedTurn(text="" if asking else messages[-1].text, calls=calls, usage=(number, 1))

    async def one(number: int) -> list[ReactOutput]:
        async with executor.execute_events(f"word {number}", stream=bool(number % 2)) as stream:
            outputs = [output async for output in stream]
        assert not is_event_yield(outputs[-1]) and outputs[-1].response == f"word {number} is a word"
        check_stream(outputs, stream.result)
        return outputs

    agent = {"provider": "house", "model": "scripted", "tools": ["look"]}
    house = {"house": ScriptedChatModel(answer)}
    async with create_executor(
        {"agents": {"main": agent}}, tools=[look], models=house, on_result=bills.append
    ) as executor:
        streams = await asyncio.gather(*(one(number) for number in range(count)))
    check_order([output for outputs in streams for output in outputs if is_event_yield(output)])
    assert sum(bill.prompt_tokens for bill in bills) == sum(range(1, 2 * count + 1))
    assert len({bill.run_id for bill in bills}) == count
    assert len(asyncio.all_tasks()) == 1, asyncio.all_tasks()
