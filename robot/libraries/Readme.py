"""The README as a program: its blocks are run as they are written."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from robot.api import logger
from robot.api.deco import keyword, library

sys.path.append(str(Path(__file__).parent))

from Runner import Outcome, Runner

ROOT = Path(__file__).parents[2]
_FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INSTALL = re.compile(r"^pip install [^&]+ && ", re.MULTILINE)
_NUMBER = re.compile(r"\d[\d,.]*")


@dataclass(frozen=True)
class Block:
    """A fenced block: its kind, its text, and what the block after it says that it prints."""

    kind: str
    text: str
    shown: str | None


@library(scope="SUITE")
class Readme:
    """Runs the blocks; the environment is the one that runs, so nothing is installed, and nox not run within nox."""

    def __init__(self) -> None:
        self._text = (ROOT / "README.md").read_text(encoding="utf-8")
        found = _FENCED.findall(self._text)
        after = [*found[1:], ("", "")]
        self._blocks = [
            Block(kind, text, then[1] if then[0] == "text" else None)
            for (kind, text), then in zip(found, after, strict=True)
        ]
        self._runner = Runner()

    @keyword
    def readme_top(self) -> str:
        """All before the first heading of the second level."""
        return self._text.partition("\n## ")[0]

    @keyword
    def readme_block(self, kind: str, number: int = 1) -> str:
        """The text of a block."""
        return [block.text for block in self._blocks if block.kind == kind][number - 1]

    @keyword
    def run_console_blocks(self, env: dict[str, str]) -> None:
        """Run every console block with bash; what is shown after one must be what it prints, but for numbers."""
        for block in self._of("console"):
            script = re.sub(r"^nox$", "", _INSTALL.sub("", block.text), flags=re.MULTILINE)
            outcome = self._run(block, "bash", "-euo", "pipefail", "-c", script, env=env)
            for line in (block.shown or "").splitlines():
                assert _plain(line) in _plain(outcome.stdout + outcome.stderr), f"{line!r} is not printed"

    @keyword
    def run_python_blocks(self, folder: str) -> None:
        """Run every Python block as a file, beside the tools of the examples."""
        for number, block in enumerate(self._of("python")):
            file = Path(folder) / f"readme_{number}.py"
            file.write_text(block.text, encoding="utf-8")
            self._run(block, "python", str(file), env={"PYTHONPATH": str(ROOT / "examples")})

    def _of(self, kind: str) -> list[Block]:
        return [block for block in self._blocks if block.kind == kind]

    def _run(self, block: Block, *command: str, env: dict[str, str]) -> Outcome:
        outcome = self._runner.run_command(*command, cwd=str(ROOT), env=env)
        logger.info(block.text)
        assert outcome.exit_code == 0, f"{block.text}\n{outcome.stdout}\n{outcome.stderr}"
        return outcome


def _plain(text: str) -> str:
    return _NUMBER.sub("N", text)
