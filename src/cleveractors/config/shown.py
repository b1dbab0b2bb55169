"""How values of strangers are shown: bounded, escaped, without secrets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import cast

from cleveractors.secrets import cover

__all__ = ["found", "listing", "masked", "path_text", "printable", "quoted"]

_SHOWN = 60
_LINE = 1000
_NAMES = 40

_SECRET_KEY = re.compile(
    r"(?i)[\w-]{0,40}(?:api_?-?key|secret|passw(?:or)?d|access_?token|auth_?token|authorization|credentials?)"
    r"[\"']?\s{0,8}:\s{1,8}(?P<value>[^\s{\[#][^,}\]]{0,400})"
)


def printable(text: str) -> str:
    """Escape what a terminal would obey or hide: controls, bidirectional marks, lone surrogates."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def _starred_value(match: re.Match[str]) -> str:
    value = match["value"]
    return match[0][: -len(value)] + "*" * len(value)


def masked(line: str) -> str:
    """Cover what looks like a secret with as many stars, so that columns stay where they are."""
    return _SECRET_KEY.sub(_starred_value, cover(line[:_LINE], lambda _, key: "*" * len(key)))


def quoted(text: str, quote: str = '"') -> str:
    """Show a text in quotes, at most 60 characters of it, secrets shortened."""
    head = printable(cover(text[: 4 * _SHOWN], lambda _, key: f"{key[:3]}…"))
    cut = len(head) > _SHOWN or len(text) > 4 * _SHOWN
    return f"{quote}{head[: _SHOWN - 1]}…{quote}" if cut else f"{quote}{head}{quote}"


def listing(names: Iterable[str], none: str = "none") -> str:
    """Join names for a sentence, at most 40 of them."""
    ordered = list(names)
    shown = ", ".join(quoted(name, "`") for name in ordered[:_NAMES])
    more = len(ordered) - _NAMES
    return f"{shown} and {more} more" if more > 0 else shown or none


def path_text(path: Iterable[str | int]) -> str:
    """Write a path as `agents.assistant.fallbacks[0].model`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{quoted(part, '')}"
    return text.removeprefix(".")


def found(value: object, raw: str | None = None) -> str:
    """Describe a value of a document: `found the text "5"`.

    Args:
        value: what was read.
        raw: how a plain scalar was written, shown instead of what it was read as.
    """
    if isinstance(value, str):
        return f"found the text {quoted(value)}" if value else "found an empty text"
    if isinstance(value, Mapping):
        return f"found a mapping of {len(cast('Mapping[object, object]', value))}"
    if isinstance(value, list):
        return f"found a list of {len(cast('list[object]', value))}"
    if value is None:
        return "found nothing (null)"
    return f"found {quoted(raw or _scalar(value), '')}"


def _scalar(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)
