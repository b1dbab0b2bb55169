"""Steps about event streams as frames, and about the browsers that read them."""

from __future__ import annotations

import json

from behave import given, then, when
from behave.runner import Context

from cleveractors.events.sse import sse_frames
from cleveractors.events.wire import event_from_dict
from features.lib import event_frames as lib
from features.lib import event_wire
from features.lib.event_frames import stage


@given("a stream of")
def set_stream(context: Context) -> None:
    stage(context).rows = [row.as_dict() for row in context.table]
    stage(context).begin()


@given("the stream then raises {error}")
def set_error(context: Context, error: str) -> None:
    stage(context).begin(event_wire.value_of(error))


@given("the stream then waits for ever")
def set_waiting(context: Context) -> None:
    stage(context).rows = stage(context).rows[:-2]
    stage(context).begin(lib.FOREVER)


@given("the stream then waits for a gate")
def set_gate(context: Context) -> None:
    stage(context).begin(stage(context).gate)


@when("its {format} frames are read")
async def read_frames(context: Context, format: str) -> None:
    await stage(context).read_frames(format=format)


@when("its {format} frames are read, with {part}")
async def read_frames_with(context: Context, format: str, part: str) -> None:
    await stage(context).read_frames(format=format, include=part)


@then("the frames are")
def check_frames(context: Context) -> None:
    found = [lib.parsed(frame) for frame in stage(context).frames]
    assert found == [(row[0], row[1], json.loads(row[2])) for row in context.table], found


@then('no frame holds "{first}", "{second}" or "{third}"')
def check_nothing_secret(context: Context, first: str, second: str, third: str) -> None:
    sent = b"".join(stage(context).frames).decode()
    assert not any(word in sent for word in (first, second, third)), sent


@then('a frame "{event}" is {data}')
def check_frame(context: Context, event: str, data: str) -> None:
    found = [content for _, name, content in map(lib.parsed, stage(context).frames) if name == event]
    assert json.loads(data) in found, found


@then('there are {count:d} frames, "{first}" first and "{last}" last, which are read as the same outputs')
def check_event_frames(context: Context, count: int, first: str, last: str) -> None:
    names = lib.names_of(stage(context).frames)
    read = [event_from_dict(lib.parsed(frame)[2]) for frame in stage(context).frames]
    assert (len(names), names[0], names[-1]) == (count, first, last), names
    assert [type(one) for one in read] == [type(one) for one in lib.outputs_of(stage(context).rows)]


@then("the stream comes back equal")
def check_same_events(context: Context) -> None:
    read = [event_from_dict(lib.parsed(frame)[2]) for frame in stage(context).frames]
    assert read == lib.outputs_of(stage(context).rows), read


@when("the frames are asked for with {option}")
def ask_with(context: Context, option: str) -> None:
    with context.world.catching():
        sse_frames(stage(context).script, **json.loads(option))


@then('asking for them fails with "{problem}"')
def check_refused(context: Context, problem: str) -> None:
    assert problem in str(context.world.error_of(ValueError))


@then('the last frame is "{event}" with code "{code}" and a sentence of our own')
def check_error_frame(context: Context, event: str, code: str) -> None:
    _, name, data = lib.parsed(stage(context).frames[-1])
    assert (name, data["code"]) == (event, code), data
    assert data["message"].endswith(".") and "secret" not in data["message"]
    reader = stage(context).reader
    assert reader is not None and isinstance(reader.error, Exception)


@then('the frames\' texts together are "{text}"')
def check_texts(context: Context, text: str) -> None:
    halves = [data["text"] for _, name, data in map(lib.parsed, stage(context).frames) if name == "text"]
    assert "".join(halves).encode("utf-16", "surrogatepass").decode("utf-16") == text, halves


@when("chat frames with a ping of {ping:g} s are read until {count:d} comments have come, and the gate opens")
async def read_pings(context: Context, ping: float, count: int) -> None:
    await stage(context).read_through_silence(ping, count)


@when("the wait for a chat frame is cancelled, and the gate opens")
async def cancel_wait(context: Context) -> None:
    await stage(context).cancel_wait()


@then('nothing of the stream was cancelled, and the frames end with "{event}"')
def check_unbroken(context: Context, event: str) -> None:
    assert stage(context).script.cancelled == 0
    assert lib.names_of(stage(context).frames)[-1] == event


@when("{count:d} frames are read and then {way}")
async def leave(context: Context, count: int, way: str) -> None:
    await stage(context).leave(count, way)


@then("the run is closed, and no task is left")
def check_closed(context: Context) -> None:
    assert stage(context).script.closed.is_set()


@given("a stream of {count:d} texts")
def set_many(context: Context, count: int) -> None:
    row = {"event": 'LLMChunkArriveEvent(AIMessageChunk("x"), "x", 0, "x")'}
    stage(context).rows = [row] * count
    stage(context).begin()


@given("the stream can't be closed")
def set_unclosable(context: Context) -> None:
    stage(context).script.fault = OSError("not today")


@when("{count:d} frames are read, and then all")
async def read_slowly(context: Context, count: int) -> None:
    await stage(context).read_slowly(count)


@then("at most {most:d} outputs had been taken by then, and {count:d} frames were read")
def check_held_up(context: Context, most: int, count: int) -> None:
    taken = stage(context).told[0]
    assert taken <= most and len(stage(context).frames) == count, (taken, len(stage(context).frames))


@then("the frames that were closed have no more")
async def check_no_more(context: Context) -> None:
    reader = stage(context).reader
    assert reader is not None and [frame async for frame in reader] == []


@then('the frames end with "{event}", and the log says "{text}"')
def check_log(context: Context, event: str, text: str) -> None:
    assert lib.names_of(stage(context).frames)[-1] == event
    assert any(text in line for line in stage(context).logs), stage(context).logs


@when("the frames are made and closed")
async def make_and_close(context: Context) -> None:
    await sse_frames(stage(context).script).aclose()


@then("the stream was closed and never begun")
def check_never_begun(context: Context) -> None:
    assert stage(context).script.closed.is_set() and not stage(context).script.begun
