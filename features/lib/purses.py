"""Budgets that many share, runs that wait for room in them, and spend that nobody had reserved."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from cleveractors import (
    AbortSignal,
    ActorResult,
    Budget,
    InvocationRecord,
    Limits,
    ModelSpec,
    RunContext,
    ScriptedChatModel,
    result_of,
)
from cleveractors.events.voice import Voice
from cleveractors.executor import closing
from cleveractors.testing import Turn
from features.lib.bench import PATIENCE, Bench, Odd, soon
from features.lib.ledger_watch import WatchedBudget

__all__ = ["ENDS", "Failed", "ask_everywhere", "ask_in_handler", "ask_second", "leave_slow_sink", "report_late"]


def use_purse(bench: Bench, tokens: int, wait: float = 0) -> Budget:
    """A budget that all share, whose every change is looked at."""
    purse = WatchedBudget(max_tokens=tokens, name="house", wait=wait)
    bench.options["budgets"] = [purse]
    return purse


# Several executors, loops and threads


def use_own_model(bench: Bench, tokens: int) -> None:
    """A model in this process: sockets would have to be closed on the loop of each thread."""
    model = ScriptedChatModel(lambda: "word" * tokens)
    bench.keys |= {"provider": "house", "parameters": {"max_tokens": tokens}}
    bench.options["models"] = {"house": ModelSpec(model)}


async def ask_everywhere(bench: Bench, threads: int, each: int) -> None:
    """Two executors, asked from the loops of several threads at once."""
    executors = [bench.make(), bench.make()]

    async def ask(number: int) -> ActorResult[Any]:
        return await executors[number % 2].execute("rain?")

    async def ask_some() -> list[ActorResult[Any]]:
        return await asyncio.gather(*(ask(number) for number in range(each)))

    found: list[list[ActorResult[Any]]] = []
    workers = [threading.Thread(target=lambda: found.append(asyncio.run(ask_some()))) for _ in range(threads)]
    for worker in workers:
        worker.start()
    await asyncio.to_thread(lambda: [worker.join(PATIENCE) for worker in workers])
    bench.results += [result for some in found for result in some]


# Waiting for room


def _abort(bench: Bench, signal: AbortSignal, task: asyncio.Task[Any]) -> None:
    signal.abort("enough")


def _cancel(bench: Bench, signal: AbortSignal, task: asyncio.Task[Any]) -> None:
    task.cancel()


def _open(bench: Bench, signal: AbortSignal, task: asyncio.Task[Any]) -> None:
    bench.gate.open()


def _nothing(bench: Bench, signal: AbortSignal, task: asyncio.Task[Any]) -> None:
    """Its own clock rings."""


ENDS: dict[str, Callable[[Bench, AbortSignal, asyncio.Task[Any]], None]] = {
    "the first one ends": _open,
    "the host aborts it": _abort,
    "its task is cancelled": _cancel,
    "its time is up": _nothing,
}


async def ask_second(bench: Bench, purse: Budget, end: str, **options: Any) -> ActorResult[Any]:
    """A run holds all that there is; a second one waits for room, until something ends that."""
    first = asyncio.create_task(bench.executor.execute("rain?"))
    await bench.gate.wait_reached_async()
    signal = AbortSignal()
    second = asyncio.create_task(bench.executor.execute("and snow?", abort_signal=signal, **options))
    await soon(lambda: bool(purse.listeners()))
    ENDS[end](bench, signal, second)
    result: ActorResult[Any] | None = None
    try:
        async with asyncio.timeout(PATIENCE):
            result = await second
    except asyncio.CancelledError as error:
        result = result_of(error)
    assert not purse.listeners(), "somebody still waits"
    bench.gate.open()
    await first
    assert result is not None
    return result


# A host that handles an error of its own while it asks


class Failed(Exception):
    """An error of the host's own client."""

    status_code = 429


class ConnectError(Exception):
    """Named as the one of HTTP clients that says that nothing was sent."""


HANDLED: dict[str, Callable[[], Exception]] = {
    "an error with status 429": Failed,
    "a ConnectError": ConnectError,
    "nothing": Odd,
}


