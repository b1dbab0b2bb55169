"""Steps about the deltas of arguments, and about events as JSON."""

from __future__ import annotations

import json

from behave import given, then, when
from behave.runner import Context
from hypothesis import given as drawn

from cleveractors.events.wire import event_from_dict
from features.lib import event_wire as lib
from features.lib.event_wire import wire

# Deltas


@when("the arguments come in the pieces {pieces}")
def feed_pieces(context: Context, pieces: str) -> None:
    for piece in json.loads(pieces):
        wire(context).feed({"index": 0, "id": "a", "name": "f", "args": piece})


@then("the argument deltas are {deltas}")
def check_deltas(context: Context, deltas: str) -> None:
    told = [[one.argname, one.delta] for one in wire(context).told]
    assert told == json.loads(deltas), told


@when("these pieces of tool calls arrive")
def feed_parts(context: Context) -> None:
    for row in context.table:
        wire(context).feed(lib.part_of(row.as_dict()))


@then("these argument deltas are told")
def check_told(context: Context) -> None:
    told = [[str(one.index), one.call_id, one.name, one.argname, one.delta] for one in wire(context).told]
    read = json.loads
    assert told == [[row[0], read(row[1]), read(row[2]), row[3], read(row[4])] for row in context.table], told


@then("all argument deltas of call {index:d} have one id, which was made up and is kept")
def check_made_up(context: Context, index: int) -> None:
    ids = {one.call_id for one in wire(context).told}
    assert ids == {wire(context).deltas.ids[index]} and ids.pop().startswith("call_")


@then("the calls are told with {count:d} different ids")
def check_ids(context: Context, count: int) -> None:
    assert len({one.call_id for one in wire(context).told}) == count == len(wire(context).deltas.ids)


@then("the deltas of any object make what json.loads reads, wherever it is cut")
def check_cuts(context: Context) -> None:
    drawn(lib.written_objects())(lib.check_every_cut)()


@then("the deltas of a damaged object do not depend on the cuts")
def check_damaged(context: Context) -> None:
    drawn(lib.damaged_objects())(lib.check_damaged)()


@then("the calls of any stream are those of the whole answer")
def check_calls(context: Context) -> None:
    drawn(lib.streams_of_calls)(lib.check_same_calls)()


@then("twice the arguments take at most {factor:g} times the calls")
def check_linear(context: Context, factor: float) -> None:
    once, twice = lib.calls_for(20_000), lib.calls_for(40_000)
    assert twice <= factor * once, (once, twice)


# The wire


@given("the event to send is {text}")
def make_event(context: Context, text: str) -> None:
    wire(context).output = lib.event_of(text)


@when("the event travels as JSON")
def send(context: Context) -> None:
    wire(context).travel()


@when("the event travels as JSON, lean")
def send_lean(context: Context) -> None:
    wire(context).travel(lean=True)


@then("the event comes back equal")
def check_equal(context: Context) -> None:
    assert wire(context).back == wire(context).output, wire(context).back


@then("the value {value} arrives as {back}")
def check_value(context: Context, value: str, back: str) -> None:
    found = lib.carry(lib.value_of(value))
    assert found == lib.value_of(back), found


@then("the event's error is {error}")
def check_error(context: Context, error: str) -> None:
    assert wire(context).event.error == lib.value_of(error), wire(context).event.error


@then("the text {text} arrives as {covered}")
def check_covered(context: Context, text: str, covered: str) -> None:
    assert lib.carry(json.loads(text)) == json.loads(covered), lib.carry(json.loads(text))


@then('the event has the fields {names}, and "{left_out}" reads as {value}')
def check_lean(context: Context, names: str, left_out: str, value: str) -> None:
    assert list(wire(context).written["event"]) == json.loads(names), wire(context).written["event"]
    assert getattr(wire(context).event, left_out) == json.loads(value)


@when("the entry {entry} is read as an event")
def read_event(context: Context, entry: str) -> None:
    with context.world.catching():
        event_from_dict(json.loads(entry))


@then('reading the entry fails with "{problem}"')
def check_problem(context: Context, problem: str) -> None:
    assert problem in str(context.world.error_of(ValueError)), context.world.error


@then("what arrived is shorter than {most:d} million characters")
def check_size(context: Context, most: int) -> None:
    assert len(json.dumps(wire(context).written)) < most * 1_000_000


@then("every event of any values is written and read")
def check_any_event(context: Context) -> None:
    drawn(lib.any_events())(lib.check_travels)()
