"""What a docstring says: its first paragraph, and a sentence for each parameter."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

__all__ = ["Docstring", "read_docstring"]

SPHINX = re.compile(r"^:(?:param|parameter|arg|argument|key|keyword)\s+(?:[^:]*?[\s*])?\\?\**(\w+)\s*:\s*(.*)$")
GOOGLE_HEAD = re.compile(
    r"^(?:args|arguments|parameters|params|keyword args|keyword arguments|other parameters):$", re.I
)
GOOGLE_ITEM = re.compile(r"^\\?\**(\w+)\s*(?:\([^)]*(?:\)[^):]*)*\))?\s*:\s*(.*)$")
NUMPY_HEAD = re.compile(r"^(?:parameters|other parameters)$", re.I)
NUMPY_ITEM = re.compile(r"^(\\?\**\w+(?:\s*,\s*\\?\**\w+)*)\s*(?::.*)?$")


@dataclass(frozen=True, slots=True)
class Docstring:
    """What the model is told of a function."""

    description: str = ""
    """The first paragraph, on one line."""
    parameters: Mapping[str, str] = field(default_factory=dict[str, str])


def read_docstring(text: str | None) -> Docstring:
    """Read a docstring in the style of Google, NumPy or Sphinx, or mixed."""
    lines = inspect.cleandoc(text or "").splitlines()
    parameters: dict[str, str] = {}
    for reader in (_sphinx, _google, _numpy):
        for name, words in reader(lines):
            parameters.setdefault(name.lstrip("\\*"), " ".join(words).strip())
    return Docstring(_first_paragraph(lines), {name: text for name, text in parameters.items() if text})


def _first_paragraph(lines: Sequence[str]) -> str:
    paragraph: list[str] = []
    for index, line in enumerate(lines):
        if not line.strip() or _is_heading(lines, index) or line.startswith(":"):
            break
        paragraph.append(line.strip())
    return " ".join(paragraph)


def _is_heading(lines: Sequence[str], index: int) -> bool:
    return bool(GOOGLE_HEAD.match(lines[index].strip())) or _is_underlined(lines, index)


def _is_underlined(lines: Sequence[str], index: int) -> bool:
    below = lines[index + 1].strip() if index + 1 < len(lines) else ""
    return len(below) >= 3 and set(below) == {"-"}


def _sphinx(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    for index, line in enumerate(lines):
        if found := SPHINX.match(line.strip()):
            yield found[1], [found[2], *_indented(lines, index + 1, _depth(line))]


def _google(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    for start, line in enumerate(lines):
        if not GOOGLE_HEAD.match(line.strip()):
            continue
        body = range(start + 1, _end(lines, start + 1, _depth(line)))
        inner = min((_depth(lines[at]) for at in body if lines[at].strip()), default=0)
        for at in body:
            if _depth(lines[at]) == inner and (found := GOOGLE_ITEM.match(lines[at].strip())):
                yield found[1], [found[2], *_indented(lines, at + 1, inner)]


def _numpy(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    for start, line in enumerate(lines):
        if not (NUMPY_HEAD.match(line.strip()) and _is_underlined(lines, start)):
            continue
        depth = _depth(line)
        for at in range(start + 2, len(lines)):
            if _is_heading(lines, at):
                break
            if lines[at].strip() and _depth(lines[at]) == depth and (found := NUMPY_ITEM.match(lines[at].strip())):
                words = _indented(lines, at + 1, depth)
                for name in found[1].split(","):
                    yield name.strip(), words


def _indented(lines: Sequence[str], start: int, depth: int) -> list[str]:
    return [line.strip() for line in lines[start : _end(lines, start, depth)] if line.strip()]


def _end(lines: Sequence[str], start: int, depth: int) -> int:
    """Find where the lines that stand deeper than `depth` end."""
    for index in range(start, len(lines)):
        if lines[index].strip() and _depth(lines[index]) <= depth:
            return index
    return len(lines)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
