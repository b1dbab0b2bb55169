"""Rows of blocking runs: rounds of tools, how their cost grows, many at a time, and the loop's own work."""

from __future__ import annotations

import asyncio
import statistics

from benchmarks.bench import MESSAGE, Bench, answered
from benchmarks.noop import BoundLoop, NoopModel
from benchmarks.ours import MANY, Ours
from benchmarks.pairs import Pairs, cpu, exponent, wall
from benchmarks.table import Row
from benchmarks.turns import ANSWER
from cleveractors import Limits

__all__ = ["concurrent_runs", "many_rounds", "one_round", "own_cost", "parallel_tools"]

SIZES = (10, 20, 30, 45, 60)
CONCURRENT = 200
TOOLS = 20


async def _rounds(bench: Bench, rounds: int, times: int) -> Pairs:
    async with bench.sides(f"rounds-{rounds}", "get_weather") as (ours, baseline):
        return await bench.alternate(
            lambda: cpu(lambda: answered(ours.answer(MESSAGE), ANSWER), times),
            lambda: cpu(lambda: answered(baseline.answer(MESSAGE), ANSWER), times),
        )


async def one_round(bench: Bench) -> list[Row]:
    """A run of one tool round."""
    pairs = await _rounds(bench, 1, bench.times(30))
    return [Row("1 tool round, blocking", *pairs.medians(1e3), pairs.ratio, 0.70, "ms")]


async def many_rounds(bench: Bench) -> list[Row]:
    """Runs of 10 to 60 rounds, and the exponent with which they grow."""
    sizes = (10, 30, 60) if bench.quick else SIZES
    by_size = {size: await _rounds(bench, size, 3 if size < 30 else 1) for size in sizes}
    rows = [
        Row(f"{size} rounds", *by_size[size].medians(1e3), by_size[size].ratio, limit, "ms")
        for size, limit in ((30, 0.27), (60, 0.18))
    ]
    ours = exponent({size: statistics.median(pairs.ours) for size, pairs in by_size.items()})
    other = exponent({size: statistics.median(pairs.baseline) for size, pairs in by_size.items()})
    return [*rows, Row("fitted exponent, 10 to 60 rounds", ours, other, ours, 1.10, "")]


async def own_cost(bench: Bench) -> list[Row]:
    """What a round costs beside model and tool: rows, the chain of budgets, validation."""
    rounds, times = 30, bench.times(10)
    model = NoopModel(rounds=rounds)
    ours = Ours(None, "noop", "get_weather", model=model, limits=Limits(max_model_calls=MANY, max_tokens=10**9))
    baseline = BoundLoop(model)
    pairs = await bench.alternate(
        lambda: cpu(lambda: answered(ours.answer(MESSAGE), ANSWER), times),
        lambda: cpu(lambda: answered(baseline.answer(MESSAGE), ANSWER), times),
    )
    await ours.aclose()
    return [Row("own cost per round, no-op model", *pairs.medians(1e6 / rounds), pairs.ratio, 1.40, "µs")]


async def concurrent_runs(bench: Bench) -> list[Row]:
    """Many runs of two rounds at a time."""
    count = bench.times(CONCURRENT)
    async with bench.sides("rounds-2", "get_weather") as (ours, baseline):

        async def all_of(side: object) -> None:
            answers = await asyncio.gather(*(side.answer(MESSAGE) for _ in range(count)))  # type: ignore[attr-defined]
            assert answers == [ANSWER] * count

        pairs = await bench.alternate(lambda: cpu(lambda: all_of(ours)), lambda: cpu(lambda: all_of(baseline)))
    name = f"{count} concurrent runs of 2 rounds, per run"
    return [Row(name, *pairs.medians(1e3 / count), pairs.ratio, 0.78, "ms")]


async def parallel_tools(bench: Bench) -> list[Row]:
    """One round of 20 tools that take 50 ms each."""
    async with bench.sides(f"tools-{TOOLS}", "wait") as (ours, baseline):
        pairs = await bench.alternate(
            lambda: wall(lambda: answered(ours.answer(MESSAGE), ANSWER), bench.times(5)),
            lambda: wall(lambda: answered(baseline.answer(MESSAGE), ANSWER), bench.times(5)),
        )
    return [Row(f"{TOOLS} tools of 50 ms in one round, wall", *pairs.medians(1e3), pairs.ratio, 1.15, "ms")]
