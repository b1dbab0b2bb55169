"""Streams and answers of real dialects, damaged at random, and what must hold for them all the same."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

import openai
from hypothesis import strategies as st
from langchain_core.exceptions import ModelError

from cleveractors.exceptions import ModelOutputError
from cleveractors.models.openai.json_values import is_list, is_object
from cleveractors.models.openai.notes import Notes
from cleveractors.models.slot import ToldUsage
from features.lib.openai_strategies import answers, as_stream, json_values
from features.lib.openai_wire import DIALECTS, Attempt, Wire, attempt, calls_of, cut, ours

TYPED = (openai.APIError, ModelError, ModelOutputError)
_LINE_END = re.compile(rb"\r\n|\n|\r")
_ODD: list[Any] = [[], {}, [None], [[]], [5], {"error": None}, "\ud800", -1, 1e400, True]
_odd: st.SearchStrategy[Any] = st.one_of(json_values, st.sampled_from(_ODD))


@st.composite
def damaged_documents(draw: st.DrawFn) -> Any:
    """An answer with some of its values replaced."""
    return draw(_damaged(draw(answers())))


@st.composite
def damaged_streams(draw: st.DrawFn) -> bytes:
    """The bytes of a stream with values replaced, events lost, doubled or moved, and bytes overwritten."""
    documents = _documents(draw(st.sampled_from(sorted(path.stem for path in DIALECTS.glob("*.sse")))))
    if draw(st.booleans()):
        documents = as_stream(draw(answers()), draw(st.integers(1, 20)))
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(documents) - 1))
        match draw(st.sampled_from(["replace", "lose", "double", "move"])):
            case "replace":
                documents[place] = draw(_damaged(documents[place]))
            case "lose" if len(documents) > 1:
                documents.pop(place)
            case "double":
                documents.insert(place, documents[place])
            case _:
                documents.append(documents.pop(place))
    end = draw(st.sampled_from(["\n\n", "\r\n\r\n", "\r\r", "\n"]))
    data = "".join(f"data: {json.dumps(document)}{end}" for document in documents) + f"data: [DONE]{end}"
    return _overwritten(draw, data.encode())


def told_on_the_wire(data: bytes) -> ToldUsage | None:
    """The last whole usage in a stream, found by a reading of its own."""
    found: ToldUsage | None = None
    lines: list[bytes] = []
    for line in [*_LINE_END.split(data), b"", b""]:
        if line.startswith(b"data:"):
            lines.append(line[5:])
        elif not line and lines:
            found, lines = _told(lines) or found, []
    return found


async def outcome(wire: Wire, stream: bool) -> tuple[Any, ...]:
    """Everything that a call came to, for comparing; raises what no caller could expect."""
    done = await attempt(ours(wire), stream=stream)
    if done.error is not None and not isinstance(done.error, TYPED):
        raise done.error
    return (type(done.error), done.slot, *_message(done))


async def check_stream(data: bytes, places: list[int]) -> None:
    """A damaged stream: typed errors, no told usage lost, and the same whatever the packets."""
    whole = await outcome(Wire([data]), stream=True)
    parted = await outcome(Wire(cut(data, places)), stream=True)
    assert whole == parted, (whole, parted)
    expected = told_on_the_wire(data)
    assert whole[1].usage == expected, (whole[1].usage, expected)


async def check_document(document: Any) -> None:
    """A damaged answer: typed errors, no told usage lost."""
    wire = Wire()
    wire.answer_json(document)
    notes = Notes()
    notes.read(json.loads(json.dumps(document)))
    result = await outcome(wire, stream=False)
    assert result[1].usage == notes.slot.usage, (result, notes.slot)


def _documents(name: str) -> list[Any]:
    data = (DIALECTS / f"{name}.sse").read_bytes().decode("utf-8-sig")
    events = re.split(r"\n\n|\r\n\r\n|\r\r", data)
    texts = ["\n".join(re.findall(r"^data: ?(.*)$", event.replace("\r", "\n"), re.M)) for event in events]
    return [json.loads(text) for text in texts if text and text != "[DONE]"]


@st.composite
def _damaged(draw: st.DrawFn, document: Any) -> Any:
    damaged = copy.deepcopy(document)
    places = list(_places(damaged))
    for _ in range(draw(st.integers(1, 2))):
        holder, key = draw(st.sampled_from(places))
        if is_object(holder) and draw(st.booleans()):
            holder.pop(key, None)
        else:
            holder[key] = copy.deepcopy(draw(_odd))
    return damaged


def _places(value: Any) -> Any:
    pairs: Any = value.items() if is_object(value) else enumerate(value) if is_list(value) else ()
    for key, inner in pairs:
        yield value, key
        yield from _places(inner)


def _overwritten(draw: st.DrawFn, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(draw(st.integers(0, 2))):
        changed[draw(st.integers(0, len(changed) - 1))] = draw(st.sampled_from(b'\n\r:"{}[],\x00\xff\xc3 d5'))
    return bytes(changed[: draw(st.none() | st.integers(1, len(changed)))])


def _told(lines: list[bytes]) -> ToldUsage | None:
    """What one event tells: its lines are one document, or else a document each."""
    notes = Notes()
    if not _read(notes, b"\n".join(lines)):
        for line in lines:
            _read(notes, line)
    return notes.slot.usage


def _read(notes: Notes, text: bytes) -> bool:
    try:
        notes.read(json.loads(text.decode()))
    except (ValueError, RecursionError):
        return False
    return True


def _message(done: Attempt) -> tuple[Any, ...]:
    if done.message is None:
        return (None, [chunk.content for chunk in done.chunks])
    return (done.message.content, calls_of(done.message), done.message.additional_kwargs, done.message.usage_metadata)
