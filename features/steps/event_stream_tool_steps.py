"""Steps about tools that talk in the event stream."""

from __future__ import annotations

from behave import given, then, when
from behave.runner import Context

from cleveractors import Budget
from cleveractors.testing import ScriptedChatModel, call
from features.lib import events_talking as lib
from features.lib.events_casts import Asking, CallingFatal, cast_boss, cast_own, cast_thinker
from features.lib.events_story import story_of


@given('the event stream of an agent whose tool "ask" calls the model')
def give_thinker(context: Context) -> None:
    cast_thinker(story_of(context))


@given("the event stream of an agent of the host's own that calls its model twice")
def give_asking(context: Context) -> None:
    cast_own(story_of(context), Asking)


@then('the event stream\'s browser would have read "{text}"')
def check_browser(context: Context, text: str) -> None:
    assert lib.browser_text(story_of(context)) == text


@given('the event stream of a boss whose agent "clerk" is asked twice at once')
def give_boss(context: Context) -> None:
    cast_boss(story_of(context))


@when("the event stream's kept emitter is used {how}")
async def use_kept(context: Context, how: str) -> None:
    with context.world.catching():
        await lib.use_kept(story_of(context), how)


@when("the event stream's agent is asked without a listener")
async def ask(context: Context) -> None:
    story = story_of(context)
    story.result = await story.executor.execute("Go")


@given('the event stream of an agent of the host\'s own that calls "fatal"')
def give_calling(context: Context) -> None:
    cast_own(story_of(context), CallingFatal)
    story_of(context).extra = story_of(context).tools.pick(["fatal"])


@given('the event stream\'s runs share a purse "{name}" that may be seen, and one that may not')
def give_purses(context: Context, name: str) -> None:
    seen, unseen = Budget(max_tokens=1000, name=name, visible=True), Budget(max_tokens=2000, name="hidden")
    story_of(context).house["budgets"] = [seen, unseen]


@then('the event stream\'s usage tells that {tokens:d} tokens of "{name}" are left, and of no other purse')
def check_purses(context: Context, tokens: int, name: str) -> None:
    (usage,) = [one for one in story_of(context).events if getattr(one, "event_name", "") == "usage"]
    assert usage.data["remaining"]["budgets"] == {name: {"tokens": tokens, "cost": None}}, usage


@given('the event stream\'s model gives the id "{call_id}" to the calls of {count:d} rounds')
def give_ids(context: Context, call_id: str, count: int) -> None:
    asked = [call("look", id=call_id, word="a long word", more="b" * 20) for _ in range(count)]
    story_of(context).model = ScriptedChatModel([*asked, "Done."])


@then("the event stream tells each call's arguments, start and end under one id, another in each round")
def check_ids(context: Context) -> None:
    lib.check_ids(story_of(context))


@when("the event stream of its lone calls is read")
async def read_lone(context: Context) -> None:
    with context.world.catching():
        await lib.read_lone(story_of(context))


@then('the event stream\'s thread was refused with "{text}"')
def check_refusal(context: Context, text: str) -> None:
    tools = story_of(context).tools
    assert tools.thread is not None
    tools.thread.join(60)
    assert text in tools.refusal, tools.refusal


@then("the event stream has these rows of its tools")
def check_tool_rows(context: Context) -> None:
    assert lib.tool_rows(story_of(context)) == [(row[0], row[1]) for row in context.table], story_of(context).rows


@then("the event stream's steps of each of {count:d} calls are 1, 2, 3")
def check_steps(context: Context, count: int) -> None:
    steps = story_of(context).steps()
    assert list(steps.values()) == [[1, 2, 3]] * count, steps


@then('the event stream\'s tools answered "{text}" {count:d} times')
def check_answers(context: Context, text: str, count: int) -> None:
    result = story_of(context).result
    assert result is not None
    assert [one.text for one in result.messages if one.type == "tool"] == [text] * count


@then("the event stream's emitters outside do nothing")
async def check_outside(context: Context) -> None:
    await lib.use_outside()


@then("the event stream's model call within the tool carries the call's id")
def check_inner_call(context: Context) -> None:
    assert lib.inner_origins(story_of(context)) == [("ask", "call_1")] * 3


@then('the event stream\'s calls are told by "main", then by "clerk" twice, each within its tool call')
def check_children(context: Context) -> None:
    lib.check_children(story_of(context))
