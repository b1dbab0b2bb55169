"""Keys that got into texts, covered."""

from __future__ import annotations

from cleveractors.secrets import cover

__all__ = ["redacted"]


def redacted(text: str) -> str:
    """Cover what looks like a key: `sk-***`, `Bearer ***`; other text is returned as it is."""
    return cover(text, lambda kind, _: f"{kind}***")
