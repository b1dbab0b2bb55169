"""Steps that count what happens within a run."""

from __future__ import annotations

from behave import given, then, when
from behave.runner import Context

from features.lib import pace


@given("an executor that has answered once, with an async tool")
async def warm_executor(context: Context) -> None:
    await pace.counted(context).run("blocking")


@when("a {kind} run of one tool round is counted")
async def counted_run(context: Context, kind: str) -> None:
    await pace.counted(context).count(kind)


@when("the first run of an executor is counted")
async def first_run(context: Context) -> None:
    await pace.counted(context).count("blocking")


@when("a program makes an executor and answers twice")
def program(context: Context) -> None:
    pace.counted(context).imported = pace.counted(context).imports()


@then("nothing of events and hooks has run")
def no_listeners(context: Context) -> None:
    assert not pace.counted(context).census.aside, pace.counted(context).census.aside


@then("we have started {tasks:d} task and no thread")
def no_tasks(context: Context, tasks: int) -> None:
    census = pace.counted(context).census
    assert (len(census.tasks), census.threads) == (tasks, 0), (census.tasks, census.threads)


@then("no timer was set")
def no_timers(context: Context) -> None:
    assert pace.counted(context).census.timers == 0, pace.counted(context).census.timers


@then("no answer went through LangChain's agenerate")
def asked_directly(context: Context) -> None:
    assert pace.counted(context).census.of(pace.AGENERATE) == 0


@then("{count:d} messages and {places:d} place for a result were made")
def messages_made(context: Context, count: int, places: int) -> None:
    assert pace.counted(context).census.messages == count + places, pace.counted(context).census.messages


@then("no tool was made ready for the model again")
def no_conversion(context: Context) -> None:
    assert pace.counted(context).census.of(pace.BIND_TOOLS) == 0


@then("the tools were made ready for the model once")
def one_conversion(context: Context) -> None:
    assert pace.counted(context).census.of(pace.BIND_TOOLS) == 1


@then("each of {count:d} messages was measured once")
def measured(context: Context, count: int) -> None:
    assert pace.counted(context).census.measured == count, pace.counted(context).census.measured


@then("each of {count:d} attempts has one object, frozen once")
def attempts(context: Context, count: int) -> None:
    census = pace.counted(context).census
    assert (census.of(pace.ATTEMPT), census.of(pace.FREEZE)) == (count, count)


@then("the chunks of {count:d} streams were put together once each")
def merged(context: Context, count: int) -> None:
    census = pace.counted(context).census
    assert (census.of(pace.READ_STREAM), census.merges) == (count, 0), (census.of(pace.READ_STREAM), census.merges)


@then("its runs have imported nothing")
def no_imports(context: Context) -> None:
    assert pace.counted(context).imported == [], pace.counted(context).imported


@then("two chunks of a stream share nothing that can be written into")
def nothing_shared(context: Context) -> None:
    assert pace.shared_by_chunks() == []
