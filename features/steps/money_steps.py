"""Steps about prices, and what calls cost."""

from __future__ import annotations

from decimal import Decimal

from behave import given, then, when
from behave.runner import Context

from cleveractors import Budget, Limits, Price
from cleveractors.catalogue import list_prices
from features.lib import money as lib
from features.lib.bench import as_json, bench


@given("the host's prices {{{prices}")
def host_prices(context: Context, prices: str) -> None:
    bench(context).options["prices"] = as_json(f"{{{prices}")


@given("the host's prices rise from {low:d} to {high:d} above {tokens:d} prompt tokens")
def rising_prices(context: Context, low: int, high: int, tokens: int) -> None:
    bench(context).notes[:] = [
        Price(Decimal(low), Decimal(low), above=((tokens, Price(Decimal(high), Decimal(high))),))
    ]


@given("the host's prices are a function that knows none")
def asked_prices(context: Context) -> None:
    bench(context).options["prices"] = lambda provider, model: None


@given("the host's limits of {amount} a run")
def cost_limit(context: Context, amount: str) -> None:
    bench(context).options["limits"] = Limits(max_cost=amount)


@given("the host's purse of {amount}, for all runs")
def cost_purse(context: Context, amount: str) -> None:
    bench(context).options["budgets"] = [Budget(max_cost=amount, name="house")]


@given("the host allows unpriced models")
def allow_unpriced(context: Context) -> None:
    bench(context).options["on_unpriced"] = "allow"


@given("the actor's provider bills {tokens} tokens")
def provider_bills(context: Context, tokens: str) -> None:
    bench(context).provider.script(lib.turn_of_tokens(tokens))


@given("the actor's provider bills {tokens} tokens, of which {reasoning:d} are reasoning")
def provider_bills_reasoning(context: Context, tokens: str, reasoning: int) -> None:
    bench(context).provider.script(lib.turn_of_tokens(tokens, reasoning))


@given('a tool that pays "{cost}" for "{model}"')
def paying_tool(context: Context, cost: str, model: str) -> None:
    lib.use_paying_tool(bench(context), cost, model)


@then('the model reads that its tool has failed, since "{text}"')
def tool_failed(context: Context, text: str) -> None:
    last = bench(context).provider.requests[-1].messages[-1]
    assert last["role"] == "tool" and "failed" in last["content"] and text in last["content"], last


@given("the actor's provider tells no usage")
def provider_silent(context: Context) -> None:
    bench(context).provider.script(lib.silent_turn())


@when("the list is asked for {provider}'s {model:S} at {url}")
def ask_list(context: Context, provider: str, model: str, url: str) -> None:
    find = list_prices()
    assert find is not None, "genai-prices is not installed"
    bench(context).notes[:] = [find(provider, model, None if url == "its own address" else url)]


@when("{count:d} runs ask at once, and the gate is opened")
async def ask_at_once(context: Context, count: int) -> None:
    await lib.ask_at_once(bench(context), count)


@then("the list says {prompt:S} and {completion:S}, cached {cached:S}")
def list_says(context: Context, prompt: str, completion: str, cached: str) -> None:
    (quote,) = bench(context).notes
    price = quote.price
    found = (price.prompt, price.completion, price.cached)
    assert found == (Decimal(prompt), Decimal(completion), Decimal(cached)), price
    assert quote.source.startswith("genai-prices "), quote


@then("the list says {prompt:S} and {completion:S}, and more for long prompts")
def list_says_tiers(context: Context, prompt: str, completion: str) -> None:
    price = bench(context).notes[0].price
    assert (price.prompt, price.completion) == (Decimal(prompt), Decimal(completion)), price
    assert price.above and price.above[0][1].prompt > price.prompt, price
    assert price.highest_prompt * 1_000_000 == price.above[-1][1].prompt, price


@then("the list does not know it")
def list_does_not_know(context: Context) -> None:
    assert bench(context).notes == [None]


@then("at {prompt} a prompt, {completion} an answer, {cached} cached and {written} a cache write")
def parts_cost(context: Context, prompt: str, completion: str, cached: str, written: str) -> None:
    price = Price(Decimal(prompt), Decimal(completion), Decimal(cached), Decimal(written))
    for row in context.table:
        assert price.cost(lib.usage_of(row)) == Decimal(row["cost"]), row


@then("these prompts cost")
def prompts_cost(context: Context) -> None:
    for row in context.table:
        assert bench(context).notes[0].cost(lib.usage_of(row)) == Decimal(row["cost"]), row


@then("the run cost {cost:S}, and nothing of it is estimated")
def bill_cost(context: Context, cost: str) -> None:
    result = bench(context).result
    assert result.cost == (None if cost == "none" else Decimal(cost)), result.cost
    assert result.estimated_cost is None, result.estimated_cost


@then("the run cost what its estimated tokens say, and nothing that is known")
def bill_estimated(context: Context) -> None:
    result = bench(context).result
    tokens = result.estimated_prompt_tokens + result.estimated_completion_tokens
    assert result.cost is None and result.estimated_cost == tokens > 0, result


@then('it is a ConfigurationError that says "{text}"')
def refused(context: Context, text: str) -> None:
    error = context.world.error
    assert type(error).__name__ == "ConfigurationError" and text in str(error), repr(error)


@then("no request was sent")
def no_request(context: Context) -> None:
    assert not bench(context).provider.requests


@then('at most {count:d} of them has made a call, and the others end by "{reason}" for contention')
def few_called(context: Context, count: int, reason: str) -> None:
    refused = [result for result in bench(context).results if not result.invocations]
    assert len(bench(context).results) - len(refused) <= count, bench(context).results
    assert {(one.stop_reason, one.budget_refusal) for one in refused} == {(reason, "contention")}, refused


@then("the purse has spent what the bills cost, and no more than {amount}")
def purse_spent(context: Context, amount: str) -> None:
    (purse,) = bench(context).options["budgets"]
    costs = sum((one.cost for one in bench(context).results if one.cost is not None), Decimal(0))
    assert 0 < purse.spent_cost == costs <= Decimal(amount) and purse.reserved_cost == 0, (purse, costs)
