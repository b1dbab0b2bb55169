"""Sessions as objects: that hold a turn, are misused, shown, and ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from langchain_core.messages import HumanMessage

from cleveractors.executor.session import Session
from features.lib.bench import soon
from features.lib.session_stores import SESSION
from features.lib.sessions import FACES, Story


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
