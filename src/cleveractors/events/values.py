"""Any Python value as JSON and back: what JSON has no word for is marked."""

from __future__ import annotations

import base64
import dataclasses
import datetime
import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final, cast
from uuid import UUID

from cleveractors.events.redaction import redacted
from cleveractors.history import dump_messages, load_messages
from cleveractors.result import ErrorInfo
from cleveractors.tools.jsontext import ADDRESS, MOST_BITS, instance_of

__all__ = ["decode", "decode_message", "encode", "encode_error", "encode_message"]

DEEPEST: Final = 50
MOST_VALUES: Final = 250_000
"""Values of one output; a small object that holds itself many times over would fill the memory."""
LONGEST: Final = 10_000
"""Characters of a value that is told by its text."""
CHUNK_FIELDS: Final = ("id", "name", "tool_call_chunks", "additional_kwargs", "response_metadata", "usage_metadata")


def encode(value: object) -> Any:
    """A value as JSON; never raises.

    Tuples, sets, bytes, decimals, dates, ids, messages and errors are marked (`{"__decimal__": "1.50"}`) and come
    back as they were, models and dataclasses by their fields. Anything else is marked text: `{"__text__": …}`.
    """
    return _Encoder().value(value)


def encode_message(value: object) -> Any:
    """A message as an OpenAI chat dict, a chunk by its fields, neither of them marked; other values as `encode`."""
    return _Encoder().message(value)


def encode_error(error: BaseException | ErrorInfo) -> dict[str, Any]:
    """What of an error can travel; never raises."""
    try:
        info = ErrorInfo.of(error)
        return {one.name: encode(getattr(info, one.name)) for one in dataclasses.fields(info)}
    except Exception:
        return {"type": type(error).__name__, "message": "", "code": None, "retryable": False}


