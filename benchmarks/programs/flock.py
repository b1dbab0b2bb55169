"""Holds many runs that all wait for the model, and tells its resident memory before and then."""

import asyncio
import gc
import os
import sys
from pathlib import Path
from typing import Any


def resident() -> int:
    """Bytes of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def side(kind: str, base_url: str, scenario: str) -> Any:
    """One side; the other one's modules stay out of the process."""
    if kind == "ours":
        from benchmarks.ours import Ours

        return Ours(base_url, scenario, "get_weather")
    from benchmarks.handmade import Handmade

    return Handmade(base_url, scenario, "get_weather")


async def main(kind: str, base_url: str, count: int) -> None:
    """Warm up, tell, hold, tell, end."""
    warm, held = side(kind, base_url, "rounds-1"), side(kind, base_url, "held")
    await asyncio.gather(*(warm.answer("Warm up.") for _ in range(20)))
    gc.collect()
    print(resident(), flush=True)
    runs = [asyncio.create_task(held.answer(f"What should I wear in Paris? {number}")) for number in range(count)]
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    gc.collect()
    print(resident(), flush=True)
    await asyncio.gather(*runs)


asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
