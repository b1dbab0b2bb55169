"""`python -m benchmarks`: what runs cost, against a hand-written loop; `--help` lists the options."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.bench import Bench, Measurement
from benchmarks.page import write_page
from benchmarks.processes import memory, start
from benchmarks.rounds import concurrent_runs, many_rounds, one_round, own_cost, parallel_tools
from benchmarks.server import Server
from benchmarks.steps import steps
from benchmarks.streams import chunks, events, first_token, long_arguments
from benchmarks.table import Row, show

ROWS: dict[str, Measurement] = {
    "round": one_round,
    "rounds": many_rounds,
    "chunks": chunks,
    "events": events,
    "own": own_cost,
    "concurrent": concurrent_runs,
    "tools": parallel_tools,
    "memory": memory,
    "start": start,
    "first-token": first_token,
    "arguments": long_arguments,
}

HEADS = {
    "pace": ("row", "ours", "baseline", "unit", "ratio", "limit", "ok"),
    "steps": ("row", "ours", "without", "unit", "ratio"),
    "peers": ("row", "ours", "peer", "unit", "ratio"),
}
"""What a page's marks are called → the columns of the table between them."""


async def measure(bench: Bench, names: Sequence[str]) -> list[Row]:
    """Measure rows, telling each as it comes."""
    rows: list[Row] = []
    for name in names:
        for row in await ROWS[name](bench):
            print(f"{row.name}: {row.ratio:.3f}", flush=True)
            rows.append(row)
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 if a ratio is above its limit."""
    options = _parse(arguments)
    pairs = options.pairs or (2 if options.quick else 7)
    tables: dict[str, list[Row]] = {}
    versions: dict[str, str] = {}
    with Server() as server:
        bench = Bench(server, pairs, options.quick)
        tables["pace"] = asyncio.run(measure(bench, options.rows))
        tables["steps"] = asyncio.run(steps(bench)) if options.steps else []
        if options.peers is not None:
            from benchmarks.peers import compare

            tables["peers"], told = asyncio.run(compare(bench, options.peers))
            versions["peers"] = "; ".join(told)
    tables = {name: rows for name, rows in tables.items() if rows}
    for name, rows in tables.items():
        print("\n" + show(rows, HEADS[name]))
    if options.page is not None:
        write_page(options.page, HEADS, tables, pairs, versions)
    if options.json is not None:
        figures = {name: [asdict(row) for row in rows] for name, rows in tables.items()}
        text = json.dumps({"pairs": pairs, "versions": versions, **figures}, indent=2, ensure_ascii=False)
        options.json.write_text(text + "\n", encoding="utf-8")
    return 0 if all(row.ok for row in tables.get("pace", ())) else 1


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("benchmarks", description="What runs cost, against a hand-written loop.")
    parser.add_argument("--rows", nargs="*", choices=ROWS, default=list(ROWS), metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("--pairs", type=int, help="samples of each side (7)")
    parser.add_argument("--quick", action="store_true", help="few small samples: does it all work?")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    parser.add_argument(
        "--peers", nargs="*", metavar="PEER", help="other libraries too, each in an environment under build/"
    )
    parser.add_argument("--steps", action="store_true", help="what each step has won, too")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the tables between the marks of a page, too")
    options = parser.parse_args(arguments)
    part = options.quick or options.peers or set(options.rows) not in (set(), set(ROWS))
    if options.page is not None and part:
        parser.error("a page shows whole tables: --page goes with neither --quick nor names of rows or peers")
    return options


if __name__ == "__main__":
    raise SystemExit(main())
