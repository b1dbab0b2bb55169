"""Steps about what a loop may spend, and has spent."""

from __future__ import annotations

from decimal import Decimal

import parse
from behave import given, register_type, then, when
from behave.runner import Context

from cleveractors import Budget
from features.lib import loop_budget as lib
from features.lib.loop import loop_of
from features.lib.loop_books import spent


@parse.with_pattern("|".join(lib.SPENT))
def read_spending(string: str) -> str:
    return string


register_type(spending=read_spending)


@given("the loop has a budget of {tokens:d} tokens")
def give_budget(context: Context, tokens: int) -> None:
    loop_of(context).budgets.append(Budget(max_tokens=tokens))


@given("the loop has a budget of {tokens:d} tokens, strictly estimated")
def give_strict_budget(context: Context, tokens: int) -> None:
    loop_of(context).budgets.append(Budget(max_tokens=tokens, estimate="strict"))


@given("the loop has a budget of {tokens:d} tokens, for which runs wait")
def give_awaited_budget(context: Context, tokens: int) -> None:
    loop_of(context).budgets.append(Budget(max_tokens=tokens, wait=20))


@given("the loop has a watched budget of {tokens:d} tokens")
def give_watched_budget(context: Context, tokens: int) -> None:
    loop_of(context).budgets.append(lib.WatchedBudget(max_tokens=tokens))


@when("{count:d} runs of the loop ask at once")
async def ask_all(context: Context, count: int) -> None:
    await lib.ask_all(loop_of(context), count)


@when("2 runs of the loop ask with {letters:d} letters, and the gate is opened when one waits")
async def ask_and_wait(context: Context, letters: int) -> None:
    await lib.ask_and_wait(loop_of(context), letters, cancelled=False)


@when("2 runs of the loop ask with {letters:d} letters, and the first is cancelled when one waits")
async def ask_and_cancel(context: Context, letters: int) -> None:
    await lib.ask_and_wait(loop_of(context), letters, cancelled=True)


@then('the loop\'s runs end with "{reasons}"')
def check_reasons(context: Context, reasons: str) -> None:
    found = sorted(one.stop_reason for one in loop_of(context).results)
    assert found == reasons.split(", "), found


@then("the watched budget was never overdrawn, and had {tokens:d} tokens out at least")
def check_watched(context: Context, tokens: int) -> None:
    (budget,) = loop_of(context).budgets
    assert isinstance(budget, lib.WatchedBudget)
    assert tokens <= budget.most <= (budget.max_tokens or 0), budget.most


@given('the loop has a budget of {tokens:d} tokens, named "{name}", of which {used:d} are spent')
def give_used_budget(context: Context, tokens: int, name: str, used: int) -> None:
    loop_of(context).budgets.append(Budget(max_tokens=tokens, spent=used, name=name))


@given("every byte of the loop's requests is a token")
def count_bytes(context: Context) -> None:
    loop_of(context).bytes_are_tokens = True


@given("the provider answers the loop with {tokens:d} tokens")
def answer_long(context: Context, tokens: int) -> None:
    loop_of(context).provider.script(lib.long_turn(tokens))


@given("the provider answers the loop with {tokens:d} tokens for ever, at the gate")
def answer_long_for_ever(context: Context, tokens: int) -> None:
    loop_of(context).provider.script_forever(lib.long_turn(tokens, loop_of(context).gate))


@given("the loop's model is one without a cap")
def use_uncapped(context: Context) -> None:
    loop_of(context).model = lib.uncapped_model()


@when("{count:d} runs of the loop ask with {letters:d} letters, while the gate is closed")
async def ask_at_once(context: Context, count: int, letters: int) -> None:
    await lib.ask_at_gate(loop_of(context), count, letters)


@when("the loop is asked with {letters:d} letters")
async def ask_letters(context: Context, letters: int) -> None:
    await loop_of(context).ask("x" * letters)


@then("the loop cost at most {amount}")
def check_cost(context: Context, amount: str) -> None:
    cost = loop_of(context).result.cost
    assert cost is not None and cost <= Decimal(amount), cost


@then("the provider bills the loop at most {tokens:d} tokens")
def check_most(context: Context, tokens: int) -> None:
    assert spent(loop_of(context).provider) <= tokens, loop_of(context).provider.ledger


@then("the provider bills the loop at least {tokens:d} tokens")
def check_least(context: Context, tokens: int) -> None:
    assert spent(loop_of(context).provider) >= tokens, loop_of(context).provider.ledger


@then("at most {count:d} of the loop's runs have made a call")
def check_started(context: Context, count: int) -> None:
    started = [result for result in loop_of(context).results if result.invocations]
    assert 0 < len(started) <= count, started


@then('the others end with "{reason}", for contention')
def check_refused(context: Context, reason: str) -> None:
    refused = [result for result in loop_of(context).results if not result.invocations]
    assert {(one.stop_reason, one.budget_refusal) for one in refused} == {(reason, "contention")}


@then('the loop\'s model is refused with "{text}"')
def check_model_refused(context: Context, text: str) -> None:
    error = context.world.error
    assert type(error).__name__ == "ConfigurationError" and text in str(error), repr(error)
    assert loop_of(context).rows == ()


@then("the loop's rows were capped at what was reserved")
def check_caps(context: Context) -> None:
    lib.check_caps(loop_of(context).provider.requests, loop_of(context).rows)


@then("the loop's budget has nothing reserved")
def check_reserved(context: Context) -> None:
    assert [budget.reserved for budget in loop_of(context).budgets] == [0]


@then("the loop's budget has spent {tokens:d} tokens")
def check_spent(context: Context, tokens: int) -> None:
    assert [budget.spent for budget in loop_of(context).budgets] == [tokens]


@then("the loop's budget has spent {what:spending}")
def check_spent_as(context: Context, what: str) -> None:
    (budget,) = loop_of(context).budgets
    assert budget.spent == lib.SPENT[what](loop_of(context)), (budget, loop_of(context).rows)


@then("no drawn budget is passed in {count:d} draws")
def draw_budgets(context: Context, count: int) -> None:
    lib.draw_budgets(context.world, count)


@then("no drawn money ceiling is passed in {count:d} draws")
def draw_money(context: Context, count: int) -> None:
    lib.draw_money(context.world, count)
