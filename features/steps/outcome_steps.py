"""Steps about how a loop ended, and what its bill says."""

from __future__ import annotations

import json

from behave import then
from behave.runner import Context

from features.lib import loop_outcome as outcome
from features.lib.loop import loop_of


@then('the loop ends with "{reason}"')
def check_reason(context: Context, reason: str) -> None:
    result = loop_of(context).result
    assert result.stop_reason == reason, (result.stop_reason, result.stop_detail)


@then('the loop answers "{text}"')
def check_answer(context: Context, text: str) -> None:
    assert loop_of(context).result.response == text, loop_of(context).result.response


@then('the loop answers in a sentence with "{text}"')
def check_sentence(context: Context, text: str) -> None:
    response = loop_of(context).result.response
    assert text in response and response.endswith("."), response


@then('the loop\'s stop detail says "{text}"')
def check_detail(context: Context, text: str) -> None:
    assert text in loop_of(context).result.stop_detail, loop_of(context).result.stop_detail


@then("the loop's result has")
def check_fields(context: Context) -> None:
    for row in context.table:
        outcome.check_field(loop_of(context).result, row["field"], row["value"])


@then("the loop's rows are")
def check_rows(context: Context) -> None:
    found = outcome.described(loop_of(context).rows, context.table.headings)
    assert found == [row.as_dict() for row in context.table], found


@then("the loop has no rows")
def check_no_rows(context: Context) -> None:
    assert loop_of(context).rows == () and loop_of(context).provider.requests == ()


@then("the loop's new messages are")
def check_messages(context: Context) -> None:
    found = outcome.transcript(loop_of(context).result.new_messages)
    wanted = [(row["who"], row["says"]) for row in context.table]
    assert outcome.agree(found, wanted), "\n" + "\n".join(map(repr, found))


@then("the loop's last message keeps {extra}")
def check_extra(context: Context, extra: str) -> None:
    message = loop_of(context).result.messages[-1]
    assert message.additional_kwargs == json.loads(extra), message


@then('the loop fails with {kind:w} "{text}"')
def check_failure(context: Context, kind: str, text: str) -> None:
    error = context.world.error
    assert type(error).__name__ == kind and text in str(error), repr(error)
    assert loop_of(context).result.stop_reason in ("error", "cancelled")


@then("the loop is cancelled")
def check_cancelled(context: Context) -> None:
    assert type(context.world.error).__name__ == "CancelledError", repr(context.world.error)
    assert loop_of(context).result.stop_reason == "cancelled"


@then('the loop\'s result carries the error {kind:w} "{text}"')
def check_error(context: Context, kind: str, text: str) -> None:
    error = loop_of(context).result.error
    assert type(error).__name__ == kind and text in str(error), repr(error)


@then("the loop's text is {text:json}")
def check_text(context: Context, text: str) -> None:
    assert "".join(loop_of(context).texts) == text, loop_of(context).texts


@then("the loop has no new rows")
def check_no_new_rows(context: Context) -> None:
    assert loop_of(context).rows == ()


@then("the loop failed")
def check_failed(context: Context) -> None:
    assert context.world.error is not None and loop_of(context).result.stop_reason == "error"


@then("the loop's rows are in any order")
def check_rows_unordered(context: Context) -> None:
    found = outcome.described(loop_of(context).rows, context.table.headings)
    wanted = [dict(row.as_dict()) for row in context.table]
    assert sorted(map(str, found)) == sorted(map(str, wanted)), found


@then("the loop's tool results are")
def check_results(context: Context) -> None:
    found = outcome.results(loop_of(context).result.new_messages)
    wanted = [(row["status"], row["says"]) for row in context.table]
    assert outcome.agree(found, wanted), "\n" + "\n".join(map(repr, found))


@then("every tool result of the loop has at most {most:d} characters")
def check_lengths(context: Context, most: int) -> None:
    found = outcome.results(loop_of(context).result.new_messages)
    assert found and all(len(text) <= most for _, text in found), [len(text) for _, text in found]


@then("the loop's tools were at most {most:d} at a time")
def check_peak(context: Context, most: int) -> None:
    assert loop_of(context).bench.peak == most, loop_of(context).bench.peak


@then('the loop\'s rows have the states "{states}"')
def check_states(context: Context, states: str) -> None:
    assert [row.state for row in loop_of(context).rows] == states.split(", "), loop_of(context).rows


@then("the loop's estimate is {low:d} to {high:d} prompt and {least:d} to {most:d} completion tokens")
def check_estimate(context: Context, low: int, high: int, least: int, most: int) -> None:
    result = loop_of(context).result
    assert low <= result.estimated_prompt_tokens <= high, result
    assert least <= result.estimated_completion_tokens <= most, result
