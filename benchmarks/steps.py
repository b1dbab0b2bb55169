"""What each step towards the pace has won: ours with the step taken back, against ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from unittest.mock import patch

from benchmarks.bench import MESSAGE, Bench, answered
from benchmarks.noop import NoopModel
from benchmarks.ours import Ours
from benchmarks.pairs import cpu
from benchmarks.table import Row
from benchmarks.turns import ANSWER, text_of

__all__ = ["steps"]

CHUNKS = 500
NOOP_ROUNDS = 30


def _asked_by_langchain() -> AbstractContextManager[object]:
    return patch("cleveractors.models.asking.is_bare", return_value=False)


BACK: Mapping[str, tuple[str, Callable[[], AbstractContextManager[object]]]] = {
    "without the lean transport": ("stock", nullcontext),
    "without direct asking": ("lean", _asked_by_langchain),
    "without both": ("stock", _asked_by_langchain),
}
"""Step → the transport that is left, and what takes the step back."""


async def steps(bench: Bench) -> list[Row]:
    """Each step taken back, for a round, many rounds and a stream; and for the loop alone."""
    rows: list[Row] = [await _own(bench)]
    for name, (transport, taken_back) in BACK.items():
        for scenario, rounds in (("rounds-1", 1), ("rounds-30", 30)):
            rows.append(await _rounds(bench, name, scenario, rounds, transport, taken_back))
        if transport == "stock":
            rows.append(await _chunks(bench, name, transport, taken_back))
    return rows


async def _rounds(
    bench: Bench,
    name: str,
    scenario: str,
    rounds: int,
    transport: str,
    taken_back: Callable[[], AbstractContextManager[object]],
) -> Row:
    times = bench.times(30) if rounds == 1 else 1
    ours = Ours(bench.server.base_url, scenario, "get_weather")
    before = Ours(bench.server.base_url, scenario, "get_weather", transport=transport)

    async def other() -> float:
        with taken_back():
            return await cpu(lambda: answered(before.answer(MESSAGE), ANSWER), times)

    try:
        pairs = await bench.alternate(lambda: cpu(lambda: answered(ours.answer(MESSAGE), ANSWER), times), other)
    finally:
        await ours.aclose()
        await before.aclose()
    title = "1 tool round" if rounds == 1 else f"{rounds} rounds"
    return Row(f"{name}: {title}", *pairs.medians(1e3), pairs.ratio, None, "ms")


async def _own(bench: Bench) -> Row:
    ours, times = Ours(None, "noop", "get_weather", model=NoopModel(rounds=NOOP_ROUNDS)), bench.times(10)

    async def other() -> float:
        with _asked_by_langchain():
            return await cpu(lambda: answered(ours.answer(MESSAGE), ANSWER), times)

    try:
        pairs = await bench.alternate(lambda: cpu(lambda: answered(ours.answer(MESSAGE), ANSWER), times), other)
    finally:
        await ours.aclose()
    return Row("without direct asking: own cost per round", *pairs.medians(1e6 / NOOP_ROUNDS), pairs.ratio, None, "µs")


async def _chunks(
    bench: Bench, name: str, transport: str, taken_back: Callable[[], AbstractContextManager[object]]
) -> Row:
    scenario, times = f"chunks-{CHUNKS}-after-0", bench.times(4)
    ours = Ours(bench.server.base_url, scenario)
    before = Ours(bench.server.base_url, scenario, transport=transport)

    async def read(side: Ours) -> None:
        assert "".join([piece async for piece in side.stream(MESSAGE)]) == text_of(CHUNKS)

    async def other() -> float:
        with taken_back():
            return await cpu(lambda: read(before), times)

    try:
        pairs = await bench.alternate(lambda: cpu(lambda: read(ours), times), other)
    finally:
        await ours.aclose()
        await before.aclose()
    return Row(f"{name}: {CHUNKS} chunks, per chunk", *pairs.medians(1e6 / CHUNKS), pairs.ratio, None, "µs")
