"""Steps about what an event stream tells, and in which order."""

from __future__ import annotations

import json

from behave import given, then, when
from behave.runner import Context

from features.lib.events_names import check_names
from features.lib.events_story import story_of


@given('the event stream of an agent with the tools "{names}"')
def give_tools(context: Context, names: str) -> None:
    story_of(context).names = [name.strip() for name in names.split(",")]


@given("the event stream of an agent without tools")
def give_none(context: Context) -> None:
    story_of(context).names = []


@given("the event stream's agent has {settings}")
def give_settings(context: Context, settings: str) -> None:
    story_of(context).settings |= json.loads(settings)


@given("the event stream's run may {limits}")
def give_limits(context: Context, limits: str) -> None:
    story_of(context).limits |= json.loads(limits)


@given("the event stream's executor has {house}")
def give_house(context: Context, house: str) -> None:
    story_of(context).house |= json.loads(house)


@given("the event stream's model says")
def give_script(context: Context) -> None:
    story_of(context).says(row.as_dict() for row in context.table)


@given('the event stream\'s signal is aborted with "{reason}"')
def give_abort(context: Context, reason: str) -> None:
    story_of(context).signal.abort(reason)


@given("the event stream has an observer too")
def give_observer(context: Context) -> None:
    story_of(context).watch()


@when("the event stream is read {way}")
async def read(context: Context, way: str) -> None:
    story_of(context).streamed = way == "streamed"
    await story_of(context).read(streamed=way == "streamed")


@when('the event stream is left at "{kind}", {way}')
async def leave(context: Context, kind: str, way: str) -> None:
    story_of(context).streamed = way == "streamed"
    await story_of(context).leave_at(kind, streamed=way == "streamed")


@when('the event stream\'s reader is cancelled at "{kind}", {way}')
async def cancel(context: Context, kind: str, way: str) -> None:
    story_of(context).streamed = way == "streamed"
    await story_of(context).cancel_at(kind, streamed=way == "streamed")


@then("the event stream is")
def check(context: Context) -> None:
    story = story_of(context)
    story.check(((row[0], row[1]) for row in context.table), streamed=story.streamed)


@then("the event stream's observer has heard")
def check_observed(context: Context) -> None:
    story = story_of(context)
    story.outputs = [*story.observed]
    story.check(((row[0], row[1]) for row in context.table), streamed=story.streamed)


@then('the event stream raises "{kind}"')
def check_error(context: Context, kind: str) -> None:
    assert type(context.world.error).__name__ == kind, repr(context.world.error)


@then('the event stream\'s bill says "{reason}"')
def check_bill(context: Context, reason: str) -> None:
    result = story_of(context).result
    assert result is not None and result.stop_reason == reason, result


@then("the event stream's rows are {states}")
def check_rows(context: Context, states: str) -> None:
    result = story_of(context).result
    assert result is not None and [row.state for row in result.invocations] == json.loads(states), result


@given("the event stream's answer must be an int")
def give_type(context: Context) -> None:
    story_of(context).options["output_type"] = int


@then("the event stream has these rows from the 2nd iteration on")
def check_tail(context: Context) -> None:
    story = story_of(context)
    story.outputs = story.outputs[story.place_of("react_iteration_start 2") :]
    story.check(((row[0], row[1]) for row in context.table), streamed=story.streamed)


@then("the event stream's names and fields are those of the reference")
def check_face(context: Context) -> None:
    check_names()
