"""Steps about an agent's loop without its callers."""

from __future__ import annotations

import json

from behave import given, register_type, then, when
from behave.runner import Context

from features.lib import loop_lone as lib
from features.lib.loop_lone import lone_of
from features.lib.loop_scale import LongRun
from features.lib.loop_script import read_script

register_type(json=json.loads)


@given('a lone agent with the tools "{names}"')
def make_agent(context: Context, names: str) -> None:
    lone_of(context).tools = names.split(", ")


@given("a lone agent that {does}")
def make_own_agent(context: Context, does: str) -> None:
    lone_of(context).kind = lib.AGENTS[does]


@given("a lone agent whose tool seam {does}")
def make_seam(context: Context, does: str) -> None:
    lone_of(context).kind = lib.SEAMS[does]


@given("its settings {settings:json}")
def set_rules(context: Context, settings: dict[str, object]) -> None:
    lone_of(context).settings |= settings


@given("its model will answer")
def set_model(context: Context) -> None:
    lone_of(context).script += read_script(row.as_dict() for row in context.table)


@given("its model can't call tools")
def set_toolless(context: Context) -> None:
    lone_of(context).toolless = True


@when('its loop is run on "{question}"')
async def run(context: Context, question: str) -> None:
    await lone_of(context).made.run(question)


@when('its loop is run on "{question}", and cancelled in its tool')
async def run_cancelled(context: Context, question: str) -> None:
    await lone_of(context).made.run_cancelled(question)


@then("its loop returned")
def check_returned(context: Context) -> None:
    for row in context.table:
        lone_of(context).made.check_returned(row["field"], json.loads(row["value"]))


@then('its loop raised {kind:w} "{text}", with')
def check_raised(context: Context, kind: str, text: str) -> None:
    fields = {row["field"]: json.loads(row["value"]) for row in context.table}
    lone_of(context).made.check_raised(kind, text, fields)
    lib.check_list(lone_of(context).made)


@then("its loop was cancelled, with {prompt:d} and {completion:d} tokens told")
def check_cancelled(context: Context, prompt: int, completion: int) -> None:
    made = lone_of(context).made
    assert type(made.error).__name__ == "CancelledError" and made.told == (prompt, completion)


@then("its list has {count:d} messages")
def check_count(context: Context, count: int) -> None:
    lib.check_list(lone_of(context).made)
    assert len(lone_of(context).made.messages) == count, lone_of(context).made.messages


@then("the last message of its list is the final response")
def check_last(context: Context) -> None:
    assert lone_of(context).made.messages[-1] is lone_of(context).made.result.final_response


@then('it answers "{question}" with "{answer}", and tells {prompt:d} and {completion:d} tokens')
async def check_answer(context: Context, question: str, answer: str, prompt: int, completion: int) -> None:
    assert await lone_of(context).made.answer(question) == (answer, (prompt, completion))


@then('it streams "{question}" as "{answer}", and tells {prompt:d} and {completion:d} tokens')
async def check_stream(context: Context, question: str, answer: str, prompt: int, completion: int) -> None:
    assert await lone_of(context).made.stream(question) == (answer, (prompt, completion))


@then('{way:w} "{question}" raises the tool\'s own error, and tells {prompt:d} and {completion:d} tokens')
async def check_cause(context: Context, way: str, question: str, prompt: int, completion: int) -> None:
    assert await lib.cause_of(lone_of(context).made, way, question) == (prompt, completion)


@then('its tools are bound as "{names}", ready made')
def check_bound(context: Context, names: str) -> None:
    assert lone_of(context).made.bound_names() == names.split(", ")


@then("a call of its bare model is on no bill")
async def check_bare(context: Context) -> None:
    await lone_of(context).made.ask_bare()
    assert lone_of(context).made.told == (0, 0) and len(lone_of(context).made.model.calls) == 1


@then("its pruning pass gives {gives:json}, and {prompt:d}, {completion:d} tokens are told")
async def check_pass(context: Context, gives: str | None, prompt: int, completion: int) -> None:
    assert await lone_of(context).made.condense() == gives
    assert lone_of(context).made.told == (prompt, completion)


@then('its model seam outside a loop is refused with "{text}"')
async def check_seam(context: Context, text: str) -> None:
    assert text in str(await lone_of(context).made.call_seam())


@then("no model call of it is counted")
def check_uncounted(context: Context) -> None:
    assert lone_of(context).made.context.run.counters.model_calls == 0


@then("its tool results are {results:json}")
def check_results(context: Context, results: list[str]) -> None:
    lib.check_list(lone_of(context).made)
    assert [one.text for one in lone_of(context).made.messages if one.type == "tool"] == results


@then("its model was sent 1, 2 and 2 messages")
def check_sent(context: Context) -> None:
    assert [len(one.messages) for one in lone_of(context).made.model.calls] == [1, 2, 2]


@when("a lone agent's model asks for a tool in {rounds:d} rounds")
async def run_long(context: Context, rounds: int) -> None:
    lone_of(context).long_run = LongRun(rounds)
    await lone_of(context).long_run.run()


@then("its answer comes after {rounds:d} rounds")
def check_long(context: Context, rounds: int) -> None:
    result = lone_of(context).long_run.result
    assert (result.rounds, result.final_response.text) == (rounds, "Done.")
    assert result.accumulated_prompt == 10 * (rounds + 1)


@then("our code made as many calls in round {late:d} as in round {early:d}")
def check_calls(context: Context, late: int, early: int) -> None:
    lone_of(context).long_run.check_calls(late, early)


@then("the stack was as deep in round {late:d} as in round {early:d}")
def check_depths(context: Context, late: int, early: int) -> None:
    lone_of(context).long_run.check_depths(late, early)


@then("as many objects were added from round {start:d} to {end:d} as from {early_start:d} to {early_end:d}")
def check_objects(context: Context, start: int, end: int, early_start: int, early_end: int) -> None:
    lone_of(context).long_run.check_objects(start, end, early_start, early_end)
