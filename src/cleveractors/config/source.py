"""The text a document came from: offsets become lines and columns as an editor counts them."""

from __future__ import annotations

import re
from bisect import bisect_right

from .shown import masked

__all__ = ["Path", "Source"]

Path = tuple[str | int, ...]
"""The way to a value: keys and list positions from the root."""

_BREAK = re.compile(r"\r\n|\n|\r")


class Source:
    """One document's text and file name.

    Args:
        file: the name to show, None when the document is a mapping.
        text: the text whose positions are known, None for JSON and mappings.
    """

    def __init__(self, file: str | None, text: str | None) -> None:
        self.file = file
        self.text = text
        self._starts = [0, *(match.end() for match in _BREAK.finditer(text or ""))]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset, both from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return a line for display: without its break, secrets masked, columns unmoved."""
        start = self._starts[number - 1]
        end = self._starts[number] if number < len(self._starts) else None
        return masked((self.text or "")[start:end].rstrip("\r\n"))

    def find(self, fragment: str, start: int, end: int) -> int:
        """Return the offset of a fragment between two offsets, `start` when it is not there as written."""
        found = (self.text or "").find(fragment, start, end)
        return start if found < 0 else found
