"""Steps about what stands around a host's model."""

from __future__ import annotations

from behave import given, then, when
from behave.runner import Context

from features.lib.clinging import end_run
from features.lib.direct import AROUND, around_of
from features.lib.direct_messages import compare_messages


@given("a host's model with {what}")
def put_around(context: Context, what: str) -> None:
    AROUND[what](around_of(context))


@when("the host's actor is asked twice")
async def ask_twice(context: Context) -> None:
    await around_of(context).ask_twice()


@then("both are answered, and LangChain's own way to it was never taken")
def not_seen(context: Context) -> None:
    assert around_of(context).answers == ["Yes.", "Yes."]
    assert around_of(context).seen == 0


@then("both are answered, and {what} has seen {count:d} calls")
def seen(context: Context, what: str, count: int) -> None:
    assert around_of(context).answers == ["Yes.", "Yes."]
    assert around_of(context).seen == count, around_of(context).seen


@then("what a model is sent, and its answer, are the same as by ainvoke, whatever it tells beside it")
def alike(context: Context) -> None:
    compare_messages()


@when("a run whose model {goes_on} is {how}")
async def end(context: Context, goes_on: str, how: str) -> None:
    around_of(context).ended = await end_run(goes_on, how)


@then('it ends with "{ending}" after {calls:d} call, whose row is {row}')
def ended(context: Context, ending: str, calls: int, row: str) -> None:
    found = around_of(context).ended
    assert found == (ending, calls, [row]), found
