"""Plays a probe on a side: a process of the side's own environment, a provider of its own, and a time limit."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.peers import PEERS, _environment
from benchmarks.probes.scenes import SCENES, Scene
from benchmarks.probes.stage import MARK, Facts
from benchmarks.probes.verdicts import GOOD, Verdict, judge
from cleveractors.testing import ScriptedProvider

__all__ = ["SIDES", "Finding", "play"]

SIDES = ("cleveractors", "pydantic_ai", "openai_agents", "langchain", "agno")

ROOT = Path(__file__).parents[2]
LIMIT = 60.0
"""Seconds of one probe; what takes longer hangs."""


@dataclass(frozen=True)
class Finding:
    """What a side did at a probe.

    Args:
        plain: as it comes.
        asked: with the opt-in; None where there is none, or none was needed.
        how: the opt-in.
        note: where the figures stand, or why there is no such feature.
        facts: as the side told them, with the opt-in where there is one.
        versions: of the side's packages.
    """

    plain: Verdict
    asked: Verdict | None = None
    how: str = ""
    note: str = ""
    facts: Facts = field(default_factory=Facts)
    versions: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def cell(self) -> str:
        """The table's words."""
        return f"{self.plain.text}; on request: {self.asked.text}" if self.helps and self.asked else self.plain.text

    @property
    def helps(self) -> bool:
        """Whether the opt-in makes it better."""
        return self.asked is not None and self.asked.rank > self.plain.rank


async def play(side: str, probe: str) -> Finding:
    """Play a probe as the library comes, and with its opt-in where that is not good.

    Raises:
        RuntimeError: the side's process failed.
        CalledProcessError: the side's environment can't be made.
    """
    python = Path(sys.executable) if side not in PEERS else await asyncio.to_thread(_environment, side)
    plain, facts = await _once(python, side, probe, "plain")
    note = str(facts.get("lacking") or facts.get("where") or "")
    versions = facts.pop("versions", {})
    if plain.rank >= GOOD or side not in PEERS or "lacking" in facts:
        return Finding(plain, note=note, facts=facts, versions=versions)
    asked, more = await _once(python, side, probe, "asked")
    if not asked.text:
        return Finding(plain, note=note, facts=facts, versions=versions)
    more.pop("versions", None)
    return Finding(plain, asked, str(more.get("how", "")), note, {"plain": facts, "asked": more}, versions)


async def _once(python: Path, side: str, probe: str, mode: str) -> tuple[Verdict, Facts]:
    with ScriptedProvider() as provider:
        scene = Scene(provider)
        SCENES[probe](scene)
        command = (str(python), "-m", "benchmarks.probes.side", side, probe, mode, provider.base_url)
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=ROOT, env=_variables(side), limit=1 << 20
        )
        try:
            facts = await asyncio.wait_for(_follow(process, scene), LIMIT)
        except TimeoutError:
            return Verdict(f"hangs ({LIMIT:.0f} s)", -1), {}
        finally:
            scene.gate.open()
            await _end(process)
        if facts.keys() <= {"ran", "versions"}:
            return Verdict(""), facts
        return judge(probe, facts, scene), facts


def _variables(side: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    if side in PEERS:
        kept.pop("PYTHONPATH", None)
    return kept


async def _follow(process: Process, scene: Scene) -> Facts:
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    errors = asyncio.ensure_future(process.stderr.read())
    while line := (await process.stdout.readline()).decode():
        if not line.startswith(MARK):
            continue
        told = json.loads(line.removeprefix(MARK))
        if "facts" in told:
            return told["facts"]
        await scene.reach(told["moment"])
        process.stdin.write(b"go on\n")
    raise RuntimeError(f"the side has ended: {(await errors).decode()[-2000:]}")


async def _end(process: Process) -> None:
    try:
        await asyncio.wait_for(process.wait(), 5)
    except TimeoutError:
        process.kill()
        await process.wait()
