"""Steps about agents that call each other."""

from __future__ import annotations

from behave import given, then, when
from behave.runner import Context

from cleveractors import Budget, ToolCallEndEvent
from features.lib import children as lib
from features.lib import children_agents as agents
from features.lib import children_code as code
from features.lib import children_many as many_lib
from features.lib import children_told as told
from features.lib import forks as forks_lib
from features.lib.bench import as_json
from features.lib.children import family_of
from features.lib.loop_books import spent

# The family


@given("the family")
def declare(context: Context) -> None:
    family_of(context).declare(context.text)


@given("the family's {name:w} is {kind}")
def custom_agent(context: Context, name: str, kind: str) -> None:
    agents.use_agent(family_of(context), name, kind)


@given('the family has the tools "{names}"')
def use_tools(context: Context, names: str) -> None:
    family_of(context).use_tools(names)


@given("the family has a tool that {does}")
def use_own_tool(context: Context, does: str) -> None:
    code.use_tool(family_of(context), does)


@given("the family's house has a key for the provider {provider:w}")
def use_key(context: Context, provider: str) -> None:
    family_of(context).use_key(provider)


@given("the family's house has {{{options}}}")
def use_options(context: Context, options: str) -> None:
    family_of(context).options |= as_json(f"{{{options}}}")


@given("the family has a budget of {tokens:d} tokens")
def use_budget(context: Context, tokens: int) -> None:
    family_of(context).options.setdefault("budgets", []).append(Budget(max_tokens=tokens))


@given("the family's models will answer")
def script(context: Context) -> None:
    family_of(context).says(row.as_dict() for row in context.table)


@given('the family\'s models ask for their tools until they must not, and then say "{text}"')
def ask_for_ever(context: Context, text: str) -> None:
    code.ask_until_forbidden(family_of(context), text)


# What is done


@when("the family is read")
def read(context: Context) -> None:
    with context.world.catching():
        family_of(context).make()


@when("the family is asked")
async def ask(context: Context) -> None:
    await family_of(context).ask()


@when("the family is asked with {options}")
async def ask_with(context: Context, options: str) -> None:
    await family_of(context).ask(**as_json(options))


@when("the family is asked in a run with {what}")
async def ask_specially(context: Context, what: str) -> None:
    await code.ASKED[what](family_of(context))


@when("the family is asked and everything that happens is read")
async def listen(context: Context) -> None:
    await family_of(context).listen()


@when("the family is asked, and {story}")
async def tell(context: Context, story: str) -> None:
    await code.STORIES[story](family_of(context))


@when("the family's run ends by {how} while {held:d} requests are held")
async def end_by(context: Context, how: str, held: int) -> None:
    await lib.end_by(family_of(context), how, held)


# What came of it


@then('the family answers "{text}"')
def answers(context: Context, text: str) -> None:
    assert family_of(context).result.response == text, family_of(context).result


@then('the family\'s run ends with "{reason}"')
def ends(context: Context, reason: str) -> None:
    result = family_of(context).result
    assert result.stop_reason == reason, (result.stop_reason, result.stop_detail)


@then('the family fails with {kind:w} "{text}"')
def fails(context: Context, kind: str, text: str) -> None:
    error = context.world.error
    assert type(error).__name__ == kind and text in str(error), repr(error)


@then("the family's result has")
def result_has(context: Context) -> None:
    for row in context.table:
        found = getattr(family_of(context).result, row["field"])
        assert found == told.as_value(row["value"]), f"{row['field']} is {found!r}"


@then("the family's rows are")
def check_rows(context: Context) -> None:
    found = told.rows(family_of(context), context.table.headings)
    assert found == [list(row) for row in context.table], found


@then("the family's bill is the provider's ledger, to the token")
def exact(context: Context) -> None:
    family = family_of(context)
    assert family.result.exact and family.result.total_tokens == spent(family.provider), family.result


@then("the family's bill is at most {tokens:d} tokens")
def bounded(context: Context, tokens: int) -> None:
    assert spent(family_of(context).provider) <= tokens, family_of(context).result


@then('"{agent}" has wrapped up')
def wrapped_up(context: Context, agent: str) -> None:
    rows = [row for row in family_of(context).result.invocations if (row.agent, row.purpose) == (agent, "synthesis")]
    assert rows and rows[0].state == "settled", family_of(context).result.invocations


@then("the family's bill costs at most {most:d}")
def costs(context: Context, most: int) -> None:
    result = family_of(context).result
    assert result.cost is not None and 0 < result.cost <= most and not result.unpriced_calls, result


