"""What every row has at hand: the server, and how often to measure."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from benchmarks.handmade import Handmade
from benchmarks.ours import Ours
from benchmarks.pairs import Pairs, Sample, alternate
from benchmarks.server import Server
from benchmarks.table import Row

__all__ = ["Bench", "Measurement", "answered"]

MESSAGE = "What should I wear in Paris?"


@dataclass(frozen=True, slots=True)
class Bench:
    """One run of the benchmarks.

    Args:
        server: answers both sides.
        pairs: samples of each side.
        quick: smaller samples, to see whether it all works.
    """

    server: Server
    pairs: int
    quick: bool = False

    def times(self, often: int) -> int:
        """Repetitions within a sample."""
        return max(often // 5, 1) if self.quick else often

    @asynccontextmanager
    async def sides(self, scenario: str, *tools: str) -> AsyncIterator[tuple[Ours, Handmade]]:
        """Both sides, ready for a scenario."""
        self.server.reset()
        ours = Ours(self.server.base_url, scenario, *tools)
        try:
            yield ours, Handmade(self.server.base_url, scenario, *tools)
        finally:
            await ours.aclose()

    async def alternate(self, ours: Sample, baseline: Sample) -> Pairs:
        """Take the pairs; the server remembers no request of an earlier sample."""

        async def afresh(sample: Sample) -> float:
            self.server.reset()
            return await sample()

        return await alternate(lambda: afresh(ours), lambda: afresh(baseline), self.pairs)


Measurement = Callable[[Bench], Awaitable[list[Row]]]


async def answered(answer: Awaitable[str], expected: str) -> None:
    """See that what was measured was done."""
    text = await answer
    assert text == expected, f"answered {text[:80]!r}"
