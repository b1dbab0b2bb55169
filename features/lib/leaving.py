"""The ways in which a consumer leaves a stream, each at a known moment and without any sleep."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, ClassVar

from langchain_core.messages import HumanMessage

from cleveractors import Agent, AgentConfig, Budget, ModelAgentConfig, RunContext, RunStream
from features.lib.bench import Bench, Odd, soon
from features.lib.failing import check_paired


async def take(bench: Bench, stream: RunStream[str], count: int) -> None:
    """Read so many texts."""
    for _ in range(count):
        bench.texts.append(await anext(stream))


async def _reach(bench: Bench, *, waiting: bool) -> None:
    if waiting:
        await bench.gate.wait_reached_async()


# Ways: each leaves the bench's stream after `count` texts, while the provider stands at the gate.


async def dropped(bench: Bench, count: int, waiting: bool) -> None:
    stream = bench.open_stream()
    bench.stream = None
    await take(bench, stream, count)
    await _reach(bench, waiting=waiting)
    del stream
    _settled_at_once(bench)


async def broken_out_of(bench: Bench, count: int, waiting: bool) -> None:
    bench.open_stream()
    stream, bench.stream = bench.stream, None
    assert stream is not None
    left = count
    async for text in stream:
        bench.texts.append(text)
        left -= 1
        if not left:
            break
    await _reach(bench, waiting=waiting)
    del stream
    _settled_at_once(bench)


async def closed(bench: Bench, count: int, waiting: bool) -> None:
    stream = bench.open_stream()
    await take(bench, stream, count)
    await _reach(bench, waiting=waiting)
    await stream.aclose()
    await stream.aclose()
    _settled_at_once(bench)


async def by_error(bench: Bench, count: int, waiting: bool) -> None:
    with contextlib.suppress(Odd):
        async with bench.open_stream() as stream:
            await take(bench, stream, count)
            await _reach(bench, waiting=waiting)
            raise Odd("the consumer failed")
    _settled_at_once(bench)


async def closed_elsewhere(bench: Bench, count: int, waiting: bool) -> None:
    stream = bench.open_stream()
    reader = asyncio.create_task(_read_on(bench, stream))
    await _reach(bench, waiting=waiting)
    await soon(lambda: len(bench.texts) >= count)
    await stream.aclose()
    _settled_at_once(bench)
    await reader


async def cancelled(bench: Bench, count: int, waiting: bool) -> None:
    stream = bench.open_stream()
    reader = asyncio.create_task(_read_on(bench, stream))
    await _reach(bench, waiting=waiting)
    await soon(lambda: len(bench.texts) >= count)
    reader.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await reader
    _settled_at_once(bench)


async def aborted(bench: Bench, count: int, waiting: bool) -> None:
    stream = bench.open_stream()
    reader = asyncio.create_task(_read_on(bench, stream))
    await _reach(bench, waiting=waiting)
    await soon(lambda: len(bench.texts) >= count)
    thread = threading.Thread(target=stream.abort, args=("enough",))
    thread.start()
    await reader
    thread.join()
    assert stream.result is not None and "enough" in stream.result.stop_detail, stream.result
    _settled_at_once(bench)


async def in_failing_task(bench: Bench, count: int, waiting: bool) -> None:
    async def consume() -> None:
        stream = bench.open_stream()
        bench.stream = None
        await take(bench, stream, count)
        await _reach(bench, waiting=waiting)
        raise Odd("the consumer failed")

    # Whoever looks at the task's error lets go of it, and with it of the stream in its frames.
    gc.disable()
    try:
        task: asyncio.Task[None] | None = asyncio.create_task(consume())
        await asyncio.wait({task})
        assert isinstance(task.exception(), Odd)
        task = None
        _settled_at_once(bench)
    finally:
        gc.enable()


async def in_thread(bench: Bench, count: int, waiting: bool) -> None:
    stream = bench.open_stream()
    bench.stream = None
    await take(bench, stream, count)
    await _reach(bench, waiting=waiting)
    holders = [stream]
    del stream
    await asyncio.to_thread(holders.clear)
    _settled_at_once(bench)


Leave = Callable[[Bench, int, bool], Awaitable[None]]
WAYS: dict[str, Leave] = {
    "dropped": dropped,
    "broken out of": broken_out_of,
    "closed": closed,
    "left by an error": by_error,
    "closed by another task": closed_elsewhere,
    "cancelled": cancelled,
    "aborted from a thread": aborted,
    "dropped in a task that fails": in_failing_task,
    "dropped from another thread": in_thread,
}


async def _read_on(bench: Bench, stream: RunStream[str]) -> None:
    async for text in stream:
        bench.texts.append(text)


def _settled_at_once(bench: Bench) -> None:
    """Without any await: nothing is reserved, no row is open, the bill is there."""
    assert budget_of(bench).reserved == 0, budget_of(bench)
    result = bench.executor.last_result
    assert result is not None, "the run has no result yet"
    assert all(row.state != "open" for row in result.invocations), result.invocations
    bench.results.append(result)


def use_budget(bench: Bench, tokens: int) -> None:
    """A purse that all runs share."""
    bench.options["budgets"] = [Budget(max_tokens=tokens, name="house")]


def budget_of(bench: Bench) -> Budget:
    """That purse."""
    return bench.options["budgets"][0]


async def check_nothing_left(bench: Bench) -> None:
    """The bill was delivered once, the connection is closed, no task and no reservation is left."""
    bench.gate.open()
    await soon(lambda: len(bench.billed) >= 1)
    await bench.provider.wait_closed_async() if bench.result.stop_reason != "completed" else None
    await soon(lambda: not [task for task in asyncio.all_tasks() if "run " in task.get_name()])
    assert bench.billed == [bench.result.run_id], bench.billed
    assert budget_of(bench).reserved == 0
    check_paired(bench.result.messages)
    told = {seen.row.id: seen.row.state for seen in bench.seen}
    assert told == {row.id: row.state for row in bench.result.invocations}, told


def check_streamed(bench: Bench) -> None:
    """The response is what was streamed, or goes a little further: the consumer is behind."""
    text = "".join(bench.texts)
    assert text and bench.result.response.startswith(text), (text, bench.result.response)


# Streams that never ran


async def never_read(bench: Bench) -> None:
    stream = bench.open_stream()
    bench.stream = None
    del stream


async def closed_unread(bench: Bench) -> None:
    stream = bench.open_stream()
    await stream.aclose()
    assert [text async for text in stream] == []


async def entered_unread(bench: Bench) -> None:
    async with bench.open_stream():
        pass


async def aborted_unread(bench: Bench) -> None:
    bench.open_stream().abort("never mind")


UNUSED: dict[str, Callable[[Bench], Awaitable[None]]] = {
    "never read": never_read,
    "closed before it was read": closed_unread,
    "entered and never read": entered_unread,
    "aborted and never read": aborted_unread,
}


async def read_again(bench: Bench) -> None:
    """A second reading, which must not pay again."""
    stream = bench.open_stream()
    await bench.read(stream)
    bench.notes.append([text async for text in stream])


async def read_by_two(bench: Bench) -> None:
    """A second reader while the first one waits."""
    stream = bench.open_stream()
    first = asyncio.create_task(bench.read(stream))
    await bench.gate.wait_reached_async()
    await soon(lambda: len(bench.texts) >= 2)
    try:
        await anext(stream)
    except RuntimeError as error:
        bench.notes.append(str(error))
    bench.gate.open()
    await first


# A custom agent with a stream of its own


class TellerConfig(ModelAgentConfig):
    """A custom agent that calls a model."""


class Teller(Agent[Any]):
    """Yields a text, asks its model, yields what it said."""

    Config: ClassVar[type[AgentConfig]] = TellerConfig
    closed: ClassVar[list[str]] = []

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        return (await context.call_model([HumanMessage("?")])).text

    async def stream_message(self, message: Any, context: RunContext[Any]) -> AsyncGenerator[str, None]:
        try:
            yield "Let me see. "
            yield await self.process_message(message, context)
        finally:
            self.closed.append(context.run_id)


def use_teller(bench: Bench) -> None:
    """Make the actor's agent the custom one."""
    Teller.closed.clear()
    bench.keys["type"] = "teller"
    bench.options["agent_types"] = {"teller": Teller}
