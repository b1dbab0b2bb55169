"""From any value to JSON that every reader takes: UTF-8, no NaN, a typed placeholder for what JSON can't hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from datetime import date, datetime, timedelta
from datetime import time as clock_time
from decimal import Decimal
from enum import Enum
from math import isfinite
from pathlib import PurePath
from typing import Any, cast
from uuid import UUID

__all__ = ["encode", "plain"]

DEEPEST = 100
MOST_DIGITS = 2_000
_BINARY = (bytes, bytearray, memoryview)
_TEXTUAL = (date, datetime, clock_time, timedelta, Decimal, UUID, PurePath)


def encode(document: object) -> bytes:
    """Write plain data as JSON. Lone surrogates, which UTF-8 can't hold, become escapes."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False)
    # `\\udc80` is what backslashreplace writes, and what JSON calls an escape.
    return text.encode("utf-8", "backslashreplace")


def plain(value: object, text: Callable[[str], str] = str) -> Any:
    """Copy a value as what JSON can hold.

    Args:
        value: anything.
        text: what becomes of each text.
    """
    return _Copier(text).copy(value)


class _Copier:
    def __init__(self, text: Callable[[str], str]) -> None:
        self._text = text
        self._open: set[int] = set()

    def copy(self, value: object) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self._text(str.__str__(value))
        if isinstance(value, int | float):
            return _number(value)
        if isinstance(value, _BINARY):
            return f"<{type(cast('object', value)).__name__} of {len(cast('bytes', value))} bytes>"
        if isinstance(value, Mapping | Sequence | Set):
            return self._container(cast("Iterable[object]", value))
        if isinstance(value, Enum):
            return self.copy(cast("object", value.value))
        if isinstance(value, _TEXTUAL):
            return self._text(str(value))
        return f"<{type(value).__module__}.{type(value).__qualname__}>"

    def _container(self, value: Iterable[object]) -> Any:
        mark = id(value)
        if mark in self._open:
            return "<cycle>"
        if len(self._open) >= DEEPEST:
            return "<nested too deep>"
        self._open.add(mark)
        try:
            if isinstance(value, Mapping):
                entries = cast("Mapping[object, object]", value).items()
                return {self._key(key): self.copy(item) for key, item in entries}
            return [self.copy(item) for item in value]
        finally:
            self._open.discard(mark)

    def _key(self, key: object) -> str:
        if isinstance(key, str):
            return self._text(str.__str__(key))
        if key is None or isinstance(key, bool):
            return {None: "null", True: "true", False: "false"}[key]
        if isinstance(key, int | float):
            return str(_number(key))
        return self._text(f"<{type(key).__name__} {_bounded_repr(key)}>")


def _number(value: float) -> Any:
    if isinstance(value, float):
        return float(value) if isfinite(value) else f"<float {float(value)}>"
    number = int(value)
    # More digits are refused by json, for the time that they cost.
    return number if number.bit_length() <= MOST_DIGITS * 3 else f"<int of {number.bit_length()} bits>"


def _bounded_repr(value: object) -> str:
    try:
        return repr(value)[:100]
    except Exception:
        # Any object may be a key, also one whose repr is broken.
        return "?"
