"""The tool calls of an answer, strictly read: what can't be used is said, and never executed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

__all__ = ["AskedCall", "are_calls_of", "asked_calls", "calls_of", "read_call", "sendable"]

MAX_DEPTH = 200
"""Levels of arguments: what is nested much deeper no JSON writer takes, and no tool needs."""

_TOO_DEEP = f"the arguments are nested too deeply, {MAX_DEPTH} levels are allowed"

_writer = json.JSONEncoder(ensure_ascii=False, default=str)


@dataclass(frozen=True, slots=True)
class AskedCall:
    """One tool call as the model asked for it."""

    id: str | None
    name: str
    arguments: dict[str, Any] | None
    """None where they can't be used."""
    raw: str = ""
    """The arguments' text, where they can't be used."""
    error: str = ""
    """Why they can't be used."""


def asked_calls(message: AIMessage) -> list[AskedCall]:
    """The calls of a message in the order asked; those listed as invalid too carry why."""
    broken = {id(one): one for one in message.invalid_tool_calls}
    by_id = {one["id"]: one for one in message.invalid_tool_calls if one["id"]}
    calls: list[AskedCall] = []
    for call in message.tool_calls:
        # A good call may share its id with a broken one; those that we wrote down as both have no arguments.
        wrong = by_id.get(call["id"]) if call["id"] and not call["args"] else None
        if wrong is None:
            calls.append(_usable(call["id"], call["name"], call["args"]))
        else:
            broken.pop(id(wrong), None)
            calls.append(_invalid(wrong))
    return calls + [_invalid(one) for one in broken.values()]


def are_calls_of(message: AIMessage, calls: Sequence[AskedCall]) -> bool:
    """Whether calls that were read before are all that the message asks for, as they stand in it."""
    if message.invalid_tool_calls or len(message.tool_calls) != len(calls):
        return False
    return all(
        call.arguments is given["args"] and call.id == given["id"] and call.name == given["name"]
        for call, given in zip(calls, message.tool_calls, strict=True)
    )


def calls_of(answer: AIMessage) -> list[AskedCall]:
    """The calls of a provider's answer; where good and broken ones are mixed, in the order of the raw ones beside."""
    raw: object = answer.additional_kwargs.get("tool_calls")
    if answer.tool_calls and answer.invalid_tool_calls and isinstance(raw, list):
        entries = [_entry(one) for one in cast("list[Any]", raw) if isinstance(one, dict)]
        if len(entries) == len(answer.tool_calls) + len(answer.invalid_tool_calls):
            return entries
    return [call if _is_final(call) else read_call(call.id, call.name, call.raw) for call in asked_calls(answer)]


def _is_final(call: AskedCall) -> bool:
    """Whether a call is read as it will be; of one that could not even be written there is no text to read again."""
    return call.arguments is not None or call.error == _TOO_DEEP


def _entry(raw: Any) -> AskedCall:
    function: Any = raw.get("function")
    function = cast("dict[str, Any]", function) if isinstance(function, dict) else {}
    arguments = function.get("arguments")
    text = arguments if isinstance(arguments, str) else _writer.encode(arguments)
    call_id = raw.get("id")
    return read_call(str(call_id) if call_id else None, str(function.get("name") or ""), text)


def read_call(call_id: str | None, name: str, raw: str) -> AskedCall:
    """A call from the text of its arguments: LangChain's repaired ones are never executed."""
    if not raw.strip():
        return AskedCall(call_id, name, {})
    try:
        value = json.loads(raw, strict=False)
    except ValueError as error:
        return AskedCall(call_id, name, None, raw, f"the arguments are not valid JSON: {error}")
    except RecursionError:
        return _too_deep(call_id, name, raw)
    if not isinstance(value, dict):
        return AskedCall(call_id, name, None, raw, f"the arguments are a JSON {_kind(value)}, not an object")
    return _usable(call_id, name, cast("dict[str, Any]", value), raw)


def _usable(call_id: str | None, name: str, arguments: dict[str, Any], raw: str = "") -> AskedCall:
    """A call whose arguments can be written again: they go back to the provider with every further request."""
    try:
        written = _writer.encode(arguments)
    except RecursionError:
        return _too_deep(call_id, name, raw)
    if written.count("[") + written.count("{") > MAX_DEPTH and _depth(arguments) > MAX_DEPTH:
        return _too_deep(call_id, name, raw or written)
    whole = sendable(written)
    return AskedCall(call_id, name, arguments if whole is written else json.loads(whole))


def _too_deep(call_id: str | None, name: str, raw: str) -> AskedCall:
    return AskedCall(call_id, name, None, raw, _TOO_DEEP)


def _depth(value: object) -> int:
    depth, level = 0, [value]
    while level:
        depth += 1
        level = [inner for one in level for inner in _inner(one)]
    return depth


def _inner(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        yield from cast("dict[str, object]", value).values()
    elif isinstance(value, list):
        yield from cast("list[object]", value)


def _kind(value: object) -> str:
    if value is None:
        return "null"
    kinds: dict[type, str] = {list: "array", str: "string", bool: "boolean"}
    return kinds.get(type(value), "number")


def _invalid(call: Any) -> AskedCall:
    raw = call["args"] or ""
    return AskedCall(call["id"], call["name"] or "", None, raw, call["error"] or "the arguments are not valid JSON")


def sendable(text: str) -> str:
    """The text with halves of characters, which no request can carry, joined or replaced."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
