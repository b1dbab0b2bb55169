"""Steps about models whose errors and figures can't be read."""

from __future__ import annotations

import json
from typing import Any, cast

from behave import then, when
from behave.runner import Context

from features.lib import unreadable as lib


def outcome_of(context: Any) -> lib.Outcome:
    """What the scenario's run came to."""
    return cast("lib.Outcome", context.outcome)


@when("a host's model raises an error whose {what} can't be read")
async def fail(context: Any, what: str) -> None:
    context.outcome = await lib.run_failing(what)


@when("a host's model tells the figures {prompt} and {completion}")
async def tell(context: Any, prompt: str, completion: str) -> None:
    context.outcome = await lib.run_telling(json.loads(prompt), json.loads(completion))


@then("that error leaves the run, and its {what} still can't be read")
def same_error(context: Context, what: str) -> None:
    assert type(outcome_of(context).error) is lib.ERRORS[what], type(outcome_of(context).error)


@then("one bill was delivered, whose row is {state}, and nothing stays reserved")
def billed(context: Context, state: str) -> None:
    outcome = outcome_of(context)
    assert outcome.states == [state], outcome.states
    assert (outcome.purse.reserved, outcome.purse.spent >= 0) == (0, True), outcome.purse
