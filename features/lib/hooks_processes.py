"""Commands of hooks as processes: what they were told, what they left behind."""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import tracemalloc
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import Any
from unittest.mock import patch

from cleveractors.hooks.processes import Finished
from features.lib.hooks import HooksWorld
from features.lib.hooks_asking import call_tool

__all__ = ["odd_arguments", "told"]


def told(story: HooksWorld, name: str) -> Any:
    """What a hook was told, read as strictly as JSON can be."""

    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is no JSON")

    return json.loads(story.file(name).read_bytes().decode("utf-8"), parse_constant=refuse)


def at(value: Any, path: str) -> Any:
    """A value of a document: `extra.run_id`."""
    found: Any = value
    for part in path.split("."):
        found = found[int(part) if part.isdigit() else part]
    return found


class _Kind(Enum):
    ONE = "one"


class _Odd:
    def __repr__(self) -> str:
        raise ValueError("no")


def odd_arguments(kind: str) -> dict[str, Any]:
    """Arguments that JSON can't hold, beside one that it can."""
    cycle: list[Any] = []
    cycle.append(cycle)
    deep: Any = "bottom"
    for _ in range(5000):
        deep = [deep]
    odd: dict[str, Any] = {
        "NaN": float("nan"),
        "infinity": float("inf"),
        "a cycle": cycle,
        "a lone surrogate": "a\ud800b",
        "bytes": b"\xff\xfe",
        "a tuple as key": {(1, 2): 3},
        "5000 levels": deep,
        "an object": object(),
        "an endless number": 10**9999,
        "a set": {1},
        "odd keys": {7: 1, None: 2, True: 3, 0.5: 4, _Odd(): 5},
        "a date": [datetime(2026, 1, 1), Decimal("0.1"), _Kind.ONE],
    }
    return {"odd": odd[kind], "command": "rm"}


def pids(story: HooksWorld) -> list[int]:
    """The processes that a hook has written down."""
    return [int(line) for line in story.file("pids").read_text().split()]


def is_dead(pid: int) -> bool:
    """Whether a process ends, within a few seconds."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], 5)[0])
    finally:
        os.close(handle)


def is_zombie(pid: int) -> bool:
    """Whether a dead process was never waited for by us."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[0] == "Z" and int(fields[1]) == os.getpid()


def kill_leftovers(story: HooksWorld) -> None:
    """End what a scenario has let live."""
    for pid in pids(story):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


async def cancel_when_up(story: HooksWorld, tool: str) -> None:
    """Ask about a call, and cancel it when the hook has opened the pipe `up`."""
    os.mkfifo(story.file("up"))
    task = asyncio.ensure_future(call_tool(story, tool, {}))
    async with asyncio.timeout(60):
        await asyncio.get_running_loop().run_in_executor(None, story.file("up").read_bytes)
    task.cancel()
    await task


@contextmanager
def counted_processes(work: Callable[[], Any]) -> Generator[list[int]]:
    """Stand in for processes: keep how many run at a time, while `work` is awaited in each."""
    running, seen = [0], list[int]()

    async def run(*_: object) -> Finished:
        running[0] += 1
        seen.append(running[0])
        try:
            await work()
        finally:
            running[0] -= 1
        return Finished(0, b"", b"", 0.0)

    with patch("cleveractors.hooks.commands.run_process", run):
        yield seen


async def peak_memory(story: HooksWorld, tool: str) -> int:
    """The most bytes of memory that a call takes while its hooks are asked."""
    tracemalloc.start()
    try:
        await call_tool(story, tool, {})
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
