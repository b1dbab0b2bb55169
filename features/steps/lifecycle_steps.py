"""Steps about the life of an executor."""

from __future__ import annotations

from behave import given, register_type, then, when
from behave.runner import Context
from parse import with_pattern

from features.lib import lives as lib
from features.lib import overriding, sync_lives
from features.lib.bench import bench


@with_pattern("|".join(sync_lives.SYNC))
def sync_place(string: str) -> str:
    return string


register_type(sync_place=sync_place)


@given("the actor's provider answers everything")
def answer_everything(context: Context) -> None:
    lib.answer_everything(bench(context))


@given("an agent that counts its opening and closing")
def counting(context: Context) -> None:
    lib.use_counted(bench(context))


@given("an agent that fails to close")
def failing_to_close(context: Context) -> None:
    lib.use_counted(bench(context), "", "fail to close")
    lib.answer_everything(bench(context))


@given("an agent whose first opening is cancelled")
def waiting_opening(context: Context) -> None:
    lib.use_counted(bench(context), "wait")


@given("an agent whose first opening fails")
def failing_opening(context: Context) -> None:
    lib.use_counted(bench(context), "fail")


@given("an async tool that calls execute_sync")
def sync_tool(context: Context) -> None:
    sync_lives.use_sync_tool(bench(context))


@when("the executor is closed")
async def close(context: Context) -> None:
    await bench(context).executor.aclose()


@when("the executor is closed while a run is running, which then ends")
async def close_and_release(context: Context) -> None:
    await lib.close_and_release(bench(context))


@when("the executor is closed without grace while a run is running")
async def close_at_once(context: Context) -> None:
    await lib.close_at_once(bench(context))


@when("the executor is closed in a cancelled scope while a run is running")
async def close_in_cancelled_scope(context: Context) -> None:
    await lib.close_in_cancelled_scope(bench(context))


@when("the executor is closed while a stream is suspended")
async def close_with_suspended(context: Context) -> None:
    await lib.close_with_suspended(bench(context))


@when("{count:d} runs are made at the same time, and the executor is closed from two tasks, and again")
async def close_from_two(context: Context, count: int) -> None:
    await lib.close_from_two(bench(context), count)


@when("the executor is closed between a stream's making and its reading")
async def close_before_reading(context: Context) -> None:
    await lib.close_before_reading(bench(context))


@when("{count:d} runs are made at the same time")
async def ask_at_once(context: Context, count: int) -> None:
    await lib.ask_at_once(bench(context), count)


@when("its first run is cancelled in the opening, while others wait for it")
async def cancel_opener(context: Context) -> None:
    await lib.cancel_opener(bench(context))


@when("a run that waits for the opening is cancelled")
async def cancel_waiter(context: Context) -> None:
    await lib.cancel_waiter(bench(context))


@when("the actor is asked twice")
async def ask_twice(context: Context) -> None:
    await lib.ask_twice(bench(context))


@when("execute_sync is called from {where:sync_place}")
async def call_sync(context: Context, where: str) -> None:
    await sync_lives.SYNC[where](bench(context))


@when("the actor is asked by execute_sync")
async def ask_sync(context: Context) -> None:
    await sync_lives.sync_from_thread(bench(context))


@when("a script asks by execute_sync, forks, and asks in its child")
def fork(context: Context) -> None:
    sync_lives.fork(bench(context))


@then('both printed "{text}"')
def both_printed(context: Context, text: str) -> None:
    assert bench(context).notes == [text, text], bench(context).notes


@when("a script that runs {how} is interrupted in its call")
async def interrupt(context: Context, how: str) -> None:
    await sync_lives.interrupt(bench(context), how)


@when("the actor is asked within an override of model and tools, in a task of it, and beside it")
async def override_here(context: Context) -> None:
    await overriding.override_here(bench(context))


@when("the actor is asked within an override of tools inside one of the model")
async def override_nested(context: Context) -> None:
    await overriding.override_nested(bench(context))


@when("the overriding agent is asked within an override of the model")
async def override_selected(context: Context) -> None:
    await overriding.override_selected(bench(context))


@when("an override has a tool that no agent has")
def override_stranger(context: Context) -> None:
    overriding.override_stranger(bench(context))


@then("the stream has ended, and has its bill")
def stream_ended(context: Context) -> None:
    stream = bench(context).stream
    assert stream is not None and stream.result is bench(context).result


@then("the agent was opened once and closed {times}")
def opened_and_closed(context: Context, times: str) -> None:
    assert (lib.Counted.opened, lib.Counted.closed) == (1, {"once": 1, "never": 0}[times])


@then("the agent was opened once")
def opened_once(context: Context) -> None:
    assert lib.Counted.opened == 1, lib.Counted.opened


@then("the agent was opened twice")
def opened_twice(context: Context) -> None:
    assert lib.Counted.opened == 2, lib.Counted.opened


@then("both the stream and a new run are refused with {kind:w}")
def both_refused(context: Context, kind: str) -> None:
    assert bench(context).notes == [kind, kind], bench(context).notes


@then("the others were answered")
def others_answered(context: Context) -> None:
    assert bench(context).results and all(one.response == "Yes." for one in bench(context).results)


@then("the first run failed with Odd and its bill, and the second was answered")
def first_failed(context: Context) -> None:
    lib.check_first_failed(bench(context))


@then("three loops, one after another, are answered by one executor")
def loops_in_turn(context: Context) -> None:
    lib.loops_in_turn(bench(context), 3)


@then("two loops in two threads are answered by one executor at the same time")
async def loops_at_once(context: Context) -> None:
    await lib.loops_at_once(bench(context), 10)


@then("closing here ends a stream that is suspended on a loop in another thread")
async def close_other_loop(context: Context) -> None:
    await lib.close_other_loop(bench(context))


@then("closing does not wait for a stream whose loop has ended")
async def close_after_dead_loop(context: Context) -> None:
    await lib.close_after_dead_loop(bench(context))


@then("the caller's last result and tokens are those of its run")
def caller_reads(context: Context) -> None:
    sync_lives.check_caller(bench(context))


@then("the tool was told that execute_sync can't be called there")
def tool_told(context: Context) -> None:
    assert "own loop thread" in bench(context).notes[-1], bench(context).notes


@then("it printed the bill of a cancelled run before it saw KeyboardInterrupt")
def printed_bill(context: Context) -> None:
    expected = ["bill cancelled ['unmeasured']", "KeyboardInterrupt cancelled True"]
    assert bench(context).notes == expected, bench(context).notes


@then("only those within it met the stand-ins")
def met_within(context: Context) -> None:
    assert bench(context).ways.value == ["Stand-in.", "Stand-in.", "Yes.", "Yes."], bench(context).ways.value
    assert bench(context).notes == ["Oslo", "Oslo"], bench(context).notes


@then("both stand-ins were met")
def both_met(context: Context) -> None:
    assert (bench(context).ways.value, bench(context).notes) == ("Stand-in.", ["Oslo"])


@then("the selected model was not asked")
def selected_not_asked(context: Context) -> None:
    assert bench(context).ways.value == "Stand-in." and not any(one.calls for one in bench(context).notes)
