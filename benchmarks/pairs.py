"""Samples of two sides, taken in turns, and what they come to."""

from __future__ import annotations

import gc
import math
import statistics
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

__all__ = ["Pairs", "Sample", "alternate", "cpu", "exponent", "wall"]

Sample = Callable[[], Awaitable[float]]
Work = Callable[[], Awaitable[object]]


@dataclass(slots=True)
class Pairs:
    """Samples of ours and of the baseline; those of one place were taken one after the other."""

    ours: list[float] = field(default_factory=list[float])
    baseline: list[float] = field(default_factory=list[float])

    @property
    def ratio(self) -> float:
        """The median over the pairs, which a machine that grows slower or faster leaves alone."""
        return statistics.median(own / other for own, other in zip(self.ours, self.baseline, strict=True))

    def medians(self, scale: float = 1.0) -> tuple[float, float]:
        """Both medians, scaled."""
        return statistics.median(self.ours) * scale, statistics.median(self.baseline) * scale


async def alternate(ours: Sample, baseline: Sample, count: int) -> Pairs:
    """Take `count` pairs, each side first in every other one, after one of each that is not counted."""
    pairs = Pairs()
    await baseline()
    await ours()
    for number in range(count):
        if number % 2:
            pairs.ours.append(await ours())
            pairs.baseline.append(await baseline())
        else:
            pairs.baseline.append(await baseline())
            pairs.ours.append(await ours())
    return pairs


async def cpu(work: Work, times: int = 1) -> float:
    """Seconds of this process's CPU, all threads, for one `work`."""
    gc.collect()
    began = time.process_time()
    for _ in range(times):
        await work()
    return (time.process_time() - began) / times


async def wall(work: Work, times: int = 1) -> float:
    """Seconds that one `work` takes."""
    gc.collect()
    began = time.perf_counter()
    for _ in range(times):
        await work()
    return (time.perf_counter() - began) / times


def exponent(costs: Mapping[int, float] | Sequence[tuple[int, float]]) -> float:
    """The slope of log cost over log size, by least squares."""
    points = costs.items() if isinstance(costs, Mapping) else costs
    logs = [(math.log(size), math.log(cost)) for size, cost in points]
    return statistics.linear_regression(*zip(*logs, strict=True)).slope
