"""Steps about what a loop's model was sent."""

from __future__ import annotations

import json
from typing import Any

from behave import given, register_type, then, when
from behave.runner import Context

from features.lib import loop_actions as actions
from features.lib import loop_outcome as outcome
from features.lib.loop import loop_of
from features.lib.loop_foreign import foreign, made_by_factory, nesting, silent

register_type(json=json.loads)


@then("the loop's requests have")
def check_requests(context: Context) -> None:
    found = [outcome.request_cells(one, context.table.headings) for one in loop_of(context).provider.requests]
    assert found == [row.as_dict() for row in context.table], found


@then("the loop made {count:d} requests")
def check_count(context: Context, count: int) -> None:
    assert len(loop_of(context).provider.requests) == count, len(loop_of(context).provider.requests)


@then('the last request of the loop holds "{text}"')
def check_request_text(context: Context, text: str) -> None:
    assert text in loop_of(context).provider.requests[-1].raw.decode()


@when("a second run of the loop begins after the first one's 429")
async def ask_after_429(context: Context) -> None:
    await actions.ask_after_rejection(loop_of(context))


@then("between the loop's requests {one:d} and {other:d} lie {least:g} to {most:g} seconds")
def check_gap(context: Context, one: int, other: int, least: float, most: float) -> None:
    requests = loop_of(context).provider.requests
    gap = requests[other - 1].arrived - requests[one - 1].arrived
    assert least <= gap <= most, gap


@then("the caps of the loop's requests fall from {first:d} to {least:d} and more")
def check_falling(context: Context, first: int, least: int) -> None:
    caps = [one.token_cap or 0 for one in loop_of(context).provider.requests]
    assert caps[0] == first and least <= caps[1] < first, caps


@given("the loop's own model, whose usage is its {rule:w}, will send {calls:json}")
def use_foreign(context: Context, rule: str, calls: list[list[dict[str, Any]]]) -> None:
    loop_of(context).model = foreign(calls, usage=rule)


@given("the loop's own model can't stream, and will send {calls:json}")
def use_whole(context: Context, calls: list[list[dict[str, Any]]]) -> None:
    loop_of(context).model = foreign(calls, whole=True)


@given("the loop's own model is made by a factory and knows no choice of tools, and will send {calls:json}")
def use_made(context: Context, calls: list[list[dict[str, Any]]]) -> None:
    loop_of(context).model = made_by_factory(calls)


@given("the loop's own model can't stream, and calls echo with {levels:d} nested lists around a word")
def use_nesting(context: Context, levels: int) -> None:
    loop_of(context).model = nesting(levels)


@given("the loop's own model has a stream of its own, in which nothing comes")
def use_silent(context: Context) -> None:
    loop_of(context).model = silent()
