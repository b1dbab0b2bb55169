"""Sinks of a host that fail in every way, and what the library wrote instead."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from cleveractors import FatalToolError, InvocationRecord, Required, RunContext
from cleveractors.testing import Turn
from features.lib.bench import Bench, Odd, Seen, Ways


def of_kind(bench: Bench, kind: str) -> Callable[[Any], Any]:
    """A sink that works, in one of the forms that a host may give."""

    async def take(result: Any) -> None:
        await asyncio.sleep(0)
        bench.note_bill(result)

    async def take_with(bills: list[Any], result: Any) -> None:
        bills.append(result)

    class Sink:
        async def __call__(self, result: Any) -> None:
            await take(result)

    kinds: dict[str, Callable[[Any], Any]] = {
        "a function": bench.note_bill,
        "a coroutine function": take,
        "an object with a coroutine": Sink(),
        "a partial of a coroutine": partial(take_with, bench.bills),
    }
    return kinds[kind]


def failing(bench: Bench, times: int, error: type[BaseException] = Odd) -> Callable[[Any], Any]:
    """An `on_result` that raises so many times; its calls are noted."""
    calls: list[Any] = []

    async def take(result: Any) -> None:
        calls.append(result)
        if len(calls) <= times:
            raise error("no")
        bench.note_bill(result)

    bench.notes.append(calls)
    return take


def hanging(bench: Bench) -> Callable[[Any], Any]:
    """A sink that never returns."""
    calls: list[Any] = []

    async def take(value: Any) -> None:
        calls.append(value)
        await asyncio.get_running_loop().create_future()

    bench.notes.append(calls)
    return take


def usage_sink(bench: Bench, fails: str) -> Callable[[Any], Any]:
    """An `on_usage` that fails on every row."""
    if fails == "hangs":
        return hanging(bench)
    return failing(bench, 1000, asyncio.CancelledError if fails.endswith("CancelledError") else Odd)


def required(bench: Bench, state: str) -> Required:
    """A required sink that fails on rows in this state."""

    def take(row: InvocationRecord) -> None:
        if row.state == state:
            raise Odd(state)
        bench.note_row(row)

    return Required(take)


def late(bench: Bench) -> Callable[[Any], Any]:
    """An `on_usage` that raises as soon as it is released."""
    begun, released = asyncio.Event(), asyncio.Event()

    async def take(row: Any) -> None:
        begun.set()
        await released.wait()
        raise Odd("late")

    bench.notes += [begun, released]
    return take


def slow_with_tools(bench: Bench) -> Callable[[Any], Any]:
    """An `on_usage` that takes rows of tools when it is released."""
    begun, released = asyncio.Event(), asyncio.Event()

    async def take(row: InvocationRecord) -> None:
        if row.purpose == "tool":
            begun.set()
            await released.wait()
        bench.note_row(row)

    bench.notes += [begun, released]
    return take


def clinging(bench: Bench) -> Callable[[Any], Any]:
    """An `on_result` that ends when the scenario does."""
    released = asyncio.Event()
    ended = asyncio.Event()

    async def take(result: Any) -> None:
        while not released.is_set():
            with suppress(asyncio.CancelledError):
                await released.wait()
        ended.set()

    async def release() -> None:
        released.set()
        await ended.wait()
        # Its task has a step to go.
        await asyncio.sleep(0)

    bench.world.defer(release)
    return take


def use_spender_at_the_end(bench: Bench, times: int) -> None:
    """A tool that pays often, and then ends the run: nothing delivers its rows before the end."""

    async def spend(context: RunContext[Any]) -> str:
        """Spends."""
        for _ in range(times):
            context.report_usage(model="search-1", prompt_tokens=1)
        raise FatalToolError("the purse is gone")

    bench.keys["tools"] = ["spend"]
    bench.tools.append(spend)
    ask_for(bench, "spend")


async def cancel_in_delivery(bench: Bench) -> Ways:
    """Cancel the run while `on_usage` has its first row."""
    begun, released = bench.notes[-2:]
    task = asyncio.create_task(bench.observe(bench.ask))
    await begun.wait()
    task.cancel()
    await asyncio.sleep(0)
    released.set()
    return await task


def use_spending_tool(bench: Bench, prompt: int, completion: int) -> None:
    """A tool that pays for something by itself."""

    async def spend(context: RunContext[Any]) -> str:
        """Spends."""
        context.report_usage(model="search-1", prompt_tokens=prompt, completion_tokens=completion)
        return "spent"

    bench.keys["tools"] = [*bench.keys.get("tools", ()), "spend"]
    bench.tools.append(spend)


def ask_for(bench: Bench, name: str, *more: Turn) -> None:
    """Have the provider forget its script and ask for one tool."""
    bench.provider.reset()
    bench.provider.script(Turn(calls=[(name, {})], prompt_tokens=50, completion_tokens=5), *more)


def lines(records: list[Any]) -> list[Any]:
    """The log's records among what was noted."""
    return [record for record in records if hasattr(record, "levelname")]


def told(record: Any) -> dict[str, Any]:
    """The JSON of a log line."""
    text: str = record.getMessage()
    return json.loads(text[text.index("{") :])


def order(seen: list[Seen], columns: list[str]) -> list[list[str]]:
    """What `on_usage` saw, as a table writes it."""
    return [[str(one.arrived if name == "arrived" else getattr(one.row, name)) for name in columns] for one in seen]
