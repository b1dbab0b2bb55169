"""Whose turn it is: drawn orders, threads, runs that wait, and sessions as objects that hold a turn."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cleveractors.sessions.turns import Turns
from features.lib.bench import PATIENCE, soon
from features.lib.session_stores import SESSION
from features.lib.sessions import Story
from features.lib.world import World

KEY = "s1"


# Turns as such


def check_drawn(world: World, count: int) -> None:
    """Some take turns, some give up while they wait, the turn is ended now and then."""
    steps = st.lists(st.sampled_from(["take", "end", "cancel first", "cancel last"]), max_size=30)

    @settings(max_examples=count)
    @given(steps)
    def hold(drawn: list[str]) -> None:
        world.run(_played(drawn))

    hold()


async def _played(drawn: list[str]) -> None:
    turns = Turns()
    queue: list[tuple[int, asyncio.Task[None], asyncio.Event]] = []
    has: list[int] = []

    def settled() -> bool:
        return has == [queue[0][0]] if queue else not turns.is_taken(KEY)

    async def one(number: int, ends: asyncio.Event) -> None:
        token = await turns.take(KEY)
        has.append(number)
        assert len(has) == 1, f"turns of {has} at a time"
        await ends.wait()
        has.remove(number)
        token.release()
        token.release()

    for number, step in enumerate([*drawn, *["end"] * len(drawn)]):
        if step == "take":
            ends = asyncio.Event()
            queue.append((number, asyncio.create_task(one(number, ends)), ends))
        elif step == "end" and queue:
            queue.pop(0)[2].set()
        elif len(queue) > 1:
            queue.pop(1 if step == "cancel first" else -1)[1].cancel()
        await soon(settled)


async def take_from_threads(threads: int, times: int) -> list[int]:
    """Each thread has a loop of its own; how many had the turn, seen by each that had it."""
    turns, inside, seen = Turns(), set[int](), list[int]()

    async def many(number: int) -> None:
        for _ in range(times):
            token = await turns.take(KEY)
            inside.add(number)
            await asyncio.sleep(0)
            seen.append(len(inside))
            inside.discard(number)
            token.release()

    def work(number: int) -> None:
        asyncio.run(many(number))

    started = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        await asyncio.to_thread(thread.join)
    return seen


async def pass_over_ended_loop() -> bool:
    """One waits on a loop that is closed, another one behind."""
    turns = Turns()
    token = await turns.take(KEY)
    loop = asyncio.new_event_loop()
    lost = turns.take(KEY)

    async def begin() -> None:
        # As a task of its loop would, up to the moment in which it waits.
        lost.send(None)

    await asyncio.to_thread(loop.run_until_complete, begin())
    other = asyncio.create_task(turns.take(KEY))
    await soon(lambda: turns.waiting(KEY) == 2)
    loop.close()
    token.release()
    async with asyncio.timeout(PATIENCE):
        (await other).release()
    lost.close()
    return not turns.is_taken(KEY)


async def cancel_at_turn() -> bool:
    """The turn comes, and before the one who waited for it runs, it is cancelled."""
    turns = Turns()
    token = await turns.take(KEY)
    waiter, other = asyncio.create_task(turns.take(KEY)), asyncio.create_task(turns.take(KEY))
    await soon(lambda: turns.waiting(KEY) == 2)
    token.release()
    waiter.cancel()
    async with asyncio.timeout(PATIENCE):
        (await other).release()
    return waiter.cancelled() and not turns.is_taken(KEY)


async def wait_in_vain(seconds: float) -> int:
    """How many are in the queue after a wait that was too long."""
    turns = Turns()
    await turns.take(KEY)
    try:
        await turns.take(KEY, seconds)
    except TimeoutError:
        return turns.waiting(KEY)
    raise AssertionError("two have the turn")


# Runs that wait


async def ask_together(story: Story, count: int) -> None:
    """Runs of one session at the same time."""
    executor = story.bench.executor
    runs = [executor.execute(f"question {number}", session_id=SESSION) for number in range(count)]
    await asyncio.gather(*map(story.tell, runs))


async def ask_two_sessions(story: Story) -> None:
    """Both reach the provider before either is answered."""
    tasks = [story.start(story.bench.executor.execute("question", session_id=name)) for name in ("s1", "s2")]
    await story.bench.gate.wait_reached_async(2)
    story.bench.gate.open()
    await asyncio.gather(*tasks)


async def wait_behind(story: Story, meanwhile: Callable[[asyncio.Task[None]], Awaitable[None]], **options: Any) -> None:
    """One run stands at the gate, another one waits for its turn; the first one is answered in the end."""
    executor = story.bench.executor
    first = asyncio.create_task(executor.execute("first", session_id=SESSION))
    await story.bench.gate.wait_reached_async()
    task = story.start(executor.execute("second", session_id=SESSION, run_id="waiting", **options))
    await soon(lambda: len(executor.runs()) == 2 or task.done())
    await asyncio.sleep(0)
    await meanwhile(task)
    async with asyncio.timeout(PATIENCE):
        await task
    story.bench.gate.open()
    await asyncio.wait({first})


async def _nothing(task: asyncio.Task[None]) -> None:
    del task


async def wait_with(story: Story, options: dict[str, Any]) -> None:
    """Its own options end the wait."""
    await wait_behind(story, _nothing, **options)


async def wait_and_leave(story: Story, how: str) -> None:
    """It is aborted or cancelled, or the executor is closed."""
    executor = story.bench.executor

    async def leave(task: asyncio.Task[None]) -> None:
        if how == "is aborted":
            executor.abort("waiting")
        elif how == "the executor is closed":
            await executor.aclose(grace=0)
        else:
            task.cancel()

    await wait_behind(story, leave)
