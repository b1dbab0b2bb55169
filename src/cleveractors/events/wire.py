"""Events as JSON, for a queue, a file or another process."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Final, cast

from cleveractors.events import types
from cleveractors.events.envelope import EventOrigin, EventYield, ReactOutput, ResponseYield, is_event_yield
from cleveractors.events.types import ReActEvent
from cleveractors.events.values import decode, decode_message, encode, encode_error, encode_message
from cleveractors.result import ErrorInfo

__all__ = ["event_from_dict", "event_to_dict"]

VERSION: Final = 1

_KINDS: Final[dict[str, type[ReActEvent]]] = {
    str(kind.event_type): kind
    for kind in vars(types).values()
    if isinstance(kind, type) and issubclass(kind, ReActEvent) and kind is not ReActEvent
}
_MESSAGE_LISTS: Final = ("messages", "final_messages")
_LEFT_OUT: Final[dict[str, Any]] = {"accumulated_content": "", **dict.fromkeys(_MESSAGE_LISTS, ())}
"""What the lean form leaves out, and what it reads as."""


def event_to_dict(output: ReactOutput, lean: bool = False) -> dict[str, Any]:
    """An event with its origin, or the answer, as JSON values; `event_from_dict` is the inverse.

    Messages are OpenAI chat dicts, chunks and errors are dicts, and values that JSON has no word for are
    marked. What looks like a key is covered. Whatever values an event holds, this does not raise.

    Args:
        output: what a stream yielded.
        lean: leave out `accumulated_content` and the lists of messages.
    """
    if is_event_yield(output):
        return {
            "version": VERSION,
            "kind": "event",
            "event_type": str(output.event.event_type),
            "event": _written(output.event, lean),
            "origin": _written(output.origin, lean),
        }
    return {"version": VERSION, "kind": "response", **_written(output, lean)}


def event_from_dict(values: Mapping[str, Any]) -> ReactOutput:
    """The inverse of `event_to_dict`: an error comes back as an `ErrorInfo`, marked text as it is.

    Raises:
        ValueError: it was written by another version, or is no event.
    """
    if values.get("version") != VERSION:
        raise ValueError(f"an event of version {values.get('version')!r}; this library reads {VERSION}")
    if values.get("kind") == "response":
        return _read(ResponseYield, values)
    kind = _KINDS.get(str(values.get("event_type")))
    if values.get("kind") != "event" or kind is None:
        raise ValueError(f"no event: kind {values.get('kind')!r}, event_type {values.get('event_type')!r}")
    return EventYield(_read(kind, values.get("event", {})), _read(EventOrigin, values.get("origin", {})))


def _written(facts: ReActEvent | EventOrigin | ResponseYield, lean: bool) -> dict[str, Any]:
    names = [one.name for one in dataclasses.fields(facts)]
    return {name: _field(facts, name) for name in names if not (lean and name in _LEFT_OUT)}


def _field(facts: object, name: str) -> Any:
    value = getattr(facts, name)
    if name in _MESSAGE_LISTS and isinstance(value, list):
        return [encode_message(one) for one in cast("list[object]", value)]
    if _is_message(type(facts), name):
        return encode_message(value)
    if name == "error" and isinstance(value, (BaseException, ErrorInfo)):
        return encode_error(value)
    return encode(value)


def _is_message(kind: type, name: str) -> bool:
    return name == "chunk" or (name == "response" and issubclass(kind, types.LLMCallEndEvent))


def _read(kind: type[Any], values: Mapping[str, Any]) -> Any:
    fields = [one.name for one in dataclasses.fields(kind)]
    known = {name: _value(kind, name, values[name]) for name in fields if name in values}
    lean = {name: list(value) if value == () else value for name, value in _LEFT_OUT.items() if name in fields}
    try:
        return kind(**{**lean, **known})
    except TypeError as error:
        raise ValueError(f"no {kind.__name__}: {error}") from None


def _value(kind: type, name: str, value: Any) -> Any:
    if name in _MESSAGE_LISTS and isinstance(value, list):
        return [decode_message(one) for one in cast("list[Any]", value)]
    if _is_message(kind, name):
        return decode_message(value)
    if name == "error" and isinstance(value, dict) and "type" in value:
        return decode({"__error__": value})
    return decode(value)
