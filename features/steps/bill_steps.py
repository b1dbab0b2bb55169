"""Steps about the bill: what the ways to it show, and what the provider billed."""

from __future__ import annotations

import logging

from behave import given, then, when
from behave.runner import Context

from cleveractors import InvocationRecord
from features.lib import billing as lib
from features.lib.bench import as_json, bench
from features.lib.cancelling import WAYS


@given("bills go into a real database")
async def use_database(context: Context) -> None:
    await bench(context).with_database()


@when("the run is cancelled in the call by {way}")
async def cancel_by(context: Context, way: str) -> None:
    await WAYS[way](bench(context), bench(context).ask)


@when("the stream is cancelled in the call by {way}")
async def cancel_stream_by(context: Context, way: str) -> None:
    await WAYS[way](bench(context), bench(context).read)


@then("the bill has {prompt:d} prompt and {completion:d} completion tokens")
def bill_has_tokens(context: Context, prompt: int, completion: int) -> None:
    result = bench(context).result
    assert (result.prompt_tokens, result.completion_tokens) == (prompt, completion), result


@then("the bill equals the provider's ledger")
def bill_equals_ledger(context: Context) -> None:
    lib.check_ledger(bench(context).result, bench(context).provider)


@then("the bill's {name} is {value}")
def bill_field(context: Context, name: str, value: str) -> None:
    found = getattr(bench(context).result, name)
    assert found == as_json(value), f"{name} is {found!r}"


@then("its rows are")
def rows_are(context: Context) -> None:
    found = [lib.row_cells(row, context.table.headings) for row in bench(context).result.invocations]
    expected = [list(row) for row in context.table]
    assert found == expected, found


@then("its first rows are")
def first_rows_are(context: Context) -> None:
    rows = bench(context).result.invocations[: len(context.table.rows)]
    found = [lib.row_cells(row, context.table.headings) for row in rows]
    assert found == [list(row) for row in context.table], found


@then("{count:d} further attempts ended like the last row")
def further_attempts(context: Context, count: int) -> None:
    rows = [row for row in bench(context).result.invocations if row.round == 2]
    assert [row.attempt for row in rows] == list(range(1, count + 2)), rows
    assert len({(row.state, row.error_type) for row in rows}) == 1, rows


@then("on_usage saw each row open before its request arrived, and settled before the next began")
def rows_in_time(context: Context) -> None:
    lib.check_moments(bench(context).seen)


@then("on_usage saw of the last row")
def saw_of_last(context: Context) -> None:
    row: InvocationRecord = bench(context).rows[-1]
    assert lib.row_cells(row, context.table.headings) == list(context.table[0]), row


@then("on_result came once")
def billed_once(context: Context) -> None:
    assert bench(context).billed == [bench(context).result.run_id], bench(context).billed


@then("every way to the bill shows it")
def every_way(context: Context) -> None:
    lib.check_ways(bench(context).ways)


@then("the database holds it")
async def database_holds(context: Context) -> None:
    database, result = bench(context).database, bench(context).result
    assert database is not None
    expected = [(result.run_id, result.prompt_tokens, result.completion_tokens, result.stop_reason)]
    assert await database.rows() == expected


@then("the provider's connections are closed")
async def connections_closed(context: Context) -> None:
    bench(context).gate.open()
    await bench(context).provider.wait_closed_async(remaining=0)


@then("nothing of it is unknown")
def exact(context: Context) -> None:
    assert bench(context).result.exact and not bench(context).result.estimated_prompt_tokens


@then('the cause is {kind:w}, and its traceback leads into "{function}"')
def cause_with_traceback(context: Context, kind: str, function: str) -> None:
    lib.check_cause(bench(context).ways.error, kind, function)


@then("no _ToolLoopError is on the way to it")
def no_loop_error(context: Context) -> None:
    assert "_ToolLoopError" not in lib.told(bench(context).ways.error), lib.told(bench(context).ways.error)


@given("the log is kept")
def keep_log(context: Context) -> None:
    lib.keep_log(context.world, bench(context).notes, logging.ERROR)
