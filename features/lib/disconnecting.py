"""A thousand clients that leave a server in a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import cleveractors
from cleveractors.testing import Gate
from features.lib.bench import Bench, soon

__all__ = ["Visited", "check_books", "start", "visit_all"]

VISITS = "CLEVERACTORS_DISCONNECTS"
"""The environment variable that asks for more or fewer clients."""
SOURCE = Path(str(cleveractors.__file__)).parent.parent
SPARE_OBJECTS = 5000
"""For caches that fill up; a run that is kept has some hundreds, and there were hundreds of runs."""
SPARE_TASKS = 20
"""For the server's own, of connections that close just then; a run that is kept would be one for each client."""
SPARE_FILES = 2
"""For a client that comes before the connection of the one before it is back in the pool."""
SPARE_MEMORY = 2048
"""Kibibytes, for an allocator that takes its memory in large pieces."""


class Visited:
    """The server and what it held, half-way and in the end."""

    def __init__(self, bench: Bench, kind: str) -> None:
        self.bench = bench
        self.kind = kind
        self.books: list[dict[str, Any]] = []
        self.visits = 0
        root = Path(__file__).parent.parent.parent
        env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SOURCE), str(root)])}
        command = [sys.executable, "-m", "features.lib.disconnect_server", bench.provider.base_url, kind]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env, cwd=root)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def stop(self) -> None:
        """End the process."""
        self.process.terminate()
        self.process.communicate(timeout=20)

    async def ask(self, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """One request on a connection of its own."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n".encode())
        return reader, writer

    async def visit(self) -> None:
        """Ask, read a little, and go; the provider's request is cut, or its rest goes to nobody."""
        provider = self.bench.provider
        before = len(provider.ledger)
        reader, writer = await self.ask("/")
        await reader.readuntil(b"It rains")
        gate: Gate = self.bench.notes.pop()
        await gate.wait_reached_async()
        writer.close()
        if self.kind == "raises":
            gate.open()
        await provider.wait_settled_async(before + 2)

    async def count(self, visits: int) -> None:
        """Note what the process holds when so many runs have ended."""
        while True:
            reader, writer = await self.ask("/books")
            answer = await reader.read()
            writer.close()
            found = cast("dict[str, Any]", json.loads(answer.partition(b"\r\n\r\n")[2]))
            if found["ended"] == visits:
                self.books.append(found)
                return


def start(bench: Bench, kind: str) -> Visited:
    """Start the server; it ends with the scenario."""
    visited = Visited(bench, kind)
    bench.world.defer(lambda: asyncio.to_thread(visited.stop))
    return visited


async def visit_all(visited: Visited, count: int) -> None:
    """So many clients, one after the other; the books are looked at after half of them, and after the last."""
    count = visited.visits = int(os.environ.get(VISITS, count))
    for number in range(1, count + 1):
        await visited.visit()
        if number in (count // 2, count):
            await visited.count(number)
    await soon(lambda: visited.bench.provider.open_connections <= 1 + SPARE_FILES)


def check_books(visited: Visited) -> None:
    """Nothing has grown."""
    early, late = visited.books
    for name, spare in (("tasks", SPARE_TASKS), ("threads", 0), ("files", SPARE_FILES)):
        assert late[name] <= early[name] + spare, (name, early, late)
    assert late["objects"] <= early["objects"] + SPARE_OBJECTS, (early, late)
    assert late["memory"] <= early["memory"] + SPARE_MEMORY, (early, late)
    assert late["reserved"] == 0 and late["rows"]["open"] == late["ended"] * 2, late
