"""Steps about failures: models and tools that fail, and what stays valid."""

from __future__ import annotations

from behave import given, then, when
from behave.runner import Context

from features.lib import failing as lib
from features.lib.bench import bench


@given("a model that answers a call and then raises {name:w}")
def failing_model(context: Context, name: str) -> None:
    lib.use_failing_model(bench(context), name)


@given("a tool that waits until it is released")
def waiting_tool(context: Context) -> None:
    lib.use_waiting_tool(bench(context))


@given("the actor has a tool that asks an actor whose provider refuses the key")
def asking_tool(context: Context) -> None:
    lib.use_asking_tool(bench(context))


@when("the run is cancelled while its tool works")
async def cancel_in_tool(context: Context) -> None:
    await lib.cancel_in_tool(bench(context))


@then("the error and its cause carry two bills")
def two_bills(context: Context) -> None:
    lib.check_two_bills(bench(context).ways)


@then("the history is valid, and the sibling has answered")
def sibling_answered(context: Context) -> None:
    assert lib.check_paired(bench(context).result.messages)["get_weather"] == "rain in Paris"


@then('the history is valid, and its calls are answered "{text}"')
def calls_answered(context: Context, text: str) -> None:
    answers = lib.check_paired(bench(context).result.messages)
    assert answers and all(text in answer for answer in answers.values()), answers


@then("the history is valid")
def history_valid(context: Context) -> None:
    lib.check_paired(bench(context).result.messages)
