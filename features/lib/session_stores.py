"""Stores of sessions: their contract, drawn uses of them, and several writers at a time."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol
from unittest import mock

import aiosqlite
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from cleveractors import ConfigurationError, SessionConflictError, dump_messages
from cleveractors.history import read_history
from cleveractors.sessions import MemorySessions, SQLiteSessions
from features.lib.bench import PATIENCE
from features.lib.histories import messages_of
from features.lib.lives import SOURCE
from features.lib.pairing import check_pairing
from features.lib.world import World

SESSION = "s1"
EVERY_KIND = "u a u a:1,2 t:1 t:2! a u a"

WRITER = """
import asyncio, sys
from langchain_core.messages import HumanMessage
from cleveractors import SessionConflictError
from cleveractors.sessions import SQLiteSessions

async def append(store, run_id):
    while True:
        messages, position = await store.load("s1")
        try:
            return await store.append("s1", [HumanMessage(run_id)], position=position, run_id=run_id)
        except SessionConflictError:
            continue

async def main(path, writer, count):
    for number in range(int(count)):
        await append(SQLiteSessions(path), f"{writer}.{number}")

asyncio.run(main(*sys.argv[1:]))
"""


class Store(Protocol):
    """What both of our stores are."""

    async def load(self, session_id: str) -> tuple[Sequence[Any], int]: ...
    async def append(self, session_id: str, messages: Sequence[Any], *, position: int, run_id: str) -> int: ...
    async def forget(self, session_id: str) -> None: ...


def new_folder(world: World) -> Path:
    """A folder that is gone with the scenario."""
    return Path(world.use(tempfile.TemporaryDirectory()))


def new_store(world: World, kind: str) -> Store:
    """A store with nothing in it."""
    return MemorySessions() if kind == "memory" else SQLiteSessions(new_folder(world) / "sessions.sqlite")


def said(text: str) -> list[BaseMessage]:
    """What one run adds."""
    return [HumanMessage(text), AIMessage(f"re {text}")]


async def append_many(store: Store, count: int) -> list[int]:
    """Runs one after the other; the positions of the last one's two appends."""
    position, before = 0, 0
    for number in range(count):
        before = position
        position = await store.append(SESSION, said(str(number)), position=before, run_id=str(number))
    return [position, await store.append(SESSION, said("again"), position=before, run_id=str(count - 1))]


async def texts(store: Store) -> list[str]:
    """What is stored, as the first of each pair."""
    messages, _ = await store.load(SESSION)
    return [message.text for message in messages if message.type == "human"]


# The contract


async def check_round_trip(store: Store, messages: Sequence[BaseMessage]) -> None:
    """What goes in comes out, in OpenAI's words."""
    await store.forget(SESSION)
    end = await store.append(SESSION, messages, position=0, run_id="r")
    back, position = await store.load(SESSION)
    assert dump_messages(back) == dump_messages(messages), back
    assert position == end == len(messages)


def odd_texts() -> list[BaseMessage]:
    """Half a surrogate pair, a null, parts in place of a text."""
    picture = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    parts: list[str | dict[Any, Any]] = [{"type": "text", "text": "look"}, picture]
    return [HumanMessage("half \ud800 of it"), AIMessage("null \x00 byte"), HumanMessage(content=parts)]


async def append_twice_at(store: Store) -> int:
    """Two runs that have read the same; the position after the first one."""
    position = await store.append(SESSION, said("first"), position=0, run_id="r1")
    await store.append(SESSION, said("second"), position=0, run_id="r2")
    return position


async def append_again(store: Store) -> tuple[int, int]:
    """A run, another, the first again: the positions of the first one's appends."""
    first = await store.append(SESSION, said("first"), position=0, run_id="r1")
    await store.append(SESSION, said("second"), position=first, run_id="r2")
    return first, await store.append(SESSION, said("first"), position=0, run_id="r1")


def check_drawn_orders(world: World, store: Store, count: int) -> None:
    """Three writers read and append in any order: whoever has read the end wins, nobody else."""
    steps = st.lists(st.tuples(st.integers(0, 2), st.booleans(), st.integers(0, 3)), max_size=12)

    @settings(max_examples=count)
    @given(steps)
    def hold(drawn: list[tuple[int, bool, int]]) -> None:
        world.run(_against_list(store, drawn))

    hold()


async def _against_list(store: Store, drawn: Sequence[tuple[int, bool, int]]) -> None:
    await store.forget(SESSION)
    honest: list[str] = []
    seen = [0, 0, 0]
    for number, (writer, reads, size) in enumerate(drawn):
        if reads:
            _, seen[writer] = await store.load(SESSION)
        added = [f"{number}.{place}" for place in range(size)]
        try:
            messages = [HumanMessage(text) for text in added]
            seen[writer] = await store.append(SESSION, messages, position=seen[writer], run_id=str(number))
        except SessionConflictError:
            assert seen[writer] != len(honest)
        else:
            honest += added
            assert seen[writer] == len(honest)
        assert await texts(store) == honest