@then('the bill of "{agent}" is at most {tokens:d} tokens')
def bounded_agent(context: Context, agent: str, tokens: int) -> None:
    rows = [row for row in family_of(context).result.invocations if row.agent == agent]
    assert 0 < sum(row.total_tokens for row in rows) <= tokens, rows


@then("the family's budgets are not overspent, and hold nothing")
def even(context: Context) -> None:
    for budget in family_of(context).budgets:
        assert budget.reserved == 0 and budget.max_tokens is not None and budget.spent <= budget.max_tokens, budget


@then("every row of the family is {state}")
def row_states(context: Context, state: str) -> None:
    found = {row.state for row in family_of(context).result.invocations}
    assert found == set(state.split(" or ")), found


@then('the tools of "{agent}" told its model')
def check_answers(context: Context, agent: str) -> None:
    found, expected = family_of(context).answers(agent), [row["text"] for row in context.table]
    assert len(found) == len(expected), found
    assert all(text in answer for text, answer in zip(expected, found, strict=True)), found


@then('request {number:d} of "{agent}" was')
def check_request(context: Context, number: int, agent: str) -> None:
    found = family_of(context).lines(agent, number)
    assert found == [list(row) for row in context.table], found


@then('the model of "{agent}" was asked {count:d} times')
def check_asked(context: Context, agent: str, count: int) -> None:
    assert len(family_of(context).requests(agent)) == count, family_of(context).requests(agent)


@then('the model of "{agent}" was offered')
def check_offer(context: Context, agent: str) -> None:
    offered = [tool["function"] for tool in family_of(context).requests(agent)[0].tools or ()]
    assert offered == as_json(context.text), offered


@then('every request of "{agent}" has the key "{key}"')
def check_key(context: Context, agent: str, key: str) -> None:
    assert {one.api_key for one in family_of(context).requests(agent)} == {key}


@then('the output cap of request {number:d} of "{agent}" is at least {least:d}')
def check_cap(context: Context, number: int, agent: str, least: int) -> None:
    cap = family_of(context).requests(agent)[number - 1].token_cap
    assert cap is not None and cap >= least, cap


@then("the family's code has noted {notes}")
def check_notes(context: Context, notes: str) -> None:
    assert family_of(context).notes == as_json(notes), family_of(context).notes


@then("the family's events lie within each other")
def check_events(context: Context) -> None:
    told.check_events(family_of(context))


@then("the family's agent calls are")
def check_calls(context: Context) -> None:
    found = told.called(family_of(context), context.table.headings)
    assert found == [list(row) for row in context.table], found


@then("the family was told of these tool calls")
def check_tool_calls(context: Context) -> None:
    ends = [one.event for one in family_of(context).of_kind(ToolCallEndEvent)]
    found = [[str(getattr(end, column)) for column in context.table.headings] for end in ends]
    assert found == [list(row) for row in context.table], found


@then("the family was told {count:d} times that at least {least:d} tokens are left")
def check_left(context: Context, count: int, least: int) -> None:
    left = told.tokens_left(family_of(context))
    assert len(left) == count and min(left) >= least, left


@then("the family's ending has reached every level at once")
def at_once(context: Context) -> None:
    lib.check_at_once(family_of(context))


# Forks


@given("the family's forks answer what they are asked, held until all {count:d} are there")
def hold_forks(context: Context, count: int) -> None:
    code.fork_and_hold(family_of(context), count)


@then('every request of "{model}" has {{{keys}}}')
def check_body(context: Context, model: str, keys: str) -> None:
    expected = as_json(f"{{{keys}}}")
    for request in family_of(context).requests(model):
        assert expected.items() <= request.body.items(), request.body


@then("the family's forks are")
def check_forks(context: Context) -> None:
    found = forks_lib.forks(family_of(context), context.table.headings)
    assert found == [list(row) for row in context.table], found


@then("no two of the family's forks share an id, an instance, a memory or a number")
def check_unique(context: Context) -> None:
    forks_lib.check_unique_forks(family_of(context))


# Many


@then("an input_schema with references is taken, and one that doubles {count:d} times is not")
def references(context: Context, count: int) -> None:
    code.check_references(family_of(context), count)


@then("{count:d} runs of a family at the same time, with two children each, have exact bills")
async def many(context: Context, count: int) -> None:
    await many_lib.check_many(count)


@then("no tree of a family overspends or stands still, in {count:d} draws")
def trees(context: Context, count: int) -> None:
    many_lib.check_trees(context.world, count)


@then("the books of a family are right wherever its run is cut, in {count:d} draws")
def cuts(context: Context, count: int) -> None:
    many_lib.check_cuts(context.world, count)
