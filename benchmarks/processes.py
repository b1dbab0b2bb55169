"""Rows that need a process for each side: memory, and the way from nothing to the first answer."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time

from benchmarks.bench import Bench
from benchmarks.pairs import Pairs
from benchmarks.table import Row
from benchmarks.turns import ANSWER

__all__ = ["memory", "start"]

IN_FLIGHT = 1000


async def memory(bench: Bench) -> list[Row]:
    """What a run holds while it waits for the model."""
    count = bench.times(IN_FLIGHT)
    pairs = await bench.alternate(lambda: _growth(bench, "ours", count), lambda: _growth(bench, "handmade", count))
    return [Row(f"memory per run, {count:,} in flight", *pairs.medians(1 / 1024), pairs.ratio, 1.15, "KiB")]


async def _growth(bench: Bench, side: str, count: int) -> float:
    """Bytes that one run adds to the resident memory of a process that holds many."""
    command = [sys.executable, "-m", "benchmarks.programs.flock", side, bench.server.base_url, str(count)]
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        before = int(await process.stdout.readline())
        await asyncio.to_thread(bench.server.wait_held, count)
        process.stdin.write(b"held\n")
        after = int(await process.stdout.readline())
        bench.server.release()
        await process.stdout.read()
    finally:
        if process.returncode is None:
            process.stdin.close()
            await process.wait()
    return (after - before) / count


async def start(bench: Bench) -> list[Row]:
    """From the start of a process to the first answer."""
    pairs: Pairs = await bench.alternate(lambda: _start(bench, "first_ours"), lambda: _start(bench, "first_handmade"))
    return [Row("process start to first answer, wall", *pairs.medians(1e3), pairs.ratio, 1.08, "ms")]


async def _start(bench: Bench, program: str) -> float:
    command = [sys.executable, "-m", f"benchmarks.programs.{program}", bench.server.base_url]
    began = time.perf_counter()
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    output, _ = await process.communicate()
    took = time.perf_counter() - began
    assert process.returncode == 0 and output.decode().strip() == ANSWER, output
    return took
