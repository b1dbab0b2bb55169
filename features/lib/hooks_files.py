"""Hooks that a file holds, and the examples."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cleveractors.exceptions import ConfigurationError
from cleveractors.hooks import Hooks
from cleveractors.hooks.facts import ToolRan
from cleveractors.hooks.inspect import RunReport, check_file, run_once
from features.lib.hooks import HooksWorld

__all__ = ["load", "problems_of"]

EXAMPLES = Path("examples/hooks").resolve()


def write(story: HooksWorld, name: str, text: str, *, runs: bool = False) -> None:
    """Write a file of the scenario."""
    path = story.file(name)
    path.write_text(text.replace("{python}", sys.executable) + "\n", encoding="utf-8")
    path.chmod(0o755 if runs else 0o644)


def load(story: HooksWorld, *, trust: frozenset[str] | None = None) -> None:
    """Read the scenario's hooks.yaml."""
    story.hooks = Hooks.from_file(story.file("hooks.yaml"), cwd=story.folder, trust=trust)


def problems_of(error: BaseException | None) -> list[dict[str, str]]:
    """An error's problems as rows."""
    assert isinstance(error, ConfigurationError), repr(error)
    return [_row(problem) for problem in error.problems]


def kept_problems(story: HooksWorld) -> list[dict[str, str]]:
    """What was wrong with entries that were left out, as rows."""
    return [_row(problem) for problem in story.hooks.problems]


def _row(problem: Any) -> dict[str, str]:
    hint = f" ({problem.hint})" if problem.hint else ""
    return {"line": str(problem.line), "path": problem.path, "told": f"{problem.message}{hint}"}


def agree(found: list[dict[str, str]], wanted: list[dict[str, str]]) -> bool:
    """Whether problems are as a table has them; a sentence may be told in part."""
    return len(found) == len(wanted) and all(
        (one["line"], one["path"]) == (two["line"], two["path"]) and two["told"] in one["told"]
        for one, two in zip(found, wanted, strict=True)
    )


def checked(story: HooksWorld) -> dict[str, Any]:
    """A file as `check_file` tells it."""
    report = check_file(story.file("hooks.yaml"), cwd=story.folder)
    return {"starts": report.starts, "hooks": len(report.hooks), "problems": len(report.problems)}


def digests(story: HooksWorld) -> list[str | None]:
    """The digests as `check_file` tells them."""
    return [hook.digest for hook in check_file(story.file("hooks.yaml"), cwd=story.folder).hooks]


def check_many_digests(story: HooksWorld, count: int) -> None:
    """More scripts than are remembered."""
    for number in range(count):
        write(story, f"{number}.sh", f"exit {number}", runs=True)
        story.hooks.command("pre_tool_call", ["sh", f"{number}.sh"])
    first, again = story.hooks.digest(), story.hooks.digest()
    assert len(first) == count and first == again
    write(story, "0.sh", "exit 1", runs=True)
    assert len(story.hooks.digest() - first) == 1


def tried(story: HooksWorld, event: str, payload: Mapping[str, Any]) -> list[RunReport]:
    """A file's hooks run once."""
    return run_once(story.file("hooks.yaml"), event, payload, cwd=story.folder)


def example(name: str) -> Hooks:
    """The hooks of an example: a module's, or a file's."""
    if name.endswith(".yaml"):
        return Hooks.from_file(EXAMPLES / name, cwd=EXAMPLES)
    return runpy.run_path(str(EXAMPLES / name))["hooks"]


async def tell_tool(story: HooksWorld, tool: str) -> None:
    """Tell that a tool has answered."""
    await story.run_hooks.post_tool_call(story.context, ToolRan(tool, {}, "call-1", "done", 0.02, "ok"))
