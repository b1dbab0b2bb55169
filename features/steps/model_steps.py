"""Steps about what a loop's model was sent."""

from __future__ import annotations

from behave import then
from behave.runner import Context

from features.lib import loop_outcome as outcome
from features.lib.loop import loop_of


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
