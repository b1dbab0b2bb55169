"""A peer at work: each line of its input asks for a sample, each line of its output is one, in seconds of CPU.

    python -m benchmarks.programs.peer NAME BASE_URL PACKAGE…
    answer 20 1 rounds-1 get_weather

Before that a line tells the packages' versions.
A line says how a run is made (`answer` or `stream`), how many follow each other, how many run at a time, the
scenario, and the tools.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import sys
import time
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

MESSAGE = "What should I wear in Paris?"


async def run(side: Any, mode: str) -> int:
    """One run; the characters of its answer."""
    if mode == "answer":
        return len(await side.answer(MESSAGE))
    return sum([len(piece) async for piece in side.stream(MESSAGE)])


async def sample(side: Any, mode: str, times: int, at_a_time: int) -> tuple[float, int]:
    """Seconds of CPU for one run, and the characters of an answer."""
    gc.collect()
    began, characters = time.process_time(), 0
    for _ in range(times):
        characters = (await asyncio.gather(*(run(side, mode) for _ in range(at_a_time))))[-1]
    return (time.process_time() - began) / times / at_a_time, characters


async def main(name: str, base_url: str, packages: Sequence[str]) -> None:
    """Take samples until the input ends."""
    peer = importlib.import_module(f"benchmarks.programs.peers.{name}").Peer
    sides: dict[tuple[str, ...], Any] = {}
    print(", ".join(f"{package} {version(package)}" for package in packages), flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        mode, times, at_a_time, *scenario = line.split()
        key = tuple(scenario)
        if key not in sides:
            sides[key] = peer(base_url, *scenario)
        print(*await sample(sides[key], mode, int(times), int(at_a_time)), flush=True)


asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
