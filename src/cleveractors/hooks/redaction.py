"""What no command is told: whatever looks like a key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from cleveractors.hooks.encoding import plain
from cleveractors.secrets import cover, secrets_in

__all__ = ["Redaction", "starred"]

SHOWN = 3
"""Characters of a key that are left, so that a gate can tell that there is one."""


def starred(text: str) -> str:
    """Cover what looks like a key with as many stars, but for its first characters."""
    return cover(text, lambda _, key: _stars(key))


def _stars(key: str) -> str:
    return key[:SHOWN] + "*" * (len(key) - SHOWN)


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
        for key in secrets_in(text):
            self._covered.setdefault(_stars(key), set()).add(key)
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
