"""Steps about the history that a loop is given, and the one that it leaves."""

from __future__ import annotations

from behave import given, then, when
from behave.runner import Context

from features.lib import loop_history as lib
from features.lib.loop import loop_of


@given('the loop\'s history has the call "{call_id}"')
def give_history(context: Context, call_id: str) -> None:
    loop_of(context).options["history"] = lib.with_call(call_id)


@when('the loop, asked "{question}", ends with "{reason}"')
async def ask_first(context: Context, question: str, reason: str) -> None:
    await loop_of(context).ask(question)
    assert loop_of(context).result.stop_reason == reason, loop_of(context).result.stop_detail
    assert (context.world.error is not None) == (reason == "error")


@when('the loop is asked "{question}" with the history that it left')
async def ask_second(context: Context, question: str) -> None:
    await loop_of(context).ask_again(question, loop_of(context).result.messages)


@when('the loop is asked "{question}" with the history that it left, through JSON')
async def ask_through_json(context: Context, question: str) -> None:
    await loop_of(context).ask_again(question, lib.through_json(loop_of(context).result.messages))


@then("in a run of the loop the list is a valid history at every step, and only grows")
async def check_steps(context: Context) -> None:
    assert await lib.watch_steps() > 30


@then("wherever a run of the loop is cancelled, in {count:d} draws, its list is a valid history")
def check_cancels(context: Context, count: int) -> None:
    lib.draw_ends(context.world, count, lib.cancel)


@then("wherever a run of the loop is aborted, in {count:d} draws, its list is a valid history")
def check_aborts(context: Context, count: int) -> None:
    lib.draw_ends(context.world, count, lib.abort)


@then("the loop's tool results have the lengths {lengths}")
def check_whole(context: Context, lengths: str) -> None:
    found = [str(len(one.text)) for one in loop_of(context).result.messages if one.type == "tool"]
    assert found == lengths.split(", "), found


@then("the loop's requests sent results of these lengths")
def check_sent(context: Context) -> None:
    found = [lib.sent_lengths(one.messages) for one in loop_of(context).provider.requests]
    assert found == [row["lengths"] for row in context.table], found
