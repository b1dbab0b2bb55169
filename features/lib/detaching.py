"""Callers that leave, and runs that go on without them."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from cleveractors import ActorResult, RunStream, result_of
from cleveractors.testing import Turn
from features.lib.bench import PATIENCE, Bench, soon

__all__ = ["LEAVERS", "end_of", "leave", "leave_many", "timers", "wait_twice"]

Leaver = Callable[[Bench], Awaitable[str]]


async def asker(bench: Bench) -> str:
    """Whoever awaits `execute` is cancelled."""
    task = asyncio.create_task(bench.executor.execute("rain?", run_id="the-run", **bench.run_options))
    await bench.gate.wait_reached_async()
    bench.ways.carried = await _left(task)
    return "the-run"


async def _left(task: asyncio.Task[Any]) -> ActorResult[Any] | None:
    """Cancel a task; what its caller is shown. Only the first await of a cancelled task has its own exception."""
    task.cancel()
    try:
        await task
    except asyncio.CancelledError as error:
        return result_of(error)
    return None


async def _begun(bench: Bench, stream: RunStream[Any]) -> asyncio.Task[None]:
    async def read() -> None:
        async for piece in stream:
            bench.notes.append(piece)

    reader = asyncio.create_task(read())
    await bench.gate.wait_reached_async()
    return reader


async def _cancel(reader: asyncio.Task[None]) -> None:
    reader.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await reader


async def reader(bench: Bench) -> str:
    """Whoever reads a stream of text is cancelled."""
    stream = bench.open_stream("rain?")
    await _cancel(await _begun(bench, stream))
    bench.ways.carried = stream.result
    return stream.run_id


async def watcher(bench: Bench) -> str:
    """Whoever reads events is cancelled."""
    stream = bench.executor.execute_events("rain?", stream=True, **bench.run_options)
    await _cancel(await _begun(bench, stream))
    bench.ways.carried = stream.result
    return stream.run_id


async def _closed_beside(bench: Bench, stream: RunStream[Any]) -> str:
    reading = await _begun(bench, stream)
    async with asyncio.timeout(PATIENCE):
        await stream.aclose()
        await reading
    bench.ways.carried = stream.result
    return stream.run_id


async def closer(bench: Bench) -> str:
    """A stream of text is closed while another task waits for its next piece."""
    return await _closed_beside(bench, bench.open_stream("rain?"))


async def spectator(bench: Bench) -> str:
    """Events are closed while another task waits for the next one."""
    return await _closed_beside(bench, bench.executor.execute_events("rain?", stream=True, **bench.run_options))


async def dropper(bench: Bench) -> str:
    """A stream is dropped, in another thread, between two pieces."""
    stream = bench.open_stream("rain?")
    bench.stream = None
    bench.texts.append(await anext(stream))
    await bench.gate.wait_reached_async()
    run_id, holders = stream.run_id, [stream]
    del stream
    thread = threading.Thread(target=holders.clear)
    thread.start()
    thread.join()
    return run_id


LEAVERS: dict[str, Leaver] = {
    "asker": asker,
    "reader": reader,
    "watcher": watcher,
    "closer": closer,
    "spectator": spectator,
    "dropper": dropper,
}


async def leave(bench: Bench, who: str) -> None:
    """Somebody leaves a run that stands at the gate."""
    bench.notes.clear()
    bench.run_id = await LEAVERS[who](bench)


async def end_of(bench: Bench) -> ActorResult[Any]:
    """Wait for the run that was left."""
    async with asyncio.timeout(PATIENCE):
        result = await bench.executor.wait(bench.run_id)
    bench.results.append(result)
    return result


async def wait_twice(bench: Bench) -> list[ActorResult[Any]]:
    """Two that wait while the run runs, one of whom gives up, and one afterwards."""
    waiting = [asyncio.create_task(bench.executor.wait(bench.run_id)) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    bench.gate.open()
    first, *others = await asyncio.gather(*waiting, return_exceptions=True)
    assert isinstance(first, asyncio.CancelledError), first
    return [*[one for one in others if isinstance(one, ActorResult)], await bench.executor.wait(bench.run_id)]


def timers(bench: Bench) -> list[str]:
    """The loop's timers that are still to ring, with whatever they would call."""
    # No loop tells its timers; what its scheduled handles would call is all that there is to see.
    scheduled: list[Any] = getattr(bench.world.loop, "_scheduled", [])
    return [repr(handle) for handle in scheduled if not handle.cancelled() and "abort" in repr(handle)]


async def leave_many(bench: Bench, count: int) -> None:
    """So many callers leave, each at its run's own call; then the gate is opened."""
    bench.provider.script_forever(Turn("It rains.", hold_before=bench.gate, prompt_tokens=10, completion_tokens=2))
    tasks = [
        asyncio.create_task(bench.executor.execute("rain?", run_id=f"run-{number}", **bench.run_options))
        for number in range(count)
    ]
    await bench.gate.wait_reached_async(count)
    bench.notes += [await _left(task) for task in tasks]
    bench.gate.open()
    await soon(lambda: not bench.executor.runs())
