"""`python -m benchmarks.probes`: what libraries do at the same moments; `--help` lists the options."""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.probes.page import table, write_page
from benchmarks.probes.play import SIDES, Finding, play
from benchmarks.probes.scenes import SCENES

Findings = dict[str, dict[str, Finding]]


async def ask(sides: Sequence[str], probes: Sequence[str]) -> tuple[Findings, bool]:
    """Play probes on sides, telling each as it comes; whether all could be played."""
    found: Findings = {side: {} for side in sides}
    whole = True
    for side in sides:
        for probe in probes:
            try:
                found[side][probe] = await play(side, probe)
                print(f"{side}: {probe}: {found[side][probe].cell}", flush=True)
            except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
                print(f"{side}: {probe}: left out, {error}", file=sys.stderr, flush=True)
                whole = False
    return found, whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 if a probe could not be played."""
    options = _parse(arguments)
    sides = [SIDES[0], *(side for side in options.peers or SIDES if side != SIDES[0])]
    found, whole = asyncio.run(ask(sides, options.probes))
    print("\n" + table(found, options.probes))
    if options.json is not None:
        told = {side: {probe: asdict(one) for probe, one in probes.items()} for side, probes in found.items()}
        options.json.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    if options.write is not None and not whole:
        print(f"{options.write} is left as it was, since the table is not whole", file=sys.stderr)
    elif options.write is not None:
        write_page(options.write, found, options.probes)
    return 0 if whole else 1


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("benchmarks.probes", description="What libraries do at the same moments.")
    parser.add_argument(
        "peers", nargs="*", metavar="PEER", help=f"{', '.join(SIDES)}; all where none is named, the first one always"
    )
    parser.add_argument("--probes", nargs="+", choices=SCENES, default=list(SCENES), metavar="PROBE")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the findings with their facts there too")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the tables between the marks of a page, too")
    options = parser.parse_args(arguments)
    if unknown := set(options.peers) - set(SIDES):
        parser.error(f"there is no peer {', '.join(sorted(unknown))}")
    if options.write is not None and (options.peers or options.probes != list(SCENES)):
        parser.error("--write needs every peer and every probe")
    return options


if __name__ == "__main__":
    raise SystemExit(main())
