"""Steps about sinks: how they fail, and what the log says then."""

from __future__ import annotations

import asyncio

from behave import given, then, when
from behave.runner import Context

from cleveractors import Required
from cleveractors.testing import Turn
from features.lib import sinks as lib
from features.lib.bench import as_json, bench


@given("on_result is {kind}")
def result_sink(context: Context, kind: str) -> None:
    bench(context).options["on_result"] = lib.of_kind(bench(context), kind)


@given("on_result raises {times:d} times")
def failing_result_sink(context: Context, times: int) -> None:
    bench(context).options["on_result"] = lib.failing(bench(context), times)


@given("on_result raises CancelledError")
def cancelled_result_sink(context: Context) -> None:
    bench(context).options["on_result"] = lib.failing(bench(context), 9, asyncio.CancelledError)


@given("on_result hangs")
def hanging_result_sink(context: Context) -> None:
    bench(context).options["on_result"] = lib.hanging(bench(context))


@given("on_usage {fails}")
def failing_usage_sink(context: Context, fails: str) -> None:
    bench(context).options["on_usage"] = lib.usage_sink(bench(context), fails)


@given("a required on_usage that raises on {state:w} rows")
def required_sink(context: Context, state: str) -> None:
    bench(context).options["on_usage"] = lib.required(bench(context), state)


@given("a required on_usage that hands on to another required one")
def nested_sink(context: Context) -> None:
    bench(context).options["on_usage"] = Required(Required(bench(context).note_row))


@given("a tool that reports its spend {times:d} times, and then ends the run")
def many_rows(context: Context, times: int) -> None:
    lib.use_spender_at_the_end(bench(context), times)


@given("on_result holds on, whoever cancels it")
def clinging_sink(context: Context) -> None:
    bench(context).options["on_result"] = lib.clinging(bench(context))


@given("an on_usage that is slow with a tool's rows")
def slow_sink(context: Context) -> None:
    bench(context).options["on_usage"] = lib.slow_with_tools(bench(context))


@then("on_usage was called for less than {most:d} of {count:d} rows")
def few_calls(context: Context, most: int, count: int) -> None:
    calls = next(note for note in bench(context).notes if isinstance(note, list))
    assert len(bench(context).result.invocations) == count and len(calls) < most, len(calls)


@given("an on_usage that raises after the run was cancelled")
def late_sink(context: Context) -> None:
    bench(context).options["on_usage"] = lib.late(bench(context))


@given("the actor has a tool that reports {prompt:d} prompt and {completion:d} completion tokens")
def spending_tool(context: Context, prompt: int, completion: int) -> None:
    lib.use_spending_tool(bench(context), prompt, completion)


@given('the actor\'s provider now asks for "{name}" alone')
def asks_alone(context: Context, name: str) -> None:
    lib.ask_for(bench(context), name)


@given('the actor\'s provider now asks for "{name}" first')
def asks_first(context: Context, name: str) -> None:
    lib.ask_for(bench(context), name, Turn("Take a coat.", prompt_tokens=120, completion_tokens=10))


@when("the run is cancelled while its row is delivered")
async def cancel_in_delivery(context: Context) -> None:
    await lib.cancel_in_delivery(bench(context))


@then("on_result was called {times:d} times")
def result_sink_calls(context: Context, times: int) -> None:
    calls = next(note for note in bench(context).notes if isinstance(note, list))
    assert len(calls) == times, calls


@then("the log has {count:d} lines at ERROR")
def log_lines(context: Context, count: int) -> None:
    found = lib.lines(bench(context).notes)
    assert len(found) == count, [record.getMessage() for record in found]


@then("the log's line carries")
def log_line_carries(context: Context) -> None:
    found = lib.told(lib.lines(bench(context).notes)[0])
    expected = {row["key"]: as_json(row["value"]) for row in context.table}
    assert {key: found.get(key) for key in expected} == expected, found


@then('the log\'s line is labelled run_id "{run_id}" and tenant "{tenant}"')
def log_line_labels(context: Context, run_id: str, tenant: str) -> None:
    record = lib.lines(bench(context).notes)[0]
    assert (record.run_id, record.tenant) == (run_id, tenant), vars(record)


@then("nothing that was said is in the log")
def log_holds_no_content(context: Context) -> None:
    text = " ".join(record.getMessage() for record in lib.lines(bench(context).notes))
    assert not any(word in text for word in ("coat", "Paris", "wear", "sk-secret")), text


@then("all rows stand in the bill's undelivered")
def all_undelivered(context: Context) -> None:
    result = bench(context).result
    assert set(result.undelivered) == {row.id for row in result.invocations}, result.undelivered


@then("no row of the bill is undelivered")
def none_undelivered(context: Context) -> None:
    assert bench(context).result.undelivered == (), bench(context).result


@then("on_usage saw in this order")
def usage_order(context: Context) -> None:
    found = lib.order(bench(context).seen, context.table.headings)
    assert found == [list(row) for row in context.table], found
