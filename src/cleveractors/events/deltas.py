"""The arguments of tool calls, argument by argument, while the model writes them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from cleveractors.events.jsonpieces import JsonPieces
from cleveractors.identifiers import new_call_id

__all__ = ["ArgumentDelta", "ArgumentDeltas"]


@dataclass(frozen=True, slots=True)
class ArgumentDelta:
    """What is new of one argument."""

    index: int
    """The call's place in the response, from 0."""
    call_id: str
    name: str
    """The tool's, as far as it has come."""
    argname: str
    delta: str
    """Of a string the text itself, of other values their JSON."""


@dataclass(slots=True)
class _Call:
    """One call while its pieces arrive."""

    index: int
    sent_id: str | None = None
    name: str = ""
    pieces: JsonPieces = field(default_factory=JsonPieces)
    told: set[str] = field(default_factory=set[str])
    """The arguments that came as an object in place of text."""


class ArgumentDeltas:
    """Reads the tool calls of one streamed answer, chunk by chunk.

    For each argument the deltas together are the string, or another value's JSON; an empty string is one
    empty delta. What JSON can't be is told until it breaks, then nothing of that call. A key that comes
    twice is told as it was first written, since nothing can be taken back: the arguments that count are
    those of the call's start.
    """

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._by_index: dict[object, _Call] = {}
        self.ids: dict[int, str] = {}
        """The ids that were told, by the call's place; one is made up where the provider's had not come."""

    def feed(self, parts: Iterable[Mapping[str, Any]]) -> list[ArgumentDelta]:
        """Take the `tool_call_chunks` of one chunk, or whole `tool_calls`; what is new in them."""
        deltas: list[ArgumentDelta] = []
        for part in parts:
            call = self._call_of(part)
            call.sent_id = call.sent_id or part.get("id")
            name = part.get("name") or ""
            if name and name != call.name:
                call.name += name
            for argname, delta in _news(call, part.get("args")):
                deltas.append(ArgumentDelta(call.index, self._id_of(call), call.name, argname, delta))
        return deltas

    def _call_of(self, part: Mapping[str, Any]) -> _Call:
        """The call that a piece belongs to, by the rule by which the whole answer is put together."""
        index, call_id = part.get("index"), part.get("id")
        if index is None and not call_id and not part.get("name") and self._calls:
            return self._calls[-1]
        call = self._by_index.get(index) if index is not None else None
        if index is None and call_id:
            call = next((one for one in self._calls if one.sent_id == call_id), None)
        if call is None or (call_id and call.sent_id and call_id != call.sent_id):
            call = _Call(len(self._calls))
            self._calls.append(call)
            if index is not None:
                self._by_index[index] = call
        return call

    def _id_of(self, call: _Call) -> str:
        known = self.ids.get(call.index)
        if known is None:
            taken = {one.sent_id for one in self._calls[: call.index]} | {*self.ids.values()}
            known = call.sent_id if call.sent_id and call.sent_id not in taken else new_call_id()
            self.ids[call.index] = known
        return known


def _news(call: _Call, arguments: object) -> list[tuple[str, str]]:
    if isinstance(arguments, str):
        return call.pieces.feed(arguments)
    if not isinstance(arguments, Mapping):
        return []
    whole = cast("Mapping[Any, Any]", arguments)
    news = [(str(key), _written(value)) for key, value in whole.items() if str(key) not in call.told]
    call.told.update(key for key, _ in news)
    return news


def _written(value: object) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        # Only a model that makes up objects in Python can say what JSON can't.
        return f"<{type(value).__name__}>"
