"""How texts of hooks are handed on: bounded, escaped, labelled."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html import escape
from typing import Any

__all__ = ["capped", "context_block", "continue_block", "cut", "shown"]

MOST_OF_A_CONTEXT = 10_000
MOST_OF_A_HISTORY = 1024 * 1024

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def shown(text: str) -> str:
    """A text without control characters."""
    return _CONTROLS.sub("", text)


def cut(text: str, most: int) -> str:
    """A text of at most so many characters, and a mark that tells what is missing."""
    return text if len(text) <= most else f"{text[:most]} […{len(text) - most} characters left out]"


def context_block(hook: str, text: str) -> str:
    """A context for the user's message. It can't end its own block: its angle brackets are escaped."""
    return _block("hook-context", hook, text)


def continue_block(hook: str, text: str) -> str:
    """What a hook wants done before the run may end, as a user's message."""
    return _block("hook-feedback", hook, text)


def capped(history: Sequence[dict[str, Any]], most: int = MOST_OF_A_HISTORY) -> list[dict[str, Any]]:
    """The first message of a conversation and the newest of the others, in at most so many bytes of JSON."""
    sizes = [len(json.dumps(message, default=str).encode()) for message in history]
    if sum(sizes) <= most:
        return list(history)
    first = 1 if sizes[0] <= most else 0
    left, kept = most - sum(sizes[:first]), len(history)
    while kept > first and sizes[kept - 1] <= left:
        kept -= 1
        left -= sizes[kept]
    return [*history[:first], *history[kept:]]


def _block(tag: str, hook: str, text: str) -> str:
    body = escape(cut(shown(text).strip(), MOST_OF_A_CONTEXT), quote=False)
    return f'<{tag} hook="{escape(hook)}">\n{body}\n</{tag}>'
