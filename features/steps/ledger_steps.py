"""Steps about the ledger, and the purses that many share."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from behave import given, then, when
from behave.runner import Context

from cleveractors import Budget
from cleveractors.testing import Turn
from features.lib import held
from features.lib import purses as lib
from features.lib.bench import as_json, bench, soon
from features.lib.ledger_property import draw_ledgers
from features.lib.ledger_watch import WatchedBudget


@then("the books are right in {count:d} drawn stories, asked as {mode:w}")
def books_are_right(context: Context, count: int, mode: Any) -> None:
    draw_ledgers(context.world, mode, count)


def purse_of(context: Context) -> WatchedBudget:
    (purse,) = bench(context).options["budgets"]
    return purse


@given("a purse of {tokens:d} tokens that every change of is looked at")
def watched_purse(context: Context, tokens: int) -> None:
    lib.use_purse(bench(context), tokens)


@given("a purse of {tokens:d} tokens for which runs wait")
def waiting_purse(context: Context, tokens: int) -> None:
    lib.use_purse(bench(context), tokens, wait=60)


@given("a model of the host's that says {tokens:d} tokens")
def says_much(context: Context, tokens: int) -> None:
    lib.use_own_model(bench(context), tokens)


@given("the actor's model may say {tokens:d} tokens, and stands at the gate first")
def stands_first(context: Context, tokens: int) -> None:
    bench(context).keys["parameters"] = {"max_tokens": tokens}
    bench(context).provider.script(Turn("It rains.", hold_before=bench(context).gate))
    bench(context).provider.script_forever(Turn("It snows."))


@given("a tool that reports {tokens:d} tokens of its own")
def spender(context: Context, tokens: int) -> None:
    lib.use_spender(bench(context), tokens)


@given("the actor's provider answers at length, heeds no cap and tells nothing")
def talker(context: Context) -> None:
    lib.use_talker(bench(context))


@when("{threads:d} threads ask two executors, {each:d} times each")
async def ask_everywhere(context: Context, threads: int, each: int) -> None:
    await lib.ask_everywhere(bench(context), threads, each)


@when("a second run waits for room until {end}, with {options}")
async def second_waits(context: Context, end: str, options: str) -> None:
    bench(context).results.append(await lib.ask_second(bench(context), purse_of(context), end, **as_json(options)))


@when("a second run with a ceiling of its own of {tokens:d} tokens waits for room until {end}")
async def second_with_ceiling(context: Context, tokens: int, end: str) -> None:
    options = lib.lone_limits(tokens)
    bench(context).results.append(await lib.ask_second(bench(context), purse_of(context), end, **options))


@given("an agent of the host's own that sends a broken call of {letters:d} letters")
def sends_broken(context: Context, letters: int) -> None:
    held.use_recalling(bench(context), letters)


@when("the actor is asked with a message of {parts}")
async def ask_parts(context: Context, parts: str) -> None:
    await bench(context).ask(held.MESSAGES[parts])


@then("for its call there were held {least:d} to {most:d} tokens beside the answer")
def was_held(context: Context, least: int, most: int) -> None:
    (row,) = bench(context).result.invocations
    assert least <= row.reserved_tokens - 100 <= most, row


@when("a tool reports its spend too late")
async def report_late(context: Context) -> None:
    await lib.report_late(bench(context))


@when("the actor is asked {mode} while the host handles {handled}")
async def ask_in_handler(context: Context, mode: str, handled: str) -> None:
    await lib.ask_in_handler(bench(context), handled, mode)


@when("a run of events is cancelled before its model call number {number:d} begins")
async def cancel_before_call(context: Context, number: int) -> None:
    await lib.cancel_before_call(bench(context), number)
    assert bench(context).notes[-1] > 0, "nothing was reserved"


@then("its rows have the states {states}")
def row_states(context: Context, states: str) -> None:
    rows = bench(context).result.invocations
    assert [row.state for row in rows] == as_json(states), rows


@when("a reader of events leaves whose bill takes longer than the work to stop")
async def leave_slow_sink(context: Context) -> None:
    await lib.leave_slow_sink(bench(context))


@when("a reader of events leaves while a tool holds on, whoever cancels it")
async def leave_stubborn_tool(context: Context) -> None:
    await held.leave_stubborn_tool(bench(context))


@then("the leaver was not held up, and its exception carries the bill")
def not_held_up(context: Context) -> None:
    ways = bench(context).ways
    assert type(ways.error).__name__ == "CancelledError" and ways.carried is not None, ways
    assert ways.carried.stop_reason == "cancelled" and not ways.billed, ways.carried


@then("the same bill is delivered when the tool has ended")
async def billed_late(context: Context) -> None:
    bench(context).gate.open()
    await soon(lambda: bool(bench(context).bills))
    assert bench(context).bills == [bench(context).ways.carried]


@then("a row of {tokens:d} tokens that is closed twice makes a sum of {total:d} tokens")
def closed_twice(context: Context, tokens: int, total: int) -> None:
    assert held.close_twice(tokens) == total


@then("all {count:d} runs have their bill, and some were refused")
def all_billed(context: Context, count: int) -> None:
    results = bench(context).results
    assert len(results) == len(set(bench(context).billed)) == count, len(results)
    assert {result.stop_reason for result in results} == {"completed", "token_budget"}, results


@then("the purse was never overdrawn, holds nothing, and has spent what the bills say")
def purse_is_right(context: Context) -> None:
    billed, purse = sum(result.total_tokens for result in bench(context).results), purse_of(context)
    assert (purse.passed, purse.reserved, purse.spent) == (0, 0, billed), (purse, billed)


@then("the purse was never overdrawn, and holds nothing")
def purse_is_empty(context: Context) -> None:
    purse: Budget = purse_of(context)
    assert (purse_of(context).passed, purse.reserved) == (0, 0), purse


@then('the second run ends with "{stop}" and {rows:d} rows')
def second_ends(context: Context, stop: str, rows: int) -> None:
    result = bench(context).result
    assert (result.stop_reason, len(result.invocations)) == (stop, rows), (result, result.invocations)


@then('the bill cost {cost} for "{model}", by "{source}"')
def cost_of_model(context: Context, cost: str, model: str, source: str) -> None:
    rows = [row for row in bench(context).result.invocations if row.model == model]
    assert [(row.cost, row.price_source) for row in rows] == [(Decimal(cost), source)], rows


@then("on_usage still had it, and the bill that was delivered is as it was")
def had_late_row(context: Context) -> None:
    (row,) = lib.tool_rows(bench(context))
    assert row.state == "settled" and row.prompt_tokens == 30, row
    assert row.id not in {one.id for one in bench(context).result.invocations}


@then("it went on when the bill was delivered, and its exception carries it")
def went_on_after_bill(context: Context) -> None:
    assert bench(context).notes[-1] is False, "it went on before"
    assert bench(context).ways.carried is bench(context).bills[0], bench(context).ways
