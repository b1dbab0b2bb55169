"""Steps about several closers of one stream, and about bills that wait for nobody."""

from __future__ import annotations

from typing import Any

from behave import given, then, when
from behave.runner import Context

from features.lib.closers import Closing, ask_half_a_character, end_beside_tools

STORY = "closing_story"


def story_of(context: Context) -> Any:
    return getattr(context, STORY)


@given("a stream of tokens that {who} waits for")
async def begin(context: Context, who: str) -> None:
    closing = Closing(context.world)
    setattr(context, STORY, (closing, await closing.read(waits=who == "a task")))


@when("two other tasks close it")
async def close(context: Context) -> None:
    closing, reader = story_of(context)
    await closing.close_twice(reader)


@then("both have returned, and the result was there each time")
def check_closed(context: Context) -> None:
    closing, _ = story_of(context)
    assert closing.seen == [True, True], closing.seen


@when("a message with half a surrogate pair is sent under a budget")
async def send_half(context: Context) -> None:
    setattr(context, STORY, await ask_half_a_character())


@then("its row is unsent, the bill is exact, and the budget has all its room")
def check_unsent(context: Context) -> None:
    result, budget, requests = story_of(context)
    assert result.exact and [row.state for row in result.invocations] == ["unsent"], result
    assert (budget.spent, budget.reserved, requests) == (0, 0, 0)


@when("a run ends beside sync tools that hold every thread")
async def end_beside(context: Context) -> None:
    setattr(context, STORY, await end_beside_tools())


@then("its bill was delivered")
def check_delivered(context: Context) -> None:
    assert story_of(context) == ["quick"], story_of(context)
