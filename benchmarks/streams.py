"""Rows of streamed runs: the price of a chunk, the wait for the first, and a call with long arguments."""

from __future__ import annotations

import asyncio
import gc
import statistics
import time
from collections.abc import AsyncIterator
from typing import Protocol

from benchmarks.bench import MESSAGE, Bench
from benchmarks.pairs import Pairs, cpu
from benchmarks.table import Row
from benchmarks.turns import ANSWER, text_of

__all__ = ["chunks", "events", "first_token", "long_arguments"]

CHUNKS = 500
STREAMS, PACED_CHUNKS = 200, 50
PACE = 0.02
"""Seconds before each piece of the scenario `slow-N`."""
ARRIVALS = 0.01
"""Seconds between two clients: the later ones come while the loop is busy with the chunks of those before."""


class Side(Protocol):
    """Whoever streams."""

    def stream(self, text: str) -> AsyncIterator[str]: ...


async def _read(side: Side, expected: str) -> None:
    pieces = [piece async for piece in side.stream(MESSAGE)]
    assert "".join(pieces) == expected, f"streamed {''.join(pieces)[:80]!r}"


async def chunks(bench: Bench) -> list[Row]:
    """An answer of 500 chunks, without tools and after one round of them."""
    rows: list[Row] = []
    for rounds, words, tools in ((0, "no tools", ()), (1, "after one round", ("get_weather",))):
        times = bench.times(4)
        async with bench.sides(f"chunks-{CHUNKS}-after-{rounds}", *tools) as (ours, baseline):
            pairs = await _alternate(bench, ours, baseline, text_of(CHUNKS), times)
        name = f"{CHUNKS}-chunk answer, tokens, per chunk, {words}"
        rows.append(Row(name, *pairs.medians(1e6 / CHUNKS), pairs.ratio, 0.27, "µs"))
    return rows


async def events(bench: Bench) -> list[Row]:
    """An answer of 500 chunks, its events followed."""
    times = bench.times(4)
    async with bench.sides(f"chunks-{CHUNKS}-after-0") as (ours, baseline):

        async def read() -> None:
            assert "".join([piece async for piece in ours.follow(MESSAGE)]) == text_of(CHUNKS)

        pairs = await bench.alternate(
            lambda: cpu(read, times), lambda: cpu(lambda: _read(baseline, text_of(CHUNKS)), times)
        )
    return [Row(f"{CHUNKS}-chunk answer, events, per chunk", *pairs.medians(1e6 / CHUNKS), pairs.ratio, 0.33, "µs")]


async def long_arguments(bench: Bench) -> list[Row]:
    """A tool call whose 80,000 characters of arguments come in 4,000 pieces."""
    async with bench.sides("arguments", "save") as (ours, baseline):
        pairs = await _alternate(bench, ours, baseline, ANSWER, 1)
    return [Row("80,000 characters of arguments, streamed", *pairs.medians(1e3), pairs.ratio, 0.30, "ms")]


async def _alternate(bench: Bench, ours: Side, baseline: Side, expected: str, times: int) -> Pairs:
    return await bench.alternate(
        lambda: cpu(lambda: _read(ours, expected), times), lambda: cpu(lambda: _read(baseline, expected), times)
    )


async def first_token(bench: Bench) -> list[Row]:
    """What clients that come one after the other wait for their first text, while those before them stream.

    The server takes 20 ms before each piece, the first one too. They are taken off: what is left is the client's.
    """
    count = bench.times(STREAMS)
    p95 = Pairs()
    async with bench.sides(f"slow-{PACED_CHUNKS}") as (ours, baseline):

        async def sample(side: Side, tails: list[float]) -> float:
            gc.collect()
            waits = sorted(await asyncio.gather(*(_first(side, place * ARRIVALS) for place in range(count))))
            tails.append(waits[int(len(waits) * 0.95)])
            return statistics.median(waits)

        p50 = await bench.alternate(lambda: sample(ours, p95.ours), lambda: sample(baseline, p95.baseline))
    # The first sample of each side is not counted.
    del p95.ours[0], p95.baseline[0]
    name = f"first token, {count} streams at 20 ms a chunk"
    return [
        Row(f"{name}, p50", *p50.medians(1e3), p50.ratio, 0.50, "ms"),
        Row(f"{name}, p95", *p95.medians(1e3), p95.ratio, 1.00, "ms"),
    ]


async def _first(side: Side, arrival: float) -> float:
    await asyncio.sleep(arrival)
    began, waited = time.perf_counter(), 0.0
    text = ""
    async for piece in side.stream(MESSAGE):
        waited = waited or time.perf_counter() - began - PACE
        text += piece
    assert text == text_of(PACED_CHUNKS)
    return waited
