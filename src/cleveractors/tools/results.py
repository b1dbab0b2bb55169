"""What a tool returned, as the content of a message."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, cast

from cleveractors.tools.jsontext import as_text, clean, instance_of

__all__ = ["is_error", "preview", "render"]

SOURCES: Final = ("url", "base64", "data", "file_id", "id", "source", "source_type", "file")
BLOCKS: Final[Mapping[str, tuple[str, ...]]] = {
    "text": ("text",),
    "text-plain": ("text", *SOURCES),
    "image_url": ("image_url",),
    "image": SOURCES,
    "audio": SOURCES,
    "video": SOURCES,
    "file": SOURCES,
    "document": SOURCES,
    "input_audio": ("input_audio",),
    "search_result": ("content",),
}
"""Kinds of content blocks, each with the keys of which one must be there: a row of data may have a `type` too."""


def render(value: object) -> str | list[dict[str, Any]]:
    """Make the content of a tool message; never raises.

    Text stays as it is (half surrogate pairs, which no wire carries, are replaced), content blocks stay a list,
    a LangChain message gives its content, and anything else is JSON: None is `null`. In it, dates, ids, decimals,
    paths and exceptions are text, sets are sorted lists, and bytes are their text, or a word on their size.
    """
    if isinstance(value, str):
        return as_text(value)
    if instance_of(value, "langchain_core.messages.base", "BaseMessage"):
        return _content(cast("Any", value).content)
    if isinstance(value, (list, tuple)) and (items := cast("list[object]", value)) and all(map(_is_block, items)):
        return cast("list[dict[str, Any]]", list(items))
    return as_text(cast("object", value))


def is_error(value: object) -> bool:
    """Tell whether a raw result says that it failed: a LangChain `ToolMessage` with that status."""
    return instance_of(value, "langchain_core.messages.tool", "ToolMessage") and cast("Any", value).status == "error"


def preview(text: str, limit: int = 200) -> str:
    """Show the beginning of a raw text on one line, for an error.

    Args:
        text: anything.
        limit: characters shown of it.

    Returns:
        The text with control characters escaped, and its length where it was cut.
    """
    shown = "".join(_visible(character) for character in text[:limit])
    return shown if len(text) <= limit else f"{shown}… ({len(text):,} characters)"


def _visible(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")


def _content(content: object) -> str | list[dict[str, Any]]:
    if not isinstance(content, list):
        return as_text(content)
    parts: list[object] = [
        {"type": "text", "text": clean(part)} if isinstance(part, str) else part
        for part in cast("list[object]", content)
    ]
    if not all(isinstance(part, dict) and _is_json(cast("object", part)) for part in parts):
        return as_text(parts)
    return cast("list[dict[str, Any]]", parts) or ""


def _is_block(item: object) -> bool:
    if not isinstance(item, dict):
        return False
    block = cast("dict[object, object]", item)
    kind = block.get("type")
    keys = BLOCKS.get(kind, ()) if isinstance(kind, str) else ()
    return any(isinstance(block.get(key), (str, dict, list)) for key in keys) and _is_json(block)


def _is_json(value: object, depth: int = 0) -> bool:
    if isinstance(value, str):
        return clean(value) is value
    if isinstance(value, float):
        return math.isfinite(value)
    if depth > 20:
        return False
    if isinstance(value, dict):
        pairs = cast("dict[object, object]", value).items()
        return all(isinstance(key, str) and _is_json(key) and _is_json(item, depth + 1) for key, item in pairs)
    if isinstance(value, list):
        return all(_is_json(item, depth + 1) for item in cast("list[object]", value))
    return value is None or isinstance(value, (bool, int))
