"""Other libraries at the same work, each in an environment of its own under `build/peers`."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.bench import MESSAGE, Bench
from benchmarks.ours import Ours
from benchmarks.pairs import alternate, cpu
from benchmarks.table import Row
from benchmarks.turns import ANSWER, text_of

__all__ = ["PEERS", "compare"]

PEERS: Mapping[str, Sequence[str]] = {
    "langchain": ("langchain", "langchain-openai"),
    "pydantic_ai": ("pydantic-ai-slim[openai]",),
    "openai_agents": ("openai-agents",),
    "agno": ("agno", "openai"),
}
"""What each one's environment needs."""

ROOT = Path(__file__).parents[1]
ENVIRONMENTS = ROOT / "build" / "peers"


@dataclass(frozen=True, slots=True)
class _Work:
    """What both sides do."""

    name: str
    mode: str
    times: int
    at_a_time: int
    scenario: tuple[str, ...]
    answer: str
    unit: str
    scale: float
    """From seconds of one run to the unit."""


WORKS = (
    _Work("1 tool round", "answer", 20, 1, ("rounds-1", "get_weather"), ANSWER, "ms", 1e3),
    _Work("30 rounds", "answer", 1, 1, ("rounds-30", "get_weather"), ANSWER, "ms", 1e3),
    _Work("500 chunks, per chunk", "stream", 3, 1, ("chunks-500-after-0",), text_of(500), "µs", 1e6 / 500),
    _Work("200 runs of 2 rounds at a time", "answer", 1, 200, ("rounds-2", "get_weather"), ANSWER, "ms", 1e3),
)


class Peer:
    """A peer's process.

    Args:
        name: of its module.
        base_url: of the server.
    """

    def __init__(self, name: str, base_url: str) -> None:
        self._name = name
        self._base_url = base_url
        self.versions = ""
        """Of its packages."""
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Peer:
        python = await asyncio.to_thread(_environment, self._name)
        packages = [package.partition("[")[0] for package in PEERS[self._name]]
        self._process = await asyncio.create_subprocess_exec(
            *(str(python), "-m", "benchmarks.programs.peer", self._name, self._base_url, *packages),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=ROOT,
        )
        self.versions = await self._line()
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            await self._process.wait()

    async def sample(self, work: _Work) -> float:
        """Seconds of CPU for one run."""
        assert self._process is not None and self._process.stdin is not None
        line = f"{work.mode} {work.times} {work.at_a_time} {' '.join(work.scenario)}\n"
        self._process.stdin.write(line.encode())
        seconds, characters = (await self._line()).split()
        assert int(characters) == len(work.answer), f"{self._name} answered {characters} characters"
        return float(seconds)

    async def _line(self) -> str:
        assert self._process is not None and self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._name} has ended")
        return line.decode().strip()


async def compare(bench: Bench, names: Sequence[str]) -> tuple[list[Row], list[str]]:
    """Measure peers, all of them where none is named; one that can't be installed or fails is said and left out.

    Returns:
        The rows, and the versions of those that were measured.
    """
    rows: list[Row] = []
    versions: list[str] = []
    for name in names or PEERS:
        try:
            async with Peer(name, bench.server.base_url) as peer:
                versions.append(peer.versions)
                for work in WORKS:
                    rows.append(await _row(bench, peer, name, work))
                    print(f"{rows[-1].name}: {rows[-1].ratio:.3f}", flush=True)
        except (subprocess.CalledProcessError, OSError, RuntimeError, AssertionError) as error:
            print(f"{name}: left out, {error}", file=sys.stderr, flush=True)
    return rows, versions


async def _row(bench: Bench, peer: Peer, name: str, work: _Work) -> Row:
    ours = Ours(bench.server.base_url, *work.scenario)

    async def run() -> None:
        if work.mode == "answer":
            answers = await asyncio.gather(*(ours.answer(MESSAGE) for _ in range(work.at_a_time)))
            assert set(answers) == {work.answer}
        else:
            assert "".join([piece async for piece in ours.stream(MESSAGE)]) == work.answer

    async def own() -> float:
        bench.server.reset()
        return await cpu(run, work.times) / work.at_a_time

    async def other() -> float:
        bench.server.reset()
        return await peer.sample(work)

    try:
        pairs = await alternate(own, other, bench.pairs)
    finally:
        await ours.aclose()
    return Row(f"{name}: {work.name}", *pairs.medians(work.scale), pairs.ratio, None, work.unit)


def _environment(name: str) -> Path:
    """The interpreter of a peer's environment, which is made where it is not there.

    Raises:
        CalledProcessError: it can't be made.
    """
    home = ENVIRONMENTS / name
    python = home / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if not (home / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PEERS[name]], check=True)
        (home / "ready").touch()
    return python
