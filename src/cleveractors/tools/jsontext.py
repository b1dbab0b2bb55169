"""Any Python value as text that a model can read and a wire can carry; nothing here raises."""

from __future__ import annotations

import array
import dataclasses
import datetime
import json
import math
import re
import sys
from collections import deque
from collections.abc import Mapping, Set, ValuesView
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any, Final, cast
from uuid import UUID

__all__ = ["as_text", "clean", "instance_of"]

DEEPEST: Final = 50
LONGEST_RANGE: Final = 10_000
ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")
MOST_BITS: Final = 14_000
"""Python refuses to write longer integers in decimal."""


def as_text(value: object) -> str:
    """Write a value as JSON; what is text by nature (a date, an id, a path) without quotes."""
    # Whatever a host's own __str__ or serializer raises ends here: this is the border of a tool.
    try:
        text = _written(value)
    except Exception:
        safe = _safe(value, frozenset())
        text = safe if isinstance(safe, str) else json.dumps(safe, ensure_ascii=False)
    return clean(text)


def clean(text: str) -> str:
    """Replace what UTF-8 can't hold, half surrogate pairs; other text is returned as it is."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def instance_of(value: object, room: str, name: str) -> bool:
    """Tell whether a value is of a class whose room is imported only by those who have such values."""
    kind = getattr(sys.modules.get(room), name, None)
    return isinstance(kind, type) and isinstance(value, kind)


def _written(value: Any) -> str:
    if instance_of(value, "pydantic.main", "BaseModel"):
        return value.model_dump_json()
    plain = _plain(value)
    if isinstance(plain, str):
        return "".join((plain,))
    return json.dumps(plain, ensure_ascii=False, allow_nan=False, default=_plain)


def _plain(value: Any) -> Any:
    """Take one step towards JSON."""
    if isinstance(value, Enum):
        return _plain(value.value)
    if value is None or isinstance(value, (str, bool, int, float, list, tuple, dict)):
        return cast("object", value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _from_bytes(bytes(cast("bytes", value)))
    for kinds, convert in CONVERSIONS:
        if isinstance(value, kinds):
            return convert(value)
    if instance_of(value, "pydantic.main", "BaseModel"):
        return value.model_dump(warnings=False)
    if type(value).__module__ == "numpy":
        return value.tolist()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return _described(value)


def _from_bytes(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return f"<{len(value):,} bytes of binary data>"


def _from_set(value: Set[Any]) -> list[Any]:
    # In an order of its own, so that the same set is the same text.
    try:
        return sorted(value)
    except TypeError:
        return sorted(value, key=repr)


def _from_range(value: range) -> list[int] | str:
    return list(value) if value[:LONGEST_RANGE] == value else str(value)


def _from_exception(value: BaseException) -> str:
    text = str(value)
    return f"{type(value).__name__}: {text}" if text else type(value).__name__


def _from_date(value: datetime.date | datetime.time) -> str:
    return value.isoformat()


CONVERSIONS: Final[tuple[tuple[Any, Any], ...]] = (
    ((datetime.date, datetime.time), _from_date),
    ((Decimal, UUID, PurePath, datetime.timedelta, datetime.tzinfo), str),
    (BaseException, _from_exception),
    (Mapping, dict),
    (Set, _from_set),
    (range, _from_range),
    ((deque, ValuesView, array.array), list),
)
"""Classes, and what makes JSON or text of their values."""


def _described(value: object) -> str:
    kind = type(value)
    if kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__:
        # Its repr is an address, which differs from run to run; its attributes may be anybody's secrets.
        return f"<{kind.__name__}>"
    return ADDRESS.sub("", str(value))


def _safe(value: Any, inside: frozenset[int]) -> Any:
    """Make what `json.dumps` takes, whatever it costs: cycles, NaN and odd keys become text."""
    try:
        return _json_value(value, inside)
    except Exception:
        return f"<{type(value).__name__}>"


def _json_value(value: Any, inside: frozenset[int]) -> Any:
    plain = _plain(value)
    if plain is None or isinstance(plain, (str, bool)):
        return plain
    if isinstance(plain, int):
        return plain if plain.bit_length() < MOST_BITS else f"<an integer of {plain.bit_length():,} bits>"
    if isinstance(plain, float):
        return plain if math.isfinite(plain) else str(plain)
    if id(value) in inside:
        return "<cycle>"
    if len(inside) == DEEPEST:
        return "<nested too deeply>"
    inside |= {id(value)}
    if isinstance(plain, dict):
        return {_key(key): _safe(item, inside) for key, item in cast("dict[Any, Any]", plain).items()}
    return [_safe(item, inside) for item in plain]


def _key(key: object) -> str:
    return key if isinstance(key, str) else as_text(key)
