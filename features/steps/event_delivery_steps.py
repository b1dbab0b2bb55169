"""Steps about the delivery of events: readers that are behind, observers, the price of listening."""

from __future__ import annotations

from unittest.mock import patch

from behave import given, then, when
from behave.runner import Context

from cleveractors.events import speech
from features.lib import events_delivery as lib
from features.lib.events_casts import Streaming, cast_crowd, cast_own, cast_thread
from features.lib.events_rules import check_order
from features.lib.events_story import story_of


@given("the event stream of an agent whose sync tool tells {count:d} steps")
def give_thread(context: Context, count: int) -> None:
    cast_thread(story_of(context), count)


@given("the event stream of an agent of the host's own that streams")
def give_streaming(context: Context) -> None:
    cast_own(story_of(context), Streaming)


@given("the event stream has an observer that {way}")
def give_observer(context: Context, way: str) -> None:
    story_of(context).house["observers"] = [lib.observer_that(way)]


@when("the event stream is read by one who stops for {seconds:g} s of the loop's time after {count:d} events")
async def read_behind(context: Context, seconds: float, count: int) -> None:
    story_of(context).behind = lib.Behind(story_of(context))
    await story_of(context).behind.pause(count, seconds)


@given('the event stream of an agent whose model calls "{tool}" {count:d} times at once')
def give_crowd(context: Context, tool: str, count: int) -> None:
    cast_crowd(story_of(context), tool, count)


@given("the event stream's threads look every {seconds:g} s whether there still is a loop")
def give_look(context: Context, seconds: float) -> None:
    context.world.use(patch.object(speech, "LOOK_SECONDS", seconds))


@when("the event stream is read by one who lets the run go as far as it can after {count:d} event")
async def read_dawdling(context: Context, count: int) -> None:
    await lib.Behind(story_of(context)).dawdle(count)


@when("the event stream's reader stalls after 1 event, with on_disconnect {policy}")
async def stall(context: Context, policy: str) -> None:
    story_of(context).behind = lib.Behind(story_of(context))
    await story_of(context).behind.stall(1, float(policy) if policy.isdigit() else policy)


@when("the event stream's run is aborted while its reader is behind")
async def abort_behind(context: Context) -> None:
    story_of(context).behind = lib.Behind(story_of(context))
    await story_of(context).behind.abort()


@then("the event stream never held more than {most:d} events")
def check_bound(context: Context, most: int) -> None:
    assert lib.FULL <= story_of(context).behind.most_waiting <= most, story_of(context).behind.most_waiting


@then("the event stream's tool took less than {seconds:g} s")
def check_seconds(context: Context, seconds: float) -> None:
    took = [one.execution_time for one in story_of(context).events if one.event_type == "tool_call_end"]
    assert 0 <= took[0] < seconds, took


@then("the event stream's spam was all told")
def check_spam(context: Context) -> None:
    assert story_of(context).steps()["call_1"] == list(range(1000))


@then('the event stream\'s run ends as "{reason}", its bill delivered while nobody reads')
def check_left(context: Context, reason: str) -> None:
    assert story_of(context).behind.bill.stop_reason == reason, story_of(context).behind.bill
    assert all(row.state != "open" for row in story_of(context).behind.bill.invocations)


@then("the event stream's reader that comes back finds the rest in order, and the end")
async def check_rest(context: Context) -> None:
    await story_of(context).behind.come_back()
    lib.check_stream(story_of(context).outputs, story_of(context).behind.bill)


@then("the event stream's reader that comes back finds nothing, and a detached run")
async def check_nothing(context: Context) -> None:
    await story_of(context).behind.come_back()
    assert len(story_of(context).outputs) == 1
    assert story_of(context).stream.result.stop_reason == "detached"


@when("the event stream's agent is asked by execute")
async def ask(context: Context) -> None:
    await story_of(context).executor.execute("Go")


@when("the event stream's agent is asked by execute_stream")
async def ask_stream(context: Context) -> None:
    async with story_of(context).executor.execute_stream("Go") as stream:
        assert [text async for text in stream]


@when("the event stream's agent is asked by execute_sync")
def ask_sync(context: Context) -> None:
    story_of(context).executor.execute_sync("Go")


@then("the event stream's observer has heard a whole run of {count:d} rows")
def check_heard(context: Context, count: int) -> None:
    story = story_of(context)
    check_order(story.observed)
    story.outputs = [*story.observed]
    assert len(story.rows) == count, story.rows


@when("the event stream's agent is asked without a listener, and events are counted")
async def ask_counted(context: Context) -> None:
    with lib.count_events() as story_of(context).counted:
        await story_of(context).executor.execute("Go")


@then("the event stream has counted nothing but what its tools made")
def check_counted(context: Context) -> None:
    assert story_of(context).counted == {"CustomEvent": 1}, story_of(context).counted


@when("{count:d} event streams of two rounds are read at once")
async def read_many(context: Context, count: int) -> None:
    await lib.read_many(count)


@then("every event stream of them was whole, with a bill of its own")
def check_many(context: Context) -> None:
    assert context.world.error is None


@then('the event stream\'s last row is "{kind}", and nothing of it is open to the observer')
def check_closed(context: Context, kind: str) -> None:
    assert story_of(context).rows[-1][0] == kind
    check_order(story_of(context).observed)


@then("nothing of the event stream is open to the observer")
def check_none_open(context: Context) -> None:
    check_order(story_of(context).observed)