class _Encoder:
    """Writes one value; counts what it writes and where it is."""

    def __init__(self) -> None:
        self._left = MOST_VALUES
        self._inside: set[int] = set()

    def value(self, value: object) -> Any:
        # Whatever the code of a host's own class raises ends here.
        try:
            return self._written(value)
        except Exception:
            return {"__text__": f"<{type(value).__name__}>"}

    def message(self, value: object) -> Any:
        try:
            if instance_of(value, "langchain_core.messages.ai", "AIMessageChunk"):
                return self._chunk(value)
            if instance_of(value, "langchain_core.messages.base", "BaseMessage"):
                return self.value(dump_messages([cast("Any", value)])[0])
        except Exception:
            return _text(value)
        return self.value(value)

    def _chunk(self, chunk: Any) -> dict[str, Any]:
        fields = {name: getattr(chunk, name) for name in CHUNK_FIELDS}
        kept = {name: self.value(field) for name, field in fields.items() if field}
        return {"content": self.value(chunk.content), "tool_call_chunks": [], **kept}

    def _written(self, value: object) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return redacted("".join((value,)))
        if isinstance(value, int):
            plain = int.__pos__(value)
            return plain if plain.bit_length() < MOST_BITS else {"__int__": hex(plain)}
        if isinstance(value, float):
            plain = float.__pos__(value)
            return plain if math.isfinite(plain) else {"__float__": str(plain)}
        for kind, mark, write in _SCALARS:
            if isinstance(value, kind):
                return {mark: write(value)}
        return self._whole(value)

    def _whole(self, value: object) -> Any:
        """What has parts: bounded, and never within itself."""
        self._left -= 1
        if id(value) in self._inside:
            return {"__text__": "<cycle>"}
        if len(self._inside) >= DEEPEST or self._left < 0:
            return {"__text__": "<left out>"}
        self._inside.add(id(value))
        try:
            return self._parts(value)
        finally:
            self._inside.discard(id(value))

    def _parts(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return self._mapping(cast("Mapping[Any, Any]", value))
        if isinstance(value, (list, tuple, set, frozenset)):
            items = [self.value(item) for item in cast("list[Any]", value)]
            mark = next((f"__{kind.__name__}__" for kind in (tuple, set, frozenset) if isinstance(value, kind)), None)
            return {mark: items} if mark else items
        if isinstance(value, (BaseException, ErrorInfo)):
            return {"__error__": encode_error(value)}
        if instance_of(value, "langchain_core.messages.base", "BaseMessage"):
            return {"__message__": self.message(value)}
        fields = _fields(value)
        if fields is None:
            return _text(value)
        return {"__object__": {"type": type(value).__name__, "fields": self._mapping(fields)}}

    def _mapping(self, value: Mapping[Any, Any]) -> Any:
        pairs = list(value.items())
        self._left -= len(pairs)
        if self._left < 0:
            return {"__text__": "<left out>"}
        if all(isinstance(key, str) for key, _ in pairs) and not (len(pairs) == 1 and pairs[0][0] in _READERS):
            return {redacted("".join((key,))): self.value(item) for key, item in pairs}
        return {"__dict__": [[self.value(key), self.value(item)] for key, item in pairs]}


def _fields(value: Any) -> dict[str, Any] | None:
    """The fields of a model or dataclass, but for those that its repr hides."""
    if instance_of(value, "pydantic.main", "BaseModel"):
        told: Mapping[str, Any] = cast("Any", type(value)).model_fields
        return {name: item for name, item in value if name not in told or told[name].repr}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {one.name: getattr(value, one.name) for one in dataclasses.fields(value) if one.repr}
    return None


def _text(value: object) -> dict[str, str]:
    kind = type(value)
    try:
        # An object without a repr of its own has none but its address.
        shown = f"<{kind.__name__}>" if kind.__repr__ is object.__repr__ else ADDRESS.sub("", repr(value))
    except Exception:
        shown = f"<{kind.__name__}>"
    return {"__text__": redacted(shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…")}


def _from_bytes(value: Any) -> str:
    return base64.b64encode(bytes(value)).decode()


def _from_timedelta(value: datetime.timedelta) -> list[int]:
    return [value.days, value.seconds, value.microseconds]


_SCALARS: Final[tuple[tuple[Any, str, Callable[[Any], Any]], ...]] = (
    ((bytes, bytearray, memoryview), "__bytes__", _from_bytes),
    (Decimal, "__decimal__", str),
    (datetime.datetime, "__datetime__", datetime.datetime.isoformat),
    (datetime.date, "__date__", datetime.date.isoformat),
    (datetime.time, "__time__", datetime.time.isoformat),
    (datetime.timedelta, "__timedelta__", _from_timedelta),
    (UUID, "__uuid__", str),
)
"""Classes, their marks, and what makes JSON of their values; a datetime is a date too."""


def decode(value: Any) -> Any:
    """The inverse of `encode`; a mark that can't be read stays as it is."""
    if isinstance(value, list):
        return [decode(item) for item in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    entries = cast("dict[str, Any]", value)
    if len(entries) == 1:
        [(mark, inner)] = entries.items()
        reader = _READERS.get(mark)
        if reader is not None:
            try:
                return reader(inner)
            except Exception:
                return entries
    return {key: decode(item) for key, item in entries.items()}


def decode_message(value: Any) -> Any:
    """The inverse of `encode_message`; what is no message after all stays plain."""
    plain = decode(value)
    if not isinstance(plain, dict):
        return plain
    fields = cast("dict[str, Any]", plain)
    try:
        if "role" in fields:
            return load_messages([fields])[0]
        if "tool_call_chunks" in fields:
            from langchain_core.messages import AIMessageChunk

            return AIMessageChunk(**fields)
    except Exception:
        return fields
    return fields


def _dict(pairs: list[list[Any]]) -> dict[Any, Any]:
    return {_hashable(decode(key)): decode(item) for key, item in pairs}


def _hashable(key: Any) -> Any:
    """A key; one that came back as marked text is that text."""
    return cast("dict[str, Any]", key)["__text__"] if isinstance(key, dict) else key


def _error(fields: dict[str, Any]) -> ErrorInfo:
    return ErrorInfo(**{one.name: decode(fields[one.name]) for one in dataclasses.fields(ErrorInfo)})


def _set(items: list[Any]) -> set[Any]:
    return set(decode(items))


def _frozenset(items: list[Any]) -> frozenset[Any]:
    return frozenset(decode(items))


def _tuple(items: list[Any]) -> tuple[Any, ...]:
    return tuple(decode(items))


def _integer(digits: str) -> int:
    return int(digits, 16)


def _timedelta(parts: list[int]) -> datetime.timedelta:
    return datetime.timedelta(*parts)


def _object(value: dict[str, Any]) -> Any:
    return decode(value["fields"])


def _kept(text: str) -> dict[str, str]:
    return {"__text__": text}


_READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "__text__": _kept,
    "__int__": _integer,
    "__float__": float,
    "__bytes__": base64.b64decode,
    "__decimal__": Decimal,
    "__datetime__": datetime.datetime.fromisoformat,
    "__date__": datetime.date.fromisoformat,
    "__time__": datetime.time.fromisoformat,
    "__timedelta__": _timedelta,
    "__uuid__": UUID,
    "__tuple__": _tuple,
    "__set__": _set,
    "__frozenset__": _frozenset,
    "__dict__": _dict,
    "__error__": _error,
    "__message__": decode_message,
    "__object__": _object,
}