async def ask_in_handler(bench: Bench, handled: str, mode: str) -> None:
    """Ask in an `except` block; the answer comes without end, and so without a cause in any library."""
    bench.keys["retry"] = {"attempts": 1}
    bench.declare(["get_weather"])
    bench.provider.script(Turn("It rains, and rains, and", finish_reason=None, usage="never"))
    try:
        raise HANDLED[handled]()
    except Exception:
        await bench.observe(bench.ask if mode == "whole" else bench.read)


# Spend that was not reserved


def use_spender(bench: Bench, tokens: int) -> None:
    """A tool that reports so many tokens of its own."""

    async def spend(context: RunContext[Any]) -> str:
        """Spends."""
        context.report_usage(model="search-1", prompt_tokens=tokens)
        return "spent"

    bench.keys["tools"] = ["spend"]
    bench.tools.append(spend)


async def report_late(bench: Bench) -> None:
    """A thread that a tool has left behind reports its spend when the run has been billed."""
    billed, reported = threading.Event(), threading.Event()

    def slow(context: RunContext[Any]) -> str:
        """Works in a thread that can't be stopped."""
        billed.wait(PATIENCE)
        context.report_usage(model="search-1", prompt_tokens=30)
        reported.set()
        return "too late"

    bench.keys |= {"tools": ["slow"], "tool_timeout": 0.05}
    bench.tools.append(slow)
    bench.provider.script(Turn(calls=[("slow", {})], prompt_tokens=50, completion_tokens=5), Turn("Never mind."))
    await bench.ask()
    billed.set()
    await asyncio.to_thread(reported.wait, PATIENCE)
    await soon(lambda: any(seen.row.provider == "tool" for seen in bench.seen))


# A reader of events that is slow when a model call is about to begin


async def cancel_before_call(bench: Bench, number: int) -> None:
    """A run is cancelled while it waits for the reader, with the room for its next call already reserved."""
    reached, calls = asyncio.Event(), 0

    async def stuck(voice: Voice) -> None:
        nonlocal calls
        calls += 1
        if calls == number:
            reached.set()
            await asyncio.get_running_loop().create_future()

    async def read() -> None:
        async for output in bench.executor.execute_events("rain?"):
            bench.notes.append(output)

    bench.keys["tool_max_rounds"] = 0
    bench.declare(["get_weather"])
    bench.provider.script(Turn(calls=[("get_weather", {"city": "Paris"})], prompt_tokens=50, completion_tokens=5))
    with patch.object(Voice, "begin_iteration", stuck):
        reader = asyncio.create_task(bench.observe(read))
        async with asyncio.timeout(PATIENCE):
            await reached.wait()
        bench.notes.append(bench.options["budgets"][0].reserved)
        reader.cancel()
        await reader


# A sink that is slower than the work may be to stop


async def leave_slow_sink(bench: Bench) -> None:
    """A reader of events leaves; the sink takes longer than the work may take to stop."""
    allowed, closing.STOP_SECONDS = closing.STOP_SECONDS, 0.05
    begun, released = asyncio.Event(), asyncio.Event()

    async def take(result: ActorResult[Any]) -> None:
        begun.set()
        await released.wait()
        bench.note_bill(result)

    bench.options["on_result"] = take
    bench.provider.script(Turn("It rains.", hold_before=bench.gate))
    stream = bench.executor.execute_events("rain?")

    async def read() -> None:
        async for output in stream:
            bench.notes.append(output)

    try:
        reader = asyncio.create_task(bench.observe(read))
        await bench.gate.wait_reached_async()
        reader.cancel()
        await begun.wait()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(reader), 4 * closing.STOP_SECONDS)
        bench.notes.append(reader.done())
        released.set()
        await reader
    finally:
        closing.STOP_SECONDS = allowed


def lone_limits(tokens: int) -> dict[str, Any]:
    """A run's own ceiling."""
    return {"limits": Limits(max_tokens=tokens)}


def use_talker(bench: Bench) -> None:
    """A provider that answers at length, heeds no cap and tells nothing."""
    bench.provider.script(Turn("word" * 2000, usage="never"))


def tool_rows(bench: Bench) -> list[InvocationRecord]:
    """Rows of tools, as `on_usage` saw them."""
    return [seen.row for seen in bench.seen if seen.row.provider == "tool"]
