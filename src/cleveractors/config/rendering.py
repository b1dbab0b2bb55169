"""Problems as a compiler shows them: place, message, the line with a caret, a hint."""

from __future__ import annotations

import unicodedata

from ..exceptions import ConfigurationError, Problem
from .shown import printable

__all__ = ["render"]

_BEFORE = 60
_WIDTH = 110
_BOLD, _RED, _BLUE, _OFF = "\x1b[1m", "\x1b[1;31m", "\x1b[1;34m", "\x1b[0m"


def render(error: ConfigurationError, *, color: bool = False) -> str:
    """Return every problem of an error as text for a terminal.

    Args:
        error: what loading an actor raised.
        color: whether to mark it up with ANSI colors.
    """
    return "\n".join(_Painter(color).problem(problem) for problem in error.problems)


class _Painter:
    def __init__(self, color: bool) -> None:
        self._color = color

    def problem(self, problem: Problem) -> str:
        place = ":".join(str(part) for part in (problem.file, problem.line, problem.column) if part is not None)
        head = f"{self._in(_BOLD, printable(place))}: " if place else ""
        path = f"{printable(problem.path)}: " if problem.path else ""
        lines = [f"{head}{self._in(_RED, 'error')}: {path}{printable(problem.message)}"]
        number = str(problem.line or "")
        margin = " " * max(len(number), 4)
        if problem.source is not None:
            shown, before = _window(problem.source, (problem.column or 1) - 1)
            lines.append(f" {self._in(_BLUE, f'{number:>4} |')} {shown}")
            lines.append(f" {margin} {self._in(_BLUE, '|')} {' ' * before}{self._in(_RED, '^')}")
        if problem.hint:
            lines.append(f" {margin} {self._in(_BLUE, '= hint:')} {printable(problem.hint)}")
        return "\n".join(lines)

    def _in(self, code: str, text: str) -> str:
        return f"{code}{text}{_OFF}" if self._color else text


def _window(line: str, at: int) -> tuple[str, int]:
    """Cut a long line around a position; return what to show and the cells before the position."""
    at = min(at, len(line))
    start = max(0, at - _BEFORE) if len(line) > _WIDTH else 0
    cut = line[start : start + _WIDTH]
    head = "…" if start else ""
    tail = "…" if start + _WIDTH < len(line) else ""
    shown = head + "".join(char if char.isprintable() else " " for char in cut) + tail
    return shown, len(head) + sum(_cells(char) for char in cut[: at - start])


def _cells(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
