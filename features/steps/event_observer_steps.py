"""Steps about parts of event streams, and about observers."""

from __future__ import annotations

from behave import then, when
from behave.runner import Context

from cleveractors.events.filters import filter_events
from features.lib import event_observers as lib
from features.lib import event_wire
from features.lib.event_frames import logged, stage


@when("the stream is read through {names}")
async def read_filtered(context: Context, names: str) -> None:
    async with lib.filtered(names, stage(context).script) as stream:
        stage(context).outputs = [output async for output in stream]


@then("the outputs are {outputs}")
def check_outputs(context: Context, outputs: str) -> None:
    assert (", ".join(map(lib.number_of, stage(context).outputs)) or "none") == outputs


@when("the stream is filtered for {wanted}")
def filter_badly(context: Context, wanted: str) -> None:
    with context.world.catching():
        filter_events(stage(context).script, lib.word_of(wanted))


@then('filtering fails with "{problem}"')
def check_bad_filter(context: Context, problem: str) -> None:
    assert problem in str(context.world.error_of(TypeError))


@when("a filter is read once and closed")
async def close_filter(context: Context) -> None:
    async with lib.filtered("events_only", stage(context).script) as stream:
        await anext(stream)


@when("a filter is read once and its predicate raises")
async def raise_in_filter(context: Context) -> None:
    with context.world.catching():
        await anext(filter_events(stage(context).script, lib.word_of("lambda output: output.nonsense")))
    context.world.error_of(AttributeError)


@when("the stream is read with an observer that is {kind}")
async def read_observed(context: Context, kind: str) -> None:
    with logged(stage(context).logs):
        await stage(context).observe(lib.observer_of(kind, stage(context).told))


@then("{count:d} outputs were read, and the observer heard of {told}")
def check_observed(context: Context, count: int, told: str) -> None:
    assert len(stage(context).outputs) == count
    check_heard(context, told)


@then("the observer heard of {told}")
def check_heard(context: Context, told: str) -> None:
    assert stage(context).told == event_wire.value_of(told), stage(context).told


@then("{count:d} error of an observer was logged")
def check_logs(context: Context, count: int) -> None:
    assert len(stage(context).logs) == count, stage(context).logs


@when("the stream is left after {count:d} outputs, with an observer that is {kind}")
async def leave_observed(context: Context, count: int, kind: str) -> None:
    async with stage(context).observed(lib.observer_of(kind, stage(context).told)) as stream:
        stage(context).outputs = [await anext(stream) for _ in range(count)]


@when("an observer that is {kind} is notified of {count} events at once")
async def flood(context: Context, kind: str, count: str) -> None:
    with logged(stage(context).logs):
        await lib.notify(int(count.replace(",", "")), lib.observer_of(kind, stage(context).told))


@then("it heard of {count} events, the last of them {last}")
def check_flood(context: Context, count: str, last: str) -> None:
    told = stage(context).told
    assert (f"{len(told):,}", f"{told[-1]:,}") == (count, last)


@when("an observer that is {kind} is drained before it is notified")
async def notify_late(context: Context, kind: str) -> None:
    await lib.notify_after_drain(lib.observer_of(kind, stage(context).told))


@when("the drain of an observer that is {kind} is cancelled")
async def cancel_drain(context: Context, kind: str) -> None:
    await lib.cancel_drain(lib.observer_of(kind, stage(context).told))
