"""Whose turn it is: drawn orders, threads, runs that wait, and sessions as objects that hold a turn."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import BaseMessage, HumanMessage

from cleveractors.executor.session import Session
from cleveractors.sessions import trim
from cleveractors.sessions.turns import Turns
from features.lib.bench import PATIENCE, soon
from features.lib.histories import messages_of
from features.lib.session_stores import SESSION
from features.lib.sessions import FACES, Story
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


# Objects


async def ask_object(story: Story) -> None:
    """One object, every face."""
    session = story.bench.executor.session(SESSION)
    for face in ("execute", "execute_stream", "execute_events"):
        await story.tell(FACES[face](session, "question", {}))
    story.notes.append(len(await session.messages()))


async def ask_beside_object(story: Story) -> None:
    """Somebody asks while the turn is held, and is answered after it."""
    executor = story.bench.executor
    async with executor.session(SESSION) as session:
        other = asyncio.create_task(executor.execute("other", session_id=SESSION))
        await soon(lambda: len(executor.runs()) == 1)
        await story.tell(session.execute("one"))
        await story.tell(session.execute("two"))
        assert not other.done()
    await story.tell(other)


async def ask_object_at_once(story: Story, count: int) -> None:
    """Runs of one entered object at the same time."""
    async with story.bench.executor.session(SESSION) as session:
        await asyncio.gather(*(story.tell(session.execute(f"question {number}")) for number in range(count)))


async def leave_with_stream(story: Story) -> None:
    """The object is left before its stream has ended."""
    executor = story.bench.executor
    async with executor.session(SESSION) as session:
        stream = session.execute_stream("question", streaming="tokens")
        await anext(stream)
    other = story.start(executor.execute("other", session_id=SESSION))
    await soon(lambda: len(executor.runs()) == 2)
    assert not other.done()
    async for _ in stream:
        pass
    await other


async def enter_twice(story: Story, seconds: float) -> None:
    """Another one wants the turn."""

    async def enter() -> None:
        async with story.bench.executor.session(SESSION, timeout=seconds):
            raise AssertionError("two hold the turn")

    async with story.bench.executor.session(SESSION):
        await story.tell(enter())


async def _asked_closed(session: Session) -> None:
    await session.aclose()
    await session.execute("question")


async def _entered_twice(session: Session) -> None:
    async with session, session:
        pass


async def _asked_for_another(session: Session) -> None:
    await session.execute("question", session_id="s2")


async def _given_history(session: Session) -> None:
    await session.execute("question", history=[HumanMessage("earlier")])


MISUSES: dict[str, Callable[[Session], Awaitable[None]]] = {
    "asked after it was closed": _asked_closed,
    "entered twice": _entered_twice,
    "asked for another session": _asked_for_another,
    "given a history": _given_history,
}


async def misuse(story: Story, how: str) -> None:
    """A session object in the wrong way."""
    await story.tell(MISUSES[how](story.bench.executor.session(SESSION)))


async def close_twice(story: Story) -> None:
    """How it shows itself meanwhile."""
    session = story.bench.executor.session(SESSION)
    story.notes.append(repr(session))
    async with session:
        story.notes.append(repr(session))
    await session.aclose()
    story.notes.append(repr(session))


async def ask_end_ask(story: Story) -> None:
    """A session that is ended, and asked again."""
    executor = story.bench.executor
    await story.tell(executor.session(SESSION).execute("question"))
    await executor.end_session(SESSION)
    await story.tell(executor.session(SESSION).execute("question"))


async def end_while_running(story: Story) -> None:
    """The end waits for the run."""
    executor = story.bench.executor
    run = story.start(executor.execute("question", session_id=SESSION))
    await story.bench.gate.wait_reached_async()
    end = asyncio.create_task(executor.end_session(SESSION))
    await soon(lambda: executor._runs.sessions.turns.waiting(SESSION) == 1)  # pyright: ignore[reportPrivateUsage] - nobody else tells
    story.bench.gate.open()
    await end
    story.notes.append(len(await story.stored()))
    await run


# Trimming


def check_trimming(count: int) -> None:
    """What is kept are whole turns from some user's message on, and one more would pass a bound."""
    words = st.sampled_from(["u a", "u a:1 t:1 a", "u u a", "u a:1,2 t:1 t:2 a"])
    bounds = st.none() | st.integers(0, 400)

    @settings(max_examples=count)
    @given(st.lists(words, max_size=6).map(" ".join), bounds, st.none() | st.integers(0, 6))
    def hold(written: str, tokens: int | None, turns: int | None) -> None:
        _check_trimmed(messages_of(written), tokens, turns)

    hold()


def _check_trimmed(messages: list[BaseMessage], tokens: int | None, turns: int | None) -> None:
    kept = trim(messages, tokens, turns)
    starts = [place for place, message in enumerate(messages) if message.type == "human"]
    begin = len(messages) - len(kept)
    assert kept == messages[begin:] and (begin == len(messages) or begin in starts)
    count = sum(message.type == "human" for message in kept)
    assert turns is None or count <= turns
    # The same bounds keep all that was kept, and nothing of one turn more.
    assert trim(kept, tokens, turns) == kept
    earlier = [place for place in starts if place < begin]
    if earlier:
        more = messages[earlier[-1] :]
        assert (turns is not None and count + 1 > turns) or (tokens is not None and trim(more, tokens) != more)


def kept_of(written: str, bounds: dict[str, int]) -> str:
    """What is kept of a conversation in the shorthand, with the words that it had."""
    messages = messages_of(written)
    words = written.split()
    return " ".join(words[len(messages) - len(trim(messages, **bounds)) :])
