"""Tool calls as servers really send them: whole, or in fragments that may not say whose they are."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import InvalidToolCall
from langchain_core.messages.tool import (
    ToolCall,
    ToolCallChunk,
    invalid_tool_call,
    tool_call,
    tool_call_chunk,
)

from cleveractors.exceptions import ModelOutputError
from cleveractors.models.openai.json_values import is_list, is_object

__all__ = ["CallFragments", "read_calls"]


def read_calls(calls: object) -> tuple[list[ToolCall], list[InvalidToolCall]]:
    """Read the calls of a whole answer.

    Arguments that are a JSON object make a call. Anything else, also none at all, makes an invalid
    call with the arguments as they came.

    Raises:
        ModelOutputError: what was given is no list of calls.
    """
    good: list[ToolCall] = []
    bad: list[InvalidToolCall] = []
    for entry in _entries(calls):
        call_id, name, arguments = _parts(entry)
        parsed = _parsed(arguments)
        if is_object(parsed):
            good.append(tool_call(name=name, args=parsed, id=call_id))
        else:
            error = "The arguments are no JSON object."
            bad.append(invalid_tool_call(name=name, args=arguments, id=call_id, error=error))
    return good, bad


@dataclass(slots=True)
class _OpenCall:
    index: int
    id: str | None = None
    name: str = ""
    pieces: list[str] = field(default_factory=list[str])

    def is_whole(self) -> bool:
        return is_object(_parsed("".join(self.pieces)))


class CallFragments:
    """Gives every fragment of one streamed answer the index of its call: 0, 1 … in order of appearance.

    Servers leave out indexes, give every call the same one, send ids late, never or each time,
    and repeat names; here each call has one index, its id once, and its name once.
    """

    __slots__ = ("_by_id", "_by_place", "_calls")

    def __init__(self) -> None:
        self._calls: list[_OpenCall] = []
        self._by_place: dict[int, _OpenCall] = {}
        self._by_id: dict[str, _OpenCall] = {}

    def read(self, fragments: object) -> list[ToolCallChunk]:
        """Read the `tool_calls` of one chunk.

        Raises:
            ModelOutputError: what was given is no list of calls.
        """
        entries = _entries(fragments)
        return [self._read(entry, place, len(entries) > 1) for place, entry in enumerate(entries)]

    def _read(self, entry: dict[str, Any], place: int, several: bool) -> ToolCallChunk:
        call_id, name, arguments = _parts(entry)
        call = self._call_of(_index(entry, place if several else None), call_id, name, arguments)
        new_name = _news_of_name(call, name)
        call.name += new_name
        new_id = call_id if call_id and not call.id else None
        if new_id:
            call.id = new_id
            self._by_id[new_id] = call
        if arguments:
            call.pieces.append(arguments)
        return tool_call_chunk(name=new_name or None, args=arguments, id=new_id, index=call.index)

    def _call_of(self, place: int | None, call_id: str | None, name: str, arguments: str | None) -> _OpenCall:
        current = self._candidate(place, call_id)
        if current is None or _starts_another(current, call_id, name, arguments):
            current = _OpenCall(len(self._calls))
            self._calls.append(current)
        if place is not None:
            self._by_place[place] = current
        return current

    def _candidate(self, place: int | None, call_id: str | None) -> _OpenCall | None:
        if place is not None:
            return self._by_place.get(place)
        if call_id and call_id in self._by_id:
            return self._by_id[call_id]
        return self._calls[-1] if self._calls else None


def _starts_another(call: _OpenCall, call_id: str | None, name: str, arguments: str | None) -> bool:
    """Tell whether a fragment in a call's place belongs to the next call there."""
    if call_id and call.id and call_id != call.id:
        return True
    if not name or not call.pieces:
        return False
    if name != call.name:
        return True
    same_id = bool(call_id) and call_id == call.id
    return not same_id and bool((arguments or "").strip()) and call.is_whole()


def _news_of_name(call: _OpenCall, name: str) -> str:
    """Give what a repeated, growing or pieced name adds to what is known of it."""
    if not call.name or not name:
        return name
    if call.pieces or name == call.name:
        return ""
    return name.removeprefix(call.name)


def _entries(calls: object) -> list[dict[str, Any]]:
    if not is_list(calls) or not all(is_object(entry) for entry in calls):
        raise ModelOutputError("The provider sent tool calls that are no list of objects.")
    return calls


def _parts(entry: dict[str, Any]) -> tuple[str | None, str, str | None]:
    """Give id, name and arguments of a call; arguments as text, None where there are none."""
    function = entry.get("function")
    told = function if is_object(function) else {}
    call_id, name, arguments = entry.get("id"), told.get("name"), told.get("arguments")
    if arguments is not None and not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    return (
        str(call_id) if isinstance(call_id, str | int) and call_id != "" else None,
        name if isinstance(name, str) else "",
        arguments,
    )


def _index(entry: dict[str, Any], place: int | None) -> int | None:
    index = entry.get("index")
    if isinstance(index, str) and index.isdecimal():
        return int(index)
    return index if isinstance(index, int) else place


def _parsed(arguments: str | None) -> object:
    try:
        return json.loads(arguments or "", strict=False)
    except (ValueError, RecursionError):
        return None
