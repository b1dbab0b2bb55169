"""Steps about options: of the executor and of a run, wrong and right."""

from __future__ import annotations

from behave import given, register_type, then, when
from behave.runner import Context
from parse import with_pattern

from cleveractors import ConfigurationError
from features.lib import configuring as lib
from features.lib.bench import as_json, bench


@with_pattern("|".join(lib.MISTAKES))
def mistake(string: str) -> str:
    return string


register_type(mistake=mistake)


@given("{what:mistake}")
def host_has(context: Context, what: str) -> None:
    bench(context).ways.value = what


@given("prices as {form}")
def set_prices(context: Context, form: str) -> None:
    bench(context).options["prices"] = lib.PRICES[form]


@then("it cost {cost}, by the host's prices")
def cost_is(context: Context, cost: str) -> None:
    result = bench(context).result
    assert str(result.cost) == cost and result.unpriced_calls == 0, result
    assert {row.price_source for row in result.invocations} == {"host"}


@given("a provider that tells what it was asked with")
def telling_provider(context: Context) -> None:
    lib.use_telling_provider(bench(context))


@given("a credential function that gives each tenant a key of its own")
def tenant_keys(context: Context) -> None:
    lib.use_tenant_keys(bench(context))


@when("the actor is made and asked")
async def make_and_ask(context: Context) -> None:
    with context.world.catching():
        await lib.make_and_ask(bench(context), bench(context).ways.value)


@when("a run is asked for with {option:w} = {value}")
async def ask_with(context: Context, option: str, value: str) -> None:
    with context.world.catching():
        await lib.ask_with(bench(context), option, value)


@when("an executor is made with {option:w} = {value}")
def make_with(context: Context, option: str, value: str) -> None:
    with context.world.catching():
        lib.make_with(bench(context), option, value)


@when("an executor is made with every option of no kind")
def make_of_no_kind(context: Context) -> None:
    with context.world.catching():
        lib.make_of_no_kind(bench(context))


@then("one ConfigurationError names every option")
def names_every_option(context: Context) -> None:
    lib.check_every_option(context.world.error_of(ConfigurationError))


@when("limits are made with {figures}")
def make_limits(context: Context, figures: str) -> None:
    with context.world.catching():
        lib.make_limits(as_json(figures))


@when("a purse is made with {figures}")
def make_purse(context: Context, figures: str) -> None:
    with context.world.catching():
        lib.make_purse(as_json(figures))


@when("the actor is asked with another model, parameters and key of its own")
async def ask_for_itself(context: Context) -> None:
    await lib.ask_for_itself(bench(context))


@when("two runs are running, and a third is asked for")
async def ask_third(context: Context) -> None:
    await lib.ask_beside(bench(context), 2)


@when("a run is running, and another is asked for with its run_id")
async def ask_same_id(context: Context) -> None:
    await lib.ask_beside(bench(context), 1, run_id="r1")


@then("nothing was spent")
def nothing_spent(context: Context) -> None:
    assert not any(bill.total_tokens for bill in bench(context).bills), bench(context).bills


@then('the {which} is refused with {kind:w} "{text}"')
def refused(context: Context, which: str, kind: str, text: str) -> None:
    error = context.world.error
    assert type(error).__name__ == kind and text in str(error), repr(error)


@then("after {whose} end another one is answered")
async def answered_after(context: Context, whose: str) -> None:
    assert (await bench(context).ask()).response == "New."


@then('the last request has the model "{model}", the temperature {temperature:g} and the key "{key}"')
def request_has(context: Context, model: str, temperature: float, key: str) -> None:
    request = lib.last_request(bench(context))
    found = (request.model, request.body["temperature"], request.headers["authorization"])
    assert found == (model, temperature, f"Bearer {key}"), found


@then('the last request has the key "{key}"')
def request_key(context: Context, key: str) -> None:
    assert lib.last_request(bench(context)).headers["authorization"] == f"Bearer {key}"


@then('the last request offers the tools "{names}"')
def request_tools(context: Context, names: str) -> None:
    offered = [tool["function"]["name"] for tool in lib.last_request(bench(context)).tools or ()]
    assert offered == names.split(", "), offered


@then('the house\'s key and "{key}" stand in no result, row or text')
def keys_hidden(context: Context, key: str) -> None:
    shown = repr((bench(context).result, bench(context).seen, bench(context).result.to_dict(), bench(context).executor))
    assert key not in shown and "sk-secret" not in shown
