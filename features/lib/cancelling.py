"""The ways in which a host's code cancels a run: each in the middle of a call, without any sleep."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import anyio

from features.lib.bench import PATIENCE, Bench, Ways

Work = Callable[[], Awaitable[Any]]
Way = Callable[[Bench, Work], Awaitable[Ways]]


async def by_task(bench: Bench, work: Work) -> Ways:
    """`task.cancel()`."""
    task = asyncio.create_task(bench.observe(work))
    await bench.gate.wait_reached_async()
    task.cancel()
    return await task


async def by_scope(bench: Bench, work: Work) -> Ways:
    """A cancelled anyio scope, which cancels again at every await."""
    scope = anyio.CancelScope()

    async def inside() -> Ways:
        with scope:
            await bench.observe(work)
        return bench.ways

    task = asyncio.create_task(inside())
    await bench.gate.wait_reached_async()
    scope.cancel()
    return await task


async def by_group(bench: Bench, work: Work) -> Ways:
    """A sibling in an anyio task group fails, as in a web server."""

    async def leave() -> None:
        await bench.gate.wait_reached_async()
        raise ConnectionError("the client has left")

    try:
        async with anyio.create_task_group() as group:
            group.start_soon(bench.observe, work)
            group.start_soon(leave)
    except* ConnectionError:
        pass
    return bench.ways


async def by_timeout(bench: Bench, work: Work) -> Ways:
    """`asyncio.timeout`, whose time is up when the call is under way."""

    async def inside() -> Any:
        async with asyncio.timeout(None) as clock:
            waiting.set_result(clock)
            await work()

    waiting: asyncio.Future[asyncio.Timeout] = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(bench.observe(inside))
    clock = await waiting
    await bench.gate.wait_reached_async()
    clock.reschedule(asyncio.get_running_loop().time())
    return await task


async def by_fail_after(bench: Bench, work: Work) -> Ways:
    """`anyio.fail_after` around the run; the cancellation itself is looked at."""
    waiting: asyncio.Future[anyio.CancelScope] = asyncio.get_running_loop().create_future()

    async def inside() -> Ways:
        try:
            with anyio.fail_after(3600) as scope:
                waiting.set_result(scope)
                await bench.observe(work)
        except TimeoutError:
            bench.notes.append("TimeoutError")
        return bench.ways

    task = asyncio.create_task(inside())
    scope = await waiting
    await bench.gate.wait_reached_async()
    scope.deadline = anyio.current_time()
    return await task


async def again_and_again(bench: Bench, work: Work) -> Ways:
    """`task.cancel()` once in the call, and some more while the bill is delivered."""
    begun, released = asyncio.Event(), asyncio.Event()
    deliver = bench.options["on_result"]

    async def slow(result: Any) -> None:
        begun.set()
        await released.wait()
        await deliver(result)

    bench.options["on_result"] = slow
    task = asyncio.create_task(bench.observe(work))
    await bench.gate.wait_reached_async()
    task.cancel()
    async with asyncio.timeout(PATIENCE):
        await begun.wait()
    for _ in range(5):
        task.cancel()
        await asyncio.sleep(0)
    assert not task.done(), "the run did not wait for its bill"
    released.set()
    return await task


WAYS: dict[str, Way] = {
    "task.cancel()": by_task,
    "a cancelled scope": by_scope,
    "a failing task group": by_group,
    "asyncio.timeout": by_timeout,
    "anyio.fail_after": by_fail_after,
    "task.cancel() again and again": again_and_again,
}
