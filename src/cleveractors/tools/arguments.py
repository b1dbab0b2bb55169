"""What the model reads when its arguments do not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from cleveractors.tools.results import preview

__all__ = ["ToolArgumentsError", "ToolCheck", "misfit", "path_of"]

ToolCheck: TypeAlias = Callable[[dict[str, object]], object]
"""Takes the model's arguments, returns what the function takes, or raises `ToolArgumentsError`."""

MOST_PROBLEMS = 10
MOST_OF_A_PATH = 80
MOST_OF_A_PROBLEM = 300


@dataclass(eq=False)
class ToolArgumentsError(Exception):
    """The arguments of a call do not fit the tool's schema; the tool was not run."""

    text: str
    """What the model reads: each problem with its path, bounded."""

    def __str__(self) -> str:
        return self.text


def misfit(tool: str, problems: Iterable[tuple[str, str]]) -> ToolArgumentsError:
    """Make the error of one call.

    Args:
        tool: its name.
        problems: path and sentence of each; no more than needed are taken from it.
    """
    found = list(islice(problems, MOST_PROBLEMS + 1))
    lines = [_line(path, sentence) for path, sentence in found[:MOST_PROBLEMS]]
    if len(found) > MOST_PROBLEMS:
        lines.append("- and more")
    return ToolArgumentsError("\n".join([f"The arguments do not fit the schema of {tool}:", *lines]))


def path_of(steps: Sequence[object]) -> str:
    """Join the steps to a value: `days.0.name`."""
    return ".".join(str(step) for step in steps)


def _line(path: str, sentence: str) -> str:
    body = preview(sentence, MOST_OF_A_PROBLEM)
    return f"- {preview(path, MOST_OF_A_PATH)}: {body}" if path else f"- {body}"
