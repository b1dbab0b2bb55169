"""Steps about results: the answer, the history, the labels."""

from __future__ import annotations

from behave import then, when
from behave.runner import Context

from features.lib.bench import bench, turns_of


@then('the answer is "{text}", after {rounds:d} rounds and {calls:d} tool calls')
def answered(context: Context, text: str, rounds: int, calls: int) -> None:
    result = bench(context).result
    found = (result.response, result.output, result.rounds, result.tool_calls, result.stop_reason)
    assert found == (text, text, rounds, calls, "completed"), found


@when("it is asked again with the history of the last run")
async def ask_again(context: Context) -> None:
    bench(context).provider.script(*turns_of(context.table))
    await bench(context).ask("And tomorrow?", history=bench(context).result.messages)


@then('the last request holds the roles "{roles}"')
def last_roles(context: Context, roles: str) -> None:
    found = [message["role"] for message in bench(context).provider.requests[-1].messages]
    assert found == roles.split(), found


@then('the new messages of the last run are "{kinds}"')
def new_messages(context: Context, kinds: str) -> None:
    result = bench(context).result
    assert [message.type for message in result.new_messages] == kinds.split(), result.new_messages
    assert result.messages[-len(result.new_messages) :] == result.new_messages


@then("every row carries these labels")
def row_labels(context: Context) -> None:
    result = bench(context).result
    labels = {(row.tenant, row.session_id, row.run_id, *sorted(row.metadata)) for row in result.invocations}
    assert labels == {(result.tenant, result.session_id, result.run_id, *sorted(result.metadata))}, labels
