"""Which tools a hook is for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cleveractors.exceptions import ConfigurationError

__all__ = ["ALL_TOOLS", "Matcher", "read_matcher"]

_PADDING = re.compile(r"\s*\|\s*")


@dataclass(frozen=True, slots=True)
class Matcher:
    """A regular expression that a tool's whole name has to match, or None for all tools."""

    pattern: re.Pattern[str] | None = None

    def matches(self, tool_name: str | None) -> bool:
        """Whether a hook with this matcher is for a tool."""
        return self.pattern is None or self.pattern.fullmatch(tool_name or "") is not None

    def __str__(self) -> str:
        return self.pattern.pattern if self.pattern else "*"


ALL_TOOLS = Matcher()


def read_matcher(text: str | None) -> Matcher:
    """Compile a matcher; None, blanks and `*` are all tools.

    Raises:
        ConfigurationError: it is no regular expression.
    """
    if text is None:
        return ALL_TOOLS
    # No tool's name holds blanks, so that those around an alternative can only be padding.
    trimmed = _PADDING.sub("|", text.strip())
    if trimmed in ("", "*"):
        return ALL_TOOLS
    try:
        return Matcher(re.compile(trimmed))
    except re.error as error:
        raise ConfigurationError(f"matcher {text!r} is no regular expression: {error}") from error
