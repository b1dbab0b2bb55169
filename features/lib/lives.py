"""The lives of executors: opened, shared between loops and threads, interrupted, closed."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any, ClassVar

import anyio

import cleveractors
from cleveractors import (
    ActorResult,
    LLMAgent,
    RunStream,
    result_of,
)
from cleveractors.testing import Turn
from features.lib.bench import PATIENCE, Bench, Odd

SOURCE = Path(str(cleveractors.__file__)).parent.parent


# Agents that are opened and closed


class Counted(LLMAgent):
    """Counts."""

    opened: ClassVar[int] = 0
    closed: ClassVar[int] = 0
    script: ClassVar[list[str]] = []
    reached: ClassVar[asyncio.Event]
    released: ClassVar[asyncio.Event]

    async def open(self) -> None:
        Counted.opened += 1
        step = Counted.script.pop(0) if Counted.script else ""
        if step == "fail":
            raise Odd("not open")
        if step == "wait":
            Counted.reached.set()
            await Counted.released.wait()
        await asyncio.sleep(0)

    async def aclose(self) -> None:
        Counted.closed += 1
        await asyncio.sleep(0)
        if "fail to close" in Counted.script:
            raise Odd("not closed")


def use_counted(bench: Bench, *script: str) -> None:
    """An agent whose openings go by a script."""
    Counted.opened = Counted.closed = 0
    Counted.script = list(script)
    Counted.reached, Counted.released = asyncio.Event(), asyncio.Event()
    bench.keys["type"] = "counted"
    bench.options["agent_types"] = {"counted": Counted}


def answer_everything(bench: Bench) -> None:
    """A provider that always says yes."""
    bench.provider.script_forever(Turn("Yes.", prompt_tokens=10, completion_tokens=2))


async def ask_at_once(bench: Bench, count: int) -> None:
    """Runs at the same time."""
    await asyncio.gather(*(bench.ask() for _ in range(count)))


async def cancel_opener(bench: Bench) -> None:
    """The run that opens is cancelled while others wait for it."""
    first = asyncio.create_task(bench.ask())
    await Counted.reached.wait()
    others = [asyncio.create_task(bench.ask()) for _ in range(3)]
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.wait({first})
    await asyncio.gather(*others)


async def cancel_waiter(bench: Bench) -> None:
    """A run that waits is cancelled; the one that opens goes on, and so do the others."""
    first = asyncio.create_task(bench.ask())
    await Counted.reached.wait()
    waiter, other = asyncio.create_task(bench.ask()), asyncio.create_task(bench.ask())
    await asyncio.sleep(0)
    waiter.cancel()
    await asyncio.wait({waiter})
    Counted.released.set()
    await asyncio.gather(first, other)


async def ask_twice(bench: Bench) -> None:
    """A run that fails, and one that does not."""
    try:
        await bench.ask()
    except Odd as error:
        bench.notes.append(error)
    await bench.ask()


def check_first_failed(bench: Bench) -> None:
    """The first one's error carries its bill."""
    result = result_of(bench.notes[0])
    assert result is not None and result.stop_reason == "error" and not result.invocations
    assert [one.stop_reason for one in bench.results] == ["completed"]


# Closing


async def close_and_release(bench: Bench) -> None:
    """The run ends while the executor waits for it."""
    run = asyncio.create_task(bench.ask())
    await bench.gate.wait_reached_async()
    closing = asyncio.create_task(bench.executor.aclose())
    await asyncio.sleep(0)
    bench.gate.open()
    await asyncio.gather(run, closing)


async def close_at_once(bench: Bench) -> None:
    """The run does not end by itself."""
    run = asyncio.create_task(bench.ask())
    await bench.gate.wait_reached_async()
    await bench.executor.aclose(grace=0)
    assert len(bench.bills) == 1, "the executor closed before the bill was delivered"
    await run


async def close_in_cancelled_scope(bench: Bench) -> None:
    """A web server that shuts down hard: every await of the closer is cancelled."""
    run = asyncio.create_task(bench.ask())
    await bench.gate.wait_reached_async()
    with anyio.CancelScope() as scope:
        scope.cancel()
        await bench.executor.aclose()
    assert scope.cancelled_caught and len(bench.bills) == 1
    await run


async def close_with_suspended(bench: Bench) -> None:
    """A stream whose consumer does something else."""
    stream = bench.open_stream()
    bench.texts.append(await anext(stream))
    await bench.gate.wait_reached_async()
    await bench.executor.aclose(grace=0)
    assert stream.result is not None, "the closed executor has left a stream open"
    bench.results.append(stream.result)
    assert [text async for text in stream] in ([], None), "the stream went on"


async def close_from_two(bench: Bench, runs: int) -> None:
    """Everybody closes."""
    await ask_at_once(bench, runs)
    await asyncio.gather(bench.executor.aclose(), bench.executor.aclose())
    await bench.executor.aclose()


async def close_before_reading(bench: Bench) -> None:
    """A stream that was made before the closing, and a run after it."""
    stream = bench.open_stream()
    await bench.executor.aclose()
    for work in (lambda: anext(stream), bench.ask):
        try:
            await work()
        except Exception as error:
            bench.notes.append(type(error).__name__)


# Loops


def loops_in_turn(bench: Bench, count: int) -> None:
    """`asyncio.run`, again and again."""
    executor = bench.executor
    for _ in range(count):
        result = asyncio.run(executor.execute("?"))
        assert result.response == "Yes." and result.exact, result


async def loops_at_once(bench: Bench, runs: int) -> None:
    """Two threads, each with a loop, and this one."""
    executor = bench.executor

    async def many() -> list[ActorResult[Any]]:
        return await asyncio.gather(*(executor.execute("?") for _ in range(runs)))

    theirs = await asyncio.gather(*(asyncio.to_thread(asyncio.run, many()) for _ in range(2)), many())
    found = [result for results in theirs for result in results]
    assert len({result.run_id for result in found}) == 3 * runs
    assert all(result.prompt_tokens == 10 for result in found)
    assert len(bench.bills) == 3 * runs


class Elsewhere:
    """A loop in a thread of its own."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()

    async def run(self, work: Any) -> Any:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self.loop))

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.close()


async def close_other_loop(bench: Bench) -> None:
    """A stream is suspended there, the executor is closed here."""
    elsewhere = Elsewhere()
    stream = bench.open_stream()
    await elsewhere.run(_first(stream))
    await bench.executor.aclose(grace=0)
    assert stream.result is not None and len(bench.bills) == 1, stream
    await asyncio.to_thread(elsewhere.stop)


async def _first(stream: RunStream[str]) -> str:
    return await anext(stream)


async def close_after_dead_loop(bench: Bench) -> None:
    """The stream's loop ended without ending the stream."""
    loop, stream = asyncio.new_event_loop(), bench.open_stream()

    def live_and_die() -> None:
        loop.run_until_complete(_first(stream))
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()

    await asyncio.to_thread(live_and_die)
    async with asyncio.timeout(PATIENCE / 2):
        await bench.executor.aclose(grace=60)
    bench.gate.open()
