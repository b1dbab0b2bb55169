"""JSON for a reader that trusts nothing."""

from __future__ import annotations

import json
from typing import Any, TypeGuard

__all__ = ["is_list", "is_object", "load", "mended"]


_decode = json.JSONDecoder().decode


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Tell whether a JSON value is an object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Tell whether a JSON value is an array."""
    return isinstance(value, list)


def load(data: bytes) -> Any:
    """Read a JSON document.

    Raises:
        ValueError: it is none.
        RecursionError: it is nested too deeply.
    """
    document = _decode(data.decode())
    return mended(document) if b"\\ud" in data.lower() else document


def mended(value: Any) -> Any:
    """Give a document without halves of surrogate pairs, which JSON can hold and no request or database takes."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if is_list(value):
        return [mended(item) for item in value]
    if is_object(value):
        return {mended(key): mended(item) for key, item in value.items()}
    return value
