"""What no command is told: whatever looks like a key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from cleveractors.hooks.encoding import plain

__all__ = ["Redaction", "starred"]

_KEY = re.compile(
    r"\b(?:sk|pk|rk)[-_][\w-]{8,}"
    r"|\b(?:ghp|gho|ghs|github_pat|glpat|xox[a-z]|hf|gsk)[-_][\w-]{8,}"
    r"|\bAKIA[A-Z0-9]{12,}|\bAIza[\w-]{20,}|\beyJ[\w-]{10,}\.[\w.-]{10,}"
    r"|(?<=Bearer )[\w.~+/-]{8,}"
    r"|(?<=://)[^\s/@:]{1,200}:[^\s/@]{1,200}(?=@)"
)
SHOWN = 3
"""Characters of a key that are left, so that a gate can tell that there is one."""


def starred(text: str) -> str:
    """Cover what looks like a key with as many stars, but for its first characters."""
    return _KEY.sub(_stars, text)


def _stars(match: re.Match[str]) -> str:
    return match[0][:SHOWN] + "*" * (len(match[0]) - SHOWN)


class Redaction:
    """Covers the keys of one document, and knows them again in what comes back."""

    def __init__(self) -> None:
        self._covered: dict[str, set[str]] = {}

    def cover(self, document: object) -> Any:
        """Copy a document as plain data with its keys covered."""
        return plain(document, self._cover_text)

    def uncover(self, value: object) -> Any:
        """Put the keys back into what a hook has made of the document.

        Raises:
            ValueError: two keys look the same when they are covered.
        """
        if isinstance(value, str):
            return self._uncover_text(value)
        if isinstance(value, Mapping):
            entries = cast("Mapping[str, object]", value).items()
            return {self._uncover_text(key): self.uncover(item) for key, item in entries}
        return [self.uncover(item) for item in cast("list[object]", value)] if isinstance(value, list) else value

    def _cover_text(self, text: str) -> str:
        for match in _KEY.finditer(text):
            self._covered.setdefault(_stars(match), set()).add(match[0])
        return starred(text)

    def _uncover_text(self, text: str) -> str:
        if "*" not in text:
            return text
        for stars in sorted(self._covered, key=len, reverse=True):
            if stars in text:
                keys = self._covered[stars]
                if len(keys) > 1:
                    raise ValueError(f"{len(keys)} keys of the arguments look like {stars} when they are covered")
                text = text.replace(stars, next(iter(keys)))
        return text
