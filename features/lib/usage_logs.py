"""Logs of usage: written by runs, by hand, by several processes, and damaged."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cleveractors
from cleveractors import InvocationRecord, JsonlUsageLog
from cleveractors.testing import Turn
from cleveractors.usage import Attempt
from cleveractors.usage_log import UsageSum, read_usage_log, sum_usage
from features.lib.bench import Bench

__all__ = ["Logs", "count_fsync", "kill_in_call", "row", "sums_of", "write_from_processes"]

SOURCE = str(Path(str(cleveractors.__file__)).parent.parent)


class Logs:
    """One log of a scenario."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.path = Path(bench.world.use(tempfile.TemporaryDirectory()), "usage.jsonl")
        self.log: JsonlUsageLog | None = None
        self.error: OSError | None = None

    def open(self, *, fsync: bool = False) -> JsonlUsageLog:
        """Begin to write."""
        self.log = JsonlUsageLog(self.path, fsync=fsync)
        self.bench.world.defer(self.log.close)
        return self.log

    def write(self, rows: Iterable[InvocationRecord]) -> None:
        """Append rows with a log of their own."""
        with JsonlUsageLog(self.path) as log:
            for one in rows:
                log(one)

    def write_half(self) -> None:
        """A row of which the disk takes only the beginning, then two whole ones."""
        write = os.write
        log = self.open()

        def short(file: int, data: bytes) -> int:
            return write(file, data[: len(data) // 2])

        try:
            with patch("cleveractors.usage_log.os.write", short):
                log(row("half"))
        except OSError as error:
            self.error = error
        log(row("after-1"))
        log(row("after-2"))

    def tear(self, where: str) -> None:
        """Cut the last line, as a crash does."""
        data = self.path.read_bytes()
        last = data.rindex(b"\n", 0, -1) + 1
        at = {
            "in the middle": last + 40,
            "in a character": data.index("é".encode(), last) + 1,
            "before its end": len(data) - 1,
        }[where]
        self.path.write_bytes(data[:at])

    def append(self, lines: Iterable[str]) -> None:
        """Write lines by hand."""
        with self.path.open("a", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)

    def repeat(self, field: str) -> None:
        """The last row once more, as a later version would write it."""
        values = json.loads(self.path.read_text().splitlines()[-1])
        self.append([json.dumps({**values, "revision": 9, field: "red"})])

    @property
    def rows(self) -> list[InvocationRecord]:
        """What is read."""
        return list(read_usage_log(self.path))


def row(name: str, **fields: Any) -> InvocationRecord:
    """A settled row."""
    values = {"state": "settled", "prompt_tokens": 10, "completion_tokens": 2, "revision": 1, **fields}
    attempt = Attempt(run_id="r", agent="é", provider="openai", model="m", purpose="turn", id=name)
    for key, value in values.items():
        setattr(attempt, key, value)
    return attempt.freeze()


def row_of(number: int, cells: Mapping[str, str]) -> InvocationRecord:
    """A row as a table writes it."""
    day = datetime.fromisoformat(f"{cells['day']}T23:59:59+00:00")
    return row(
        f"row-{number}",
        tenant=cells["tenant"] or None,
        model=cells["model"],
        state=cells["state"],
        prompt_tokens=int(cells["prompt_tokens"]),
        completion_tokens=int(cells["completion_tokens"]),
        cost=Decimal(cells["cost"]) if cells["cost"] else None,
        started_at=day.astimezone(UTC).timestamp(),
    )


def sums_of(logs: Logs, columns: Iterable[str]) -> list[list[str]]:
    """The sums as a table writes them."""
    return [[_cell(one, column) for column in columns] for one in sum_usage(logs.rows)]


def _cell(total: UsageSum, column: str) -> str:
    value = getattr(total, column)
    return "" if value is None else str(value)


async def count_fsync(work: Callable[[], Any]) -> int:
    """How often the disk was waited for."""
    with patch("cleveractors.usage_log.os.fsync") as fsync:
        await work()
    return fsync.call_count


WRITER = """
import sys
from features.lib.usage_logs import JsonlUsageLog, row
log = JsonlUsageLog(sys.argv[1])
for number in range(int(sys.argv[3])):
    log(row(f"{sys.argv[2]}-{number}", metadata={"filler": "x" * (number % 7 * 400)}))
"""


def _program(code: str, *arguments: str) -> subprocess.Popen[bytes]:
    root = str(Path(__file__).parent.parent.parent)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([SOURCE, root])}
    return subprocess.Popen([sys.executable, "-c", code, *arguments], env=env)


def write_from_processes(logs: Logs, processes: int, each: int) -> None:
    """Several processes append at once."""
    running = [_program(WRITER, str(logs.path), str(number), str(each)) for number in range(processes)]
    assert [process.wait(60) for process in running] == [0] * processes


ASKER = """
import asyncio, sys
from cleveractors import Credential, JsonlUsageLog, create_executor
executor = create_executor(
    {"model": "gpt-4o-mini"}, credentials={"openai": Credential("sk", sys.argv[2])}, on_usage=JsonlUsageLog(sys.argv[1])
)
asyncio.run(executor.execute("rain?"))
"""


async def kill_in_call(logs: Logs) -> None:
    """A process asks, and is killed while the provider stands at the gate."""
    bench = logs.bench
    bench.provider.script(Turn("It rains.", hold_before=bench.gate))
    process = _program(ASKER, str(logs.path), bench.provider.base_url)
    await bench.gate.wait_reached_async()
    process.send_signal(signal.SIGKILL)
    await asyncio.to_thread(process.wait)
