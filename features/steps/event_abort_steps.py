"""Steps about aborting a run that is followed by events."""

from __future__ import annotations

from behave import given, then, when
from behave.runner import Context

from features.lib import events_aborting as lib
from features.lib.events_casts import Stopping, cast_boss, cast_own
from features.lib.events_story import story_of


@given('the event stream of a boss whose agent "clerk" aborts the run')
def give_aborting_clerk(context: Context) -> None:
    cast_boss(story_of(context), aborts=True)


@given("the event stream of an agent of the host's own that aborts and hangs")
def give_own(context: Context) -> None:
    cast_own(story_of(context), Stopping)


@when('the event stream is aborted from {where} at "{kind}", {way}')
async def abort_from(context: Context, where: str, kind: str, way: str) -> None:
    await lib.abort_from(story_of(context), where, kind, streamed=way == "streamed")


@when("a signal given as {names} ends the event stream")
async def abort_by_option(context: Context, names: str) -> None:
    await lib.abort_by_options(story_of(context), names.split(" and "))


@when("the event stream is asked for with two different signals")
def ask_with_two(context: Context) -> None:
    with context.world.catching():
        lib.ask_with_two_signals(story_of(context))


@then('the event stream\'s detail is "{detail}"')
def check_detail(context: Context, detail: str) -> None:
    result = story_of(context).result
    assert result is not None and result.stop_detail == detail, result


@then('the event stream tells of "{text}"')
def check_told(context: Context, text: str) -> None:
    story_of(context).tools.release.set()
    told = lib.errors_of(story_of(context))
    assert any(text in one for one in told), told


@then('the event stream\'s agents have ended as "{reasons}"')
def check_ends(context: Context, reasons: str) -> None:
    found = ", ".join(lib.ends_of(story_of(context)))
    assert found == reasons, found