# Several writers


async def append_anew(store: Store, run_id: str) -> None:
    """Append a run, and read again as long as others were faster."""
    while True:
        _, position = await store.load(SESSION)
        try:
            await store.append(SESSION, said(run_id), position=position, run_id=run_id)
        except SessionConflictError:
            continue
        return


async def write_from_threads(store: Store, threads: int, runs: int) -> None:
    """Each thread has a loop of its own."""

    async def write(writer: int) -> None:
        for number in range(runs):
            await append_anew(store, f"{writer}.{number}")

    def work(writer: int) -> None:
        asyncio.run(write(writer))

    started = [threading.Thread(target=work, args=(writer,)) for writer in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        await asyncio.to_thread(thread.join)


def write_from_processes(store: Store, processes: int, runs: int) -> None:
    """Each process opens the same new file."""
    path = repr(store).partition("'")[2].rpartition("'")[0]
    command = [sys.executable, "-c", WRITER, path]
    started = [
        subprocess.Popen([*command, str(writer), str(runs)], env={"PYTHONPATH": str(SOURCE)})
        for writer in range(processes)
    ]
    codes = [process.wait(60) for process in started]
    assert codes == [0] * processes, codes


async def check_all_once(store: Store, count: int) -> None:
    """Every run is there once."""
    found = await texts(store)
    assert len(found) == len(set(found)) == count, found


# Memory


def check_bounds(world: World, count: int) -> None:
    """Uses of any sessions with runs of any length."""
    uses = st.lists(st.tuples(st.sampled_from("abcde"), st.integers(1, 6)), max_size=25)

    @settings(max_examples=count)
    @given(uses, st.integers(1, 4), st.integers(1, 8))
    def hold(drawn: list[tuple[str, int]], sessions: int, messages: int) -> None:
        world.run(_within_bounds(MemorySessions(sessions, messages), drawn, sessions, messages))

    hold()


async def _within_bounds(store: MemorySessions, drawn: list[tuple[str, int]], sessions: int, messages: int) -> None:
    for number, (name, size) in enumerate(drawn):
        added = messages_of("u " + " ".join(["a"] * size))
        _, position = await store.load(name)
        await store.append(name, added, position=position, run_id=str(number))
        kept, _ = await store.load(name)
        assert len(store) <= sessions
        # The newest run is kept whole, also where it is longer than the bound.
        assert len(kept) <= max(messages, len(added)) and len(kept) >= len(added)
        found, repairs = read_history(kept)
        assert found[0].type == "human" and not repairs
        check_pairing(found)


async def return_after_eviction(store: Store) -> int:
    """A session that was loaded, had to go, and goes on."""
    position = await store.append(SESSION, said("first"), position=0, run_id="r1")
    await store.append("another", said("other"), position=0, run_id="r2")
    assert await store.load(SESSION) == ([], position)
    return await store.append(SESSION, said("second"), position=position, run_id="r3")


# Files


async def damage(store: Store) -> None:
    """Something else has written into a row."""
    path = repr(store).partition("'")[2].rpartition("'")[0]
    async with aiosqlite.connect(path) as connection:
        await connection.execute("UPDATE messages SET message = '{not json' WHERE position = 1")
        await connection.commit()


async def cancel_load(store: Store) -> None:
    """A load that is cancelled as soon as it has begun."""
    task = asyncio.create_task(store.load(SESSION))
    await asyncio.sleep(0)
    task.cancel()
    async with asyncio.timeout(PATIENCE):
        await task


async def _newer(folder: Path) -> str:
    async with aiosqlite.connect(folder / "newer.sqlite") as connection:
        await connection.execute("PRAGMA user_version=99")
    return str(folder / "newer.sqlite")


async def _text_file(folder: Path) -> str:
    (folder / "notes.txt").write_text("no database\n" * 100)
    return str(folder / "notes.txt")


async def _no_folder(folder: Path) -> str:
    return str(folder / "nowhere" / "s.sqlite")


async def _memory(folder: Path) -> str:
    del folder
    return ":memory:"


async def _nowhere(folder: Path) -> str:
    del folder
    return ""


FILES: dict[str, Callable[[Path], Any]] = {
    "a file of a newer version": _newer,
    "a text file": _text_file,
    "a folder that is not there": _no_folder,
    "memory": _memory,
    "nowhere": _nowhere,
}


async def read_from(world: World, file: str) -> None:
    """Load a session from a file that may be none."""
    await SQLiteSessions(await FILES[file](new_folder(world))).load(SESSION)


def without_library(world: World) -> None:
    """The extra is not installed."""
    with mock.patch.dict(sys.modules, {"aiosqlite": None}):
        SQLiteSessions(new_folder(world) / "s.sqlite")


def check_refused(error: BaseException | None, text: str) -> None:
    """It says what is wrong."""
    assert error is not None and text in str(error), repr(error)
    assert isinstance(error, ConfigurationError) or error.__cause__ is not None, repr(error)
