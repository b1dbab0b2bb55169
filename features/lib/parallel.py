"""Run all features in as many behave processes as there are cores: `python -m features.lib.parallel [OPTIONS]`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path


def share_out(features: Iterable[Path], workers: int) -> list[list[Path]]:
    """Split *features* into shares of about the same size, the longest file first."""
    shares: list[list[Path]] = [[] for _ in range(workers)]
    sizes = [0] * workers
    for feature in sorted(features, key=lambda path: path.stat().st_size, reverse=True):
        smallest = sizes.index(min(sizes))
        shares[smallest].append(feature)
        sizes[smallest] += feature.stat().st_size
    return [sorted(share) for share in shares if share]


def run(options: list[str], share: list[Path]) -> int:
    """Run one share and return 0 if all passed; its output comes out in one piece, when it has ended."""
    command = [sys.executable, "-m", "behave", *options, *map(str, share)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    sys.stdout.buffer.write(done.stdout)
    sys.stdout.flush()
    return abs(done.returncode)


def main(options: list[str]) -> int:
    workers = os.cpu_count() or 1
    shares = share_out(Path("features").rglob("*.feature"), workers)
    if not shares:
        print("There are no features.")
        return 1
    with ThreadPoolExecutor(workers) as pool:
        return max(pool.map(partial(run, options), shares))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
