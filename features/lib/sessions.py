"""Runs in sessions: asked by every face, ended in every way, with stores that fail."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, cast

from langchain_core.messages import BaseMessage, HumanMessage

from cleveractors import ActorResult, Agent, RunContext, RunStream, load_messages, result_of
from cleveractors.history import read_history
from cleveractors.sessions import MemorySessions, SQLiteSessions
from cleveractors.testing import Turn
from features.lib.bench import Bench
from features.lib.pairing import check_pairing
from features.lib.session_stores import SESSION, new_folder

NAME = "session_story"
YES = Turn("Yes.", prompt_tokens=10, completion_tokens=2)


@dataclass
class Story:
    """What one scenario about sessions knows."""

    bench: Bench
    store: Any = None
    folder: Path | None = None
    ended: list[ActorResult[Any]] = field(default_factory=list[ActorResult[Any]])
    """The bills, in the order in which their runs ended."""
    errors: list[BaseException] = field(default_factory=list[BaseException])
    notes: list[Any] = field(default_factory=list[Any])

    async def tell(self, work: Awaitable[Any]) -> None:
        """Wait for a run; its bill is kept whatever its end."""
        try:
            found = await work
        except BaseException as error:
            self.errors.append(error)
            found = result_of(error)
        if found is not None:
            self.ended.append(found)

    @property
    def result(self) -> ActorResult[Any]:
        """The last bill."""
        assert self.ended, self.errors
        return self.ended[-1]

    @property
    def sent(self) -> list[int]:
        """How many messages each request to the provider had."""
        return [len(request.messages) for request in self.bench.provider.requests]

    def start(self, work: Awaitable[Any]) -> asyncio.Task[None]:
        """Have a run run beside what comes next."""
        return asyncio.create_task(self.tell(work))

    async def stored(self) -> list[BaseMessage]:
        """What the store holds."""
        messages, _ = await self.store.load(SESSION)
        return list(messages)


# Stores


class Waiting(MemorySessions):
    """Appends when it may."""

    def __init__(self) -> None:
        super().__init__()
        self.reached, self.may = asyncio.Event(), asyncio.Event()

    async def append(self, session_id: str, messages: Sequence[Any], *, position: int, run_id: str) -> int:
        self.reached.set()
        await self.may.wait()
        return await super().append(session_id, messages, position=position, run_id=run_id)


class Failing:
    """Fails, or hangs, at one of its methods."""

    def __init__(self, at: str, *, hangs: bool = False) -> None:
        self._at = at
        self._hangs = hangs

    async def load(self, session_id: str, /) -> tuple[Sequence[Any], int]:
        await self._trouble("load")
        return [], 0

    async def append(self, session_id: str, messages: Sequence[Any], /, *, position: int, run_id: str) -> int:
        await self._trouble("append")
        return position + len(messages)

    async def _trouble(self, method: str) -> None:
        if method == self._at:
            if self._hangs:
                await asyncio.Event().wait()
            raise OSError(f"the disk is full: {method}")


def keep_in(story: Story, kind: str) -> None:
    """Give the executor a store."""
    makers: dict[str, Callable[[], Any]] = {
        "nothing": lambda: None,
        "memory": MemorySessions,
        "a store that waits": Waiting,
        "a store that fails to load": lambda: Failing("load"),
        "a store that fails to append": lambda: Failing("append"),
        "a store that hangs": lambda: Failing("load", hangs=True),
        "a store that hangs on append": lambda: Failing("append", hangs=True),
    }
    if kind == "sqlite":
        story.folder = new_folder(story.bench.world)
        story.store = SQLiteSessions(story.folder / "sessions.sqlite")
    else:
        story.store = makers[kind]()
    story.bench.options["sessions"] = story.store


# Faces


async def _execute(owner: Any, message: str, options: dict[str, Any]) -> ActorResult[Any]:
    return await owner.execute(message, **options)


async def _execute_stream(owner: Any, message: str, options: dict[str, Any]) -> ActorResult[Any] | None:
    return await _read(owner.execute_stream(message, **options))


async def _tokens(owner: Any, message: str, options: dict[str, Any]) -> ActorResult[Any] | None:
    return await _read(owner.execute_stream(message, streaming="tokens", **options))


async def _execute_events(owner: Any, message: str, options: dict[str, Any]) -> ActorResult[Any] | None:
    return await _read(owner.execute_events(message, **options))


async def _execute_sync(owner: Any, message: str, options: dict[str, Any]) -> ActorResult[Any]:
    return await asyncio.to_thread(owner.execute_sync, message, **options)


async def _read(stream: RunStream[Any]) -> ActorResult[Any] | None:
    async for _ in stream:
        pass
    return stream.result


FACES: dict[str, Callable[[Any, str, dict[str, Any]], Awaitable[Any]]] = {
    "execute": _execute,
    "execute_stream": _execute_stream,
    "execute_events": _execute_events,
    "execute_sync": _execute_sync,
    "a token stream": _tokens,
}


async def ask(story: Story, count: int = 1, face: str = "execute", **options: Any) -> None:
    """Ask the session, one run after the other."""
    given = {"session_id": SESSION, **story.bench.run_options, **options}
    for number in range(count):
        await story.tell(FACES[face](story.bench.executor, f"question {number}", dict(given)))


async def ask_with_history(story: Story) -> None:
    """The host brings a history too."""
    await ask(story, history=[HumanMessage("earlier")])


async def make_without_store(story: Story) -> None:
    """What is given as a store is none."""

    async def make() -> None:
        story.bench.make(sessions={})

    await story.tell(make())


async def ask_two_executors(story: Story) -> None:
    """The second one opens the same file."""
    await ask(story)
    assert story.folder is not None
    other = story.bench.make(sessions=SQLiteSessions(story.folder / "sessions.sqlite"))
    await story.tell(other.execute("And?", session_id=SESSION))


class Begun(Agent[Any]):
    """Notes whether its session begins."""

    flags: ClassVar[list[bool]] = []

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        session = context.run.session
        assert session is not None
        Begun.flags.append(session.started)
        return "noted"


async def look_at_begins(story: Story) -> None:
    """Two runs of an agent that looks."""
    Begun.flags = []
    story.bench.keys.clear()
    story.bench.keys["type"] = "begun"
    story.bench.options["agent_types"] = {"begun": Begun}
    await ask(story, 2)


# What came of it


def ended_with(story: Story, ending: str) -> None:
    """How the last run ended."""
    assert story.result.stop_reason == ending, story.result


def failed_with(story: Story, kind: str, text: str = "") -> None:
    """The one error, which carries its bill where there was a run."""
    (error,) = story.errors
    assert type(error).__name__ == kind and text in str(error), repr(error)


async def check_stored(story: Story, count: int) -> list[BaseMessage]:
    """So many messages, whichever of them is read anew valid."""
    stored = await story.stored()
    assert len(stored) == count, stored
    return stored


async def check_valid(story: Story, count: int) -> None:
    """Nothing in what is stored has to be repaired."""
    stored = await check_stored(story, count)
    check_pairing(stored)
    assert not read_history(stored)[1]


async def check_bill_stored(story: Story) -> None:
    """The session is what the bill says."""
    await check_valid(story, len(story.result.messages))
    stored = [(message.type, message.text) for message in await story.stored()]
    assert stored == [(message.type, message.text) for message in story.result.messages]


async def check_goes_on(story: Story, count: int) -> None:
    """A dropped run's turn comes to its end, and the next one goes on from it."""
    story.bench.provider.script(YES)
    await ask(story)
    assert len(story.result.messages) == count + 2, story.result.messages


def check_key_absent(story: Story) -> None:
    """No file of the store has it."""
    assert story.folder is not None
    files = list(story.folder.iterdir())
    assert files and not any(b"sk-secret" in file.read_bytes() for file in files)
    assert any(b"question" in file.read_bytes() for file in files)


def check_repairs(story: Story) -> None:
    """Each names the session."""
    repairs = story.result.repairs
    assert all(repair.startswith("session 's1': ") for repair in repairs), repairs
    for word in ("message 3 can't be read", "which nobody asked for", "had no result"):
        assert any(word in repair for repair in repairs), (word, repairs)


def sent_messages(story: Story) -> list[BaseMessage]:
    """What the provider was sent last."""
    return load_messages(story.bench.provider.requests[-1].messages)


def story_of(context: Any, bench: Bench) -> Story:
    """Find the scenario's story, or begin one."""
    if not hasattr(context, NAME):
        setattr(context, NAME, Story(bench))
    return cast("Story", getattr(context, NAME))
