"""Keys that got into texts, covered."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["redacted"]

_KEY: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"(?P<kind>(?:sk|pk|rk|gh[pousr]|github_pat|glpat|xox[a-z]|hf|gsk)[-_])[\w-]{6,}"
    r"|(?P<issuer>AKIA|AIza|eyJ)[\w-]{12,}(?:\.[\w.-]+)?"
    # Prose has bearers too: without a capital it takes a digit to be a key.
    r"|(?P<scheme>Bearer[ \t]+|bearer[ \t]+(?=\S*[0-9]))[\w.~+/=-]{6,}"
    r")"
)


def redacted(text: str) -> str:
    """Cover what looks like a key: `sk-***`, `Bearer ***`; other text is returned as it is."""
    return _KEY.sub(_covered, text)


def _covered(found: re.Match[str]) -> str:
    return f"{found['kind'] or found['issuer'] or found['scheme']}***"
