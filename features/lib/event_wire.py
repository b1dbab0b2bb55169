"""Tool-call arguments in pieces, and events as JSON: what the steps about them need."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast
from unittest import mock

from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AIMessageChunk, ChatMessage, HumanMessage, SystemMessage, ToolMessage

import cleveractors.events.types as event_types
from cleveractors.events.deltas import ArgumentDelta, ArgumentDeltas
from cleveractors.events.envelope import EventOrigin, EventYield, ReactOutput, ResponseYield
from cleveractors.events.types import ReActEvent
from cleveractors.events.values import decode
from cleveractors.events.wire import event_from_dict, event_to_dict
from cleveractors.exceptions import ExecutorBusyError
from cleveractors.models.reading import read_stream
from cleveractors.models.slot import AttemptSlot
from cleveractors.result import ErrorInfo
from features.lib.tools import NAMES, values

Json = dict[str, Any]
WORLD = "wire_world"


@dataclass
class WireWorld:
    """What one scenario about deltas or the wire knows."""

    deltas: ArgumentDeltas = field(default_factory=ArgumentDeltas)
    told: list[ArgumentDelta] = field(default_factory=list[ArgumentDelta])
    sent: list[Any] = field(default_factory=list[Any])
    output: ReactOutput | None = None
    written: Json = field(default_factory=dict[str, Any])
    back: ReactOutput | None = None

    def feed(self, *parts: Mapping[str, Any]) -> None:
        """Take one chunk's parts."""
        self.sent.append(list(parts))
        self.told += self.deltas.feed(parts)

    def travel(self, lean: bool = False) -> None:
        """Write the output, as JSON text, and read it again."""
        assert self.output is not None
        self.written = json.loads(json.dumps(event_to_dict(self.output, lean), allow_nan=False))
        self.back = event_from_dict(self.written)

    @property
    def event(self) -> Any:
        """The event that came back."""
        assert isinstance(self.back, EventYield), self.back
        return self.back.event


def wire(context: object) -> WireWorld:
    """Find the scenario's, or begin one."""
    if not hasattr(context, WORLD):
        setattr(context, WORLD, WireWorld())
    return getattr(context, WORLD)


def part_of(row: Mapping[str, str]) -> Json:
    """A piece of a tool call, of a table's row: JSON, and nothing where a cell is empty."""
    return {key: json.loads(cell) for key, cell in row.items() if cell}


def whole(told: Iterable[ArgumentDelta]) -> dict[int, dict[str, str]]:
    """What the deltas of each call's arguments make together."""
    made: dict[int, dict[str, str]] = {}
    for one in told:
        arguments = made.setdefault(one.index, {})
        arguments[one.argname] = arguments.get(one.argname, "") + one.delta
    return made


def read(pieces: Iterable[str]) -> dict[str, str]:
    """The arguments of one call, of its pieces."""
    deltas = ArgumentDeltas()
    told = [one for piece in pieces for one in deltas.feed([{"index": 0, "id": "a", "name": "f", "args": piece}])]
    return whole(told).get(0, {})


# Properties

half_pairs = st.characters(categories=["Cs"])
letters = st.one_of(st.characters(), half_pairs, st.sampled_from('"\\/\n\tud83d\u2028😀'))
texts = st.text(letters, max_size=8)
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), texts)
json_values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=2)),
    max_leaves=5,
)


@st.composite
def written_objects(draw: st.DrawFn) -> str:
    """An object as a model might write it."""
    value = draw(st.dictionaries(texts, json_values, max_size=3))
    separators = draw(st.sampled_from([None, (",", ":"), (" ,\n", "\t: ")]))
    ascii_only, indent = draw(st.booleans()), draw(st.sampled_from([None, 0, 2]))
    return json.dumps(value, ensure_ascii=ascii_only, separators=separators, indent=indent)


@st.composite
def damaged_objects(draw: st.DrawFn) -> str:
    """The same, with characters lost, replaced or put in."""
    letters = list(draw(written_objects()))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(letters)))
        letters[place : place + draw(st.integers(0, 1))] = draw(st.sampled_from(["", *'{}[]",:\\u0dD8aetrfn1-. ']))
    return "".join(letters)


def check_every_cut(text: str) -> None:
    """Cut everywhere, and once between any two characters: always what `json.loads` reads."""
    expected = {key: _shown(value) for key, value in json.loads(text).items()}
    for pieces in [[text], list(text), *([text[:cut], text[cut:]] for cut in range(1, len(text)))]:
        found = read(pieces)
        assert {key: _loaded(found[key], expected[key]) for key in found} == expected, (pieces, found)


def check_damaged(text: str) -> None:
    """However it is cut, the same is told; what `json.loads` takes is told in full."""
    found = read([text])
    assert read(list(text)) == found
    try:
        value = json.loads(text, strict=False, object_pairs_hook=list)
    except ValueError:
        return
    if text.strip().startswith("{"):
        assert list(found) == list(dict(value)), (text, found)


def _shown(value: object) -> str:
    return value if isinstance(value, str) else repr(value)


def _loaded(text: str, expected: str) -> str:
    return text if text == expected else repr(json.loads(text))


