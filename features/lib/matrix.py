"""The fault matrix: every ending, asked in every mode, at every place: `python -m features.lib.matrix`."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections import Counter
from collections.abc import Iterable

from features.lib.matrix_checks import check_cell, check_threads
from features.lib.matrix_endings import ENDINGS
from features.lib.matrix_stage import MODES, PLACES, Mode, Place, Stage
from features.lib.world import World

__all__ = ["row_of", "run_cell"]

IMPOSSIBLE = "·"


def run_cell(name: str, mode: Mode, place: Place) -> str:
    """One run, on a loop of its own; what it tells of the provider's bill, as one sign."""
    ending = ENDINGS[name]
    if mode not in ending.modes or place not in ending.places:
        return IMPOSSIBLE
    before = set(threading.enumerate())
    verdict: list[str] = []
    try:
        asyncio.run(_cell(name, mode, place, verdict))
    except KeyboardInterrupt:
        if "SIGINT" not in name:
            raise
    except Exception as error:
        error.add_note(f"in the cell {name!r}, {mode}, {place}")
        raise
    check_threads(before)
    return verdict[0]


async def _cell(name: str, mode: Mode, place: Place, verdict: list[str]) -> None:
    ending, world = ENDINGS[name], World(asyncio.get_running_loop())
    stage = Stage(world, mode, place)
    try:
        ending.arrange(stage)
        await ending.drive(stage)
        expected = ending.expected(mode, place)
        await stage.settle(left=expected.left)
        verdict.append(check_cell(stage, expected))
    finally:
        await world.close()
    await stage.provider.wait_closed_async()
    left = asyncio.all_tasks() - {asyncio.current_task()}
    assert not left, f"tasks are left: {left}"
    if stage.interrupted:
        raise asyncio.CancelledError


def row_of(name: str) -> list[str]:
    """The cells of an ending: for each mode one text with a sign for each place."""
    return ["".join(run_cell(name, mode, place) for place in PLACES) for mode in MODES]


def table(rows: Iterable[tuple[str, list[str]]]) -> str:
    """The matrix in Markdown."""
    lines = [f"| ending | {' | '.join(MODES)} |", "| --- | --- | --- | --- |"]
    lines += [f"| {name} | {' | '.join(f'`{cells}`' for cells in row)} |" for name, row in rows]
    return "\n".join(lines)


def counts(rows: Iterable[tuple[str, list[str]]]) -> str:
    """What the cells say, counted."""
    found: dict[str, Counter[str]] = {mode: Counter() for mode in MODES}
    for _, row in rows:
        for mode, cells in zip(MODES, row, strict=True):
            found[mode].update(cells)
    total = sum((Counter(one) for one in found.values()), Counter[str]())
    lines = [f"{mode}: {_line(one)}" for mode, one in found.items()]
    return "\n".join([*lines, f"in all: {_line(total)}"])


def _line(count: Counter[str]) -> str:
    cells = sum(number for sign, number in count.items() if sign != IMPOSSIBLE)
    return f"{cells} cells, {count['=']} equal, {count['~']} flagged and estimated, {count['0']} with nothing billed"


def main(names: list[str]) -> int:
    rows: list[tuple[str, list[str]]] = []
    for name in names or ENDINGS:
        rows.append((name, row_of(name)))
        print(f"{name}: {' '.join(rows[-1][1])}", file=sys.stderr, flush=True)
    print(table(rows))
    print()
    print(counts(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
