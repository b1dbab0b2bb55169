"""Steps about a run's beginning, its answer and its end."""

from __future__ import annotations

import asyncio
import gc
import json
from typing import Any

from behave import given, register_type, then, when
from behave.runner import Context

from features.lib import hooks_asking as asking
from features.lib import hooks_moments as moments
from features.lib.hooks import hooks_of

register_type(jsonvalue=json.loads)


@given("a hook that adds {count:d} characters to the user's message")
def add_much(context: Context, count: int) -> None:
    hooks_of(context).register("pre_llm_call", "long", f"adds {'x' * count}</hook-context>", "")


@when("a run is about to begin with {message:jsonvalue}")
async def begin(context: Context, message: Any) -> None:
    await moments.begin(hooks_of(context), message)


@when("the run wants to end {times:d} times")
async def stop(context: Context, times: int) -> None:
    await moments.stop_often(hooks_of(context), times)


@when('the answer "{text}" is about to be delivered')
async def answer(context: Context, text: str) -> None:
    await moments.answer(hooks_of(context), text)


@when('the tool {tool:w} has answered "{result}"')
async def transform(context: Context, tool: str, result: str) -> None:
    await asking.transform(hooks_of(context), tool, result)


@when("the session ends")
async def end(context: Context) -> None:
    await moments.end(hooks_of(context))


@when("the session ends, and its caller is cancelled again and again")
async def end_cancelled(context: Context) -> None:
    with context.world.catching(asyncio.CancelledError):
        await moments.end(hooks_of(context), cancelled=True)


@when('a child run of "{role}" begins')
async def child_begins(context: Context, role: str) -> None:
    story = hooks_of(context)
    await story.run_hooks.subagent_start(story.context, role, "child-1")


@when("a child run is interrupted")
async def child_interrupted(context: Context) -> None:
    await moments.child_interrupted(hooks_of(context))


@when("a child run comes to every moment")
async def in_child(context: Context) -> None:
    await moments.in_child(hooks_of(context))


@when("a message is shown and forgotten, and the executor closes")
async def forget(context: Context) -> None:
    await moments.show(hooks_of(context), "x")
    gc.collect()
    await hooks_of(context).context.run.services.background.drain(10)


@then("the hooks wanted are {events:jsonvalue}")
def check_wanted(context: Context, events: list[str]) -> None:
    assert sorted(hooks_of(context).outcome) == sorted(events), hooks_of(context).outcome


@then("the user's message gets")
def check_blocks(context: Context) -> None:
    assert "\n\n".join(moments.blocks(hooks_of(context))) == context.text, moments.blocks(hooks_of(context))


@then('a person reads "{text}"')
def check_reason(context: Context, text: str) -> None:
    assert asking.denied(hooks_of(context)).reason == text.replace(" / ", "\n")


@then('the model reads "{text}"')
def check_model(context: Context, text: str) -> None:
    assert asking.denied(hooks_of(context)).text == text


@then("the user's message gets nothing")
def check_no_blocks(context: Context) -> None:
    assert moments.blocks(hooks_of(context)) == ()


@then("the user's message gets at most {most:d} characters, one tag, and a mark of what is missing")
def check_cut(context: Context, most: int) -> None:
    (block,) = moments.blocks(hooks_of(context))
    assert len(block) <= most and block.count("</hook-context>") == 1 and "characters left out]" in block, block[-200:]


@then("the last hook was told the user's message {message:jsonvalue}")
def check_message(context: Context, message: Any) -> None:
    assert hooks_of(context).seen[-1].extra["user_message"] == message, hooks_of(context).seen[-1]


@then("it is sent back {times:d} times")
def check_continues(context: Context, times: int) -> None:
    found = hooks_of(context).outcome
    assert [bool(one) for one in found] == [True] * times + [False] * (len(found) - times), found


@then("it is sent back with")
def check_continue(context: Context) -> None:
    assert hooks_of(context).outcome[0] == context.text, hooks_of(context).outcome


@then("stop_hook_active was {flags:jsonvalue}")
def check_active(context: Context, flags: list[bool]) -> None:
    found = [one.extra["stop_hook_active"] for one in hooks_of(context).seen]
    assert found == flags, found


@then("what comes out is {text:jsonvalue}")
def check_text(context: Context, text: Any) -> None:
    assert hooks_of(context).outcome == text, hooks_of(context).outcome


@then("text is held back: {held:jsonvalue}")
async def check_held(context: Context, held: bool) -> None:
    assert hooks_of(context).run_hooks.holds_text is held


@then("the caller's cancellation is raised")
def check_cancel(context: Context) -> None:
    assert isinstance(context.world.error, asyncio.CancelledError)


@then("of {count:d} messages of {size:d} bytes, {most:d} bytes tell {told:jsonvalue}")
def check_history(context: Context, count: int, size: int, most: int, told: list[int]) -> None:
    assert moments.history(count, size, most) == told, moments.history(count, size, most)


@then("the payload's attributes are what its JSON says")
def check_attributes(context: Context) -> None:
    for payload in hooks_of(context).seen:
        document = payload.document()
        told = {**document, **document.pop("extra")}
        assert all(getattr(payload, key) == value for key, value in told.items()), told
        assert payload.context.run_id == payload.extra["run_id"]


@then("importing the hooks imports neither langchain nor pydantic")
async def check_import(context: Context) -> None:
    import sys

    code = "import cleveractors.hooks, sys; print([m for m in sys.modules if m in ('langchain_core', 'pydantic')])"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    out, _ = await process.communicate()
    assert out.strip() == b"[]", out
