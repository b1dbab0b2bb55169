"""A side at a probe: `python -m benchmarks.probes.side NAME PROBE plain|asked BASE_URL`."""

from __future__ import annotations

import asyncio
import importlib
import sys
from importlib.metadata import PackageNotFoundError, version

from benchmarks.probes.stage import Stage
from benchmarks.probes.tools import RAN

__all__: list[str] = []


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "of this tree"


async def main(name: str, probe: str, mode: str, base_url: str) -> None:
    """Play it and tell the facts."""
    side = importlib.import_module(f"benchmarks.probes.sides.{name}")
    stage = Stage(base_url, asked=mode == "asked")
    facts = await getattr(side, probe)(stage)
    stage.say("facts", facts | {"ran": RAN, "versions": {package: _version(package) for package in side.PACKAGES}})


asyncio.run(main(*sys.argv[1:]))
