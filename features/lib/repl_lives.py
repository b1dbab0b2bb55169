"""The lives of kernels: whose they are, and that they are gone."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest import mock

from features.lib.bench import PATIENCE, soon
from features.lib.repl import ReplWorld

# A program that has left the group of its kernel, as daemons do.
START = """
import os, subprocess
program = subprocess.Popen(["sleep", "3600"], start_new_session=True)
print(os.getpid(), program.pid)
"""

FORK = """
import os, time
fork = os.fork()
if not fork:
    time.sleep(3600)
print(os.getpid(), fork, flush=True)
os._exit(5)
"""


async def set_and_read(world: ReplWorld, steps: str) -> None:
    """Each step is a run: `set s1`, `read s1`; without a name it is in no session."""
    for step in steps.split(", "):
        verb, _, session = step.partition(" ")
        await world.run("x = 1" if verb == "set" else "x", session_id=session or None)
        text = world.results[-1]
        world.found.append({"[no output]": "-", "1": "1"}.get(text.splitlines()[-1], "nothing"))


async def run_side_by_side(world: ReplWorld, count: int) -> None:
    """All have set their variable before any reads it."""
    folder = world.notes["folder"]
    wait = f"import os, time\nwhile len(os.listdir({str(folder)!r})) < {count}: time.sleep(0.001)\nx"
    cells = [f"x = {number}\nopen({str(folder / str(number))!r}, 'w').close()" for number in range(count)]
    await asyncio.gather(*(world.run(cell, wait, session_id=f"s{place}") for place, cell in enumerate(cells)))


def forget_how_to_wait(world: ReplWorld) -> None:
    """A system without handles of processes, and without a look at one that leaves it to be reaped."""
    wait = os.waitid
    world.world.use(mock.patch("cleveractors.tools.repl.process._pidfd", return_value=None))
    del os.waitid
    world.world.defer(lambda: setattr(os, "waitid", wait))


async def share_tool(world: ReplWorld) -> None:
    """The same name in two executors."""
    for cell, executor in (("x = 1", world.executor), ("x", world.make())):
        await world.run(cell, session_id="s1", executor=executor)
        world.found.append("-" if world.results[-1] == "[no output]" else "nothing")


# Gone


def is_alive(pid: int) -> bool:
    """Whether a process runs, or waits to be reaped."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not _is_dead(pid)


def _is_dead(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z" and not _is_ours(pid)
    return False


def _is_ours(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1] == str(os.getpid())


async def check_gone(world: ReplWorld) -> None:
    """Neither the kernel, which is reaped too, nor what it has started."""
    pids: list[int] = world.notes["pids"]
    assert len(pids) == 2
    await soon(lambda: not any(is_alive(pid) for pid in pids))


def _note_pids(world: ReplWorld, text: str) -> None:
    world.notes["pids"] = [int(word) for word in text.split()[:2]]


async def _session(world: ReplWorld) -> None:
    await world.run(START, session_id="s1")
    _note_pids(world, world.results[-1])
    assert all(map(is_alive, world.notes["pids"]))


async def _run_ended(world: ReplWorld) -> None:
    await world.run(START)
    _note_pids(world, world.results[-1])


async def _session_ended(world: ReplWorld) -> None:
    await _session(world)
    await world.executor.end_session("s1")


async def _executor_closed(world: ReplWorld) -> None:
    await _session(world)
    await world.executor.aclose()


async def _tool_closed(world: ReplWorld) -> None:
    await _session(world)
    await world.tool.aclose()


async def _released(world: ReplWorld) -> None:
    await _session(world)
    await asyncio.to_thread(world.tool.release)


async def _lost(world: ReplWorld) -> None:
    await _session(world)
    # As when nobody who holds a kernel ends it: its process is found by the collector.
    kernels = world.tool._kernels._kernels  # pyright: ignore[reportPrivateUsage] - nothing public loses a kernel
    kernels.clear()
    gc.collect()


OVERS: dict[str, Callable[[ReplWorld], Awaitable[None]]] = {
    "its run has ended": _run_ended,
    "its session is ended": _session_ended,
    "its executor is closed": _executor_closed,
    "the tool is closed": _tool_closed,
    "the tool has released all, outside a loop": _released,
    "the tool is lost": _lost,
}


# While it works


class Work:
    """A cell that tells its processes in a file, and goes on for ever."""

    def __init__(self, world: ReplWorld) -> None:
        self._file: Path = world.notes["folder"] / "pids"
        tell = f"with open({str(self._file)!r}, 'w') as file:\n    print(os.getpid(), program.pid, 'there', file=file)"
        self.cell = f"{START}\n{tell}\nwhile True: pass"

    async def begun(self) -> str:
        """Wait until it has told."""
        await soon(lambda: self._file.exists() and "there" in self._file.read_text())
        return self._file.read_text()


async def leave_while_working(world: ReplWorld, how: str) -> None:
    """A run is cancelled or aborted, or its time is up."""
    work = Work(world)
    options: dict[str, Any] = {"run_id": "r1", "session_id": "s1"}
    if how == "timed out":
        options["timeout"] = 1
    task = asyncio.create_task(world.run(work.cell, **options))
    _note_pids(world, await work.begun())
    if how == "cancelled":
        task.cancel()
    elif how == "aborted":
        world.executor.abort("r1")
    await asyncio.wait({task}, timeout=PATIENCE)
    assert task.cancelled() == (how == "cancelled")


async def leave_fork_behind(world: ReplWorld) -> None:
    """The kernel exits, and its fork stays."""
    await world.run(FORK)
    _note_pids(world, world.results[-1])


async def go_on_after_cancel(world: ReplWorld) -> None:
    """The next run of the session."""
    await leave_while_working(world, "cancelled")
    await world.run("7", session_id="s1")


async def die_between_runs(world: ReplWorld) -> None:
    """Somebody kills the kernel while it is idle."""
    await world.run("import os; os.getpid()", session_id="s1")
    pid = int(world.results[-1])
    os.kill(pid, 9)
    handle = os.pidfd_open(pid)
    await asyncio.to_thread(os.waitid, os.P_PIDFD, handle, os.WEXITED | os.WNOWAIT)
    os.close(handle)
    await world.run("7", session_id="s1")


async def release_while_working(world: ReplWorld) -> None:
    """The call that works is answered."""
    work = Work(world)
    task = asyncio.create_task(world.run(work.cell, session_id="s1"))
    await work.begun()
    world.tool.release(session_id="s1")
    await task


async def ask_for_one_more(world: ReplWorld) -> None:
    """Another run wants a kernel."""
    work = Work(world)
    task = asyncio.create_task(world.run(work.cell, session_id="s1"))
    await work.begun()
    await world.run("1", session_id="s2")
    task.cancel()
    await asyncio.wait({task})
