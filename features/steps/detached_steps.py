"""Steps about runs whose callers leave."""

from __future__ import annotations

from collections import Counter

from behave import then, when
from behave.runner import Context

from features.lib import detaching as lib
from features.lib.bench import bench, soon


@when("the {who:w} leaves in the call")
async def leaves(context: Context, who: str) -> None:
    await lib.leave(bench(context), who)


@then('the leaver\'s own handle shows "{reason}"')
def handle_shows(context: Context, reason: str) -> None:
    shown = bench(context).ways.carried or bench(context).executor.last_result
    assert shown is not None and shown.stop_reason == reason, shown


@then("the run is listed as one without a caller")
def is_listed(context: Context) -> None:
    (info,) = bench(context).executor.runs()
    assert info.run_id == bench(context).run_id and info.detached, info


@then("nothing was billed yet")
def not_billed(context: Context) -> None:
    assert bench(context).billed == []


@when("the gate is opened, and the run is waited for")
async def open_and_wait(context: Context) -> None:
    bench(context).gate.open()
    await lib.end_of(bench(context))


@when("the run is waited for")
async def wait_for_run(context: Context) -> None:
    await lib.end_of(bench(context))


@when('the run is aborted because of "{reason}"')
async def abort_run(context: Context, reason: str) -> None:
    assert bench(context).executor.abort(bench(context).run_id, reason)
    await lib.end_of(bench(context))


@when("an unknown run is waited for")
async def wait_for_unknown(context: Context) -> None:
    with context.world.catching():
        await bench(context).executor.wait("nobody")
    assert not bench(context).executor.abort("nobody")


@then('it fails with {kind:w} "{text}"')
def fails_with(context: Context, kind: str, text: str) -> None:
    error = context.world.error
    assert type(error).__name__ == kind and text in str(error), repr(error)


@then("the database holds it, and nothing is listed")
def billed_and_gone(context: Context) -> None:
    assert bench(context).billed == [bench(context).run_id] and not bench(context).executor.runs()


@then("all who wait for it get the same bill")
async def same_bill(context: Context) -> None:
    first, *others = await lib.wait_twice(bench(context))
    assert len(others) == 2 and all(one is first for one in others), others


@then("no timer of it is left")
async def no_timer(context: Context) -> None:
    assert not lib.timers(bench(context)), lib.timers(bench(context))


@then('its stop detail says "{text}"')
def detail_says(context: Context, text: str) -> None:
    assert text in bench(context).result.stop_detail, bench(context).result.stop_detail


@when("the callers of {count:d} runs leave that would finish")
async def many_leave(context: Context, count: int) -> None:
    await lib.leave_many(bench(context), count)


@then("{finished:d} of them have finished and {ended:d} were cancelled, each with its bill")
async def many_billed(context: Context, finished: int, ended: int) -> None:
    await soon(lambda: len(bench(context).billed) == finished + ended)
    rows = await bench(context).database.rows()  # type: ignore[union-attr]
    assert Counter(row[-1] for row in rows) == {"completed": finished, "cancelled": ended}, rows
    assert Counter(one.stop_reason for one in bench(context).notes) == {"detached": finished, "cancelled": ended}
