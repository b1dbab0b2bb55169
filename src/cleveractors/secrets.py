"""What looks like a key: one pattern for every text that somebody else may read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

__all__ = ["cover", "secrets_in"]

_KEY: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"(?P<kind>(?:sk|pk|rk|gh[pousr]|github_pat|glpat|xox[a-z]|hf|gsk)[-_])[\w-]{6,}"
    r"|(?P<issuer>AKIA|AIza|eyJ)[\w-]{12,}(?:\.[\w.-]+)?"
    # Prose has bearers too: without a capital it takes a digit to be a key.
    r"|(?P<scheme>Bearer[ \t]+|bearer[ \t]+(?=\S*[0-9]))[\w.~+/=-]{6,}"
    r")"
    r"|(?P<address>://)[^\s/@:]{1,200}:[^\s/@]{1,200}(?=@)"
)
_WORDS: Final = ("scheme", "address")
"""What stands before a secret without being a part of it."""


def secrets_in(text: str) -> list[str]:
    """The keys in a text, without the words before them."""
    return [_split(match)[1] for match in _KEY.finditer(text)]


def cover(text: str, how: Callable[[str, str], str]) -> str:
    """Replace the keys in a text; any other text is returned as it is.

    Args:
        text: what somebody else may read.
        how: takes what tells the kind of a key, such as `sk-`, empty where nothing does, and the whole key;
            gives what stands in its place.
    """

    def covered(match: re.Match[str]) -> str:
        before, secret = _split(match)
        return before + how(match["kind"] or match["issuer"] or "", secret)

    return _KEY.sub(covered, text)


def _split(match: re.Match[str]) -> tuple[str, str]:
    before = next((match[name] for name in _WORDS if match[name]), "")
    return before, match[0][len(before) :]