def calls_for(size: int) -> int:
    """How many calls of functions it takes to read an argument of this size in pieces of 20 characters."""
    text = json.dumps({"text": "two\nlines " * (size // 10), "list": [[1]] * (size // 10)})
    pieces = [text[start : start + 20] for start in range(0, len(text), 20)]
    count = 0

    def counting(frame: object, event: str, arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counting)
    try:
        read(pieces)
    finally:
        sys.setprofile(None)
    return count


call_parts = st.fixed_dictionaries(
    {"type": st.just("tool_call_chunk")},
    optional={
        "index": st.none() | st.integers(0, 2),
        "id": st.none() | st.sampled_from(["", "a", "b"]),
        "name": st.none() | st.sampled_from(["", "f", "g"]),
        "args": st.none() | st.sampled_from(["", "{", '{"x": 1}', '{"y', '": "z', '"}', "}"]),
    },
)
streams_of_calls = st.lists(st.lists(call_parts, max_size=3), max_size=6)


def check_same_calls(chunks: Sequence[Sequence[Json]]) -> None:
    """The calls are told apart as where the whole answer is put together."""
    filled = [[{"index": None, "id": None, "name": None, "args": None, **part} for part in parts] for parts in chunks]
    pieces = [AIMessageChunk(content="", tool_call_chunks=cast("Any", parts)) for parts in filled]
    deltas = ArgumentDeltas()
    told = whole(one for parts in filled for one in deltas.feed(parts))
    message = read_stream(pieces, AttemptSlot(), "sum").message if pieces else AIMessage("")
    asked = [call["args"] for call in message.tool_calls]
    if not message.invalid_tool_calls:
        assert [told.get(index, {}) for index in range(len(asked))] == [_texts(args) for args in asked]
    assert len({*deltas.ids.values()}) == len(deltas.ids)


def _texts(arguments: Json) -> dict[str, str]:
    return {key: value if isinstance(value, str) else json.dumps(value) for key, value in arguments.items()}


# Events

ORIGIN = EventOrigin("session", "agent-1", 7, run_id="run-1")
KINDS: list[type[ReActEvent]] = [
    kind
    for kind in vars(event_types).values()
    if isinstance(kind, type) and issubclass(kind, ReActEvent) and kind is not ReActEvent
]


class ProviderBusy(Exception):
    """As a provider's client raises it."""

    status_code = 429


@dataclass
class Secretive:
    """Hides one of its fields."""

    shown: str
    hidden: str = field(default="", repr=False)


class Shy:
    """Raises when it is looked at."""

    def __repr__(self) -> str:
        raise RuntimeError("not today")


class ShyTable(dict[str, object]):
    """Raises when its rows are read."""

    def items(self) -> Any:
        raise RuntimeError("not today")


class Looped(Exception):
    """Can't even be written down."""

    def __str__(self) -> str:
        raise RuntimeError("not today")


def diamond() -> object:
    """A small object that is very large when written."""
    value: object = [1]
    for _ in range(60):
        value = [value, value]
    return value


CALL = {"name": "f", "args": {"a": 1}, "id": "1", "type": "tool_call"}
ODD = {"name": "f", "args": {"a": object()}, "id": "1", "type": "tool_call"}
PIECE = {"name": "f", "args": "{", "id": "1", "index": 0, "type": "tool_call_chunk"}
USED = {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}
WORDS = {
    **NAMES,
    **vars(event_types),
    **{one.__name__: one for one in (AIMessage, AIMessageChunk, ChatMessage, HumanMessage, SystemMessage, ToolMessage)},
    **{one.__name__: one for one in (ErrorInfo, ExecutorBusyError, ProviderBusy, Looped)},
    **{one.__name__: one for one in (Secretive, Shy, ShyTable, ResponseYield, diamond, decode)},
    **{"CALL": CALL, "ODD": ODD, "PIECE": PIECE, "USED": USED, "ANY": mock.ANY},
}
"""What the features' expressions may use."""


def event_of(text: str) -> ReactOutput:
    """The output that a Python expression of a feature makes."""
    made = value_of(text)
    return EventYield(made, ORIGIN) if isinstance(made, ReActEvent) else cast("ResponseYield", made)


def value_of(text: str) -> object:
    """The value that a Python expression of a feature makes."""
    return eval(text, dict(WORDS))


def carry(value: object) -> object:
    """A value, sent as the result of a tool and read again."""
    world = WireWorld(output=event_of("ToolCallEndEvent('f', 'c', {}, None, 0.5, True)"))
    assert isinstance(world.output, EventYield)
    world.output = EventYield(dataclasses.replace(cast("Any", world.output.event), result=value), ORIGIN)
    world.travel()
    return world.event.result


anythings = st.one_of(values(), st.builds(Looped), st.builds(object))


@st.composite
def any_events(draw: st.DrawFn) -> ReactOutput:
    """An event, or an answer, whose fields hold anything."""
    kind: Any = draw(st.sampled_from([*KINDS, ResponseYield]))
    anything = draw(anythings)
    made: Any = kind(**{one.name: anything for one in dataclasses.fields(kind)})
    return made if isinstance(made, ResponseYield) else EventYield(made, ORIGIN)


def check_travels(output: ReactOutput) -> None:
    """It is written, whole and lean, and comes back as one of its kind."""
    for lean in (False, True):
        world = WireWorld(output=output)
        world.travel(lean)
        if isinstance(output, ResponseYield):
            assert isinstance(world.back, ResponseYield)
        else:
            assert type(world.event) is type(output.event)
