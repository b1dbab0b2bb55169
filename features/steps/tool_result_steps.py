"""Steps about what a tool returned, and about the threads that sync tools run in."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from behave import given, register_type, then, when
from behave.runner import Context
from hypothesis import given as drawn

from cleveractors.exceptions import ExecutionError
from cleveractors.tools import ToolThreads, is_error, preview, render
from features.lib import tool_samples as samples
from features.lib import tools as lib
from features.lib.tool_samples import SAMPLES
from features.lib.tools import world

register_type(json=json.loads)


# The result


@when("a tool returns {value}")
def return_value(context: Context, value: str) -> None:
    world(context).result = lib.value_of(value)


@then("the tool message is {content:json}")
def check_content(context: Context, content: Any) -> None:
    assert world(context).error is None, world(context).error
    assert render(world(context).result) == content, render(world(context).result)


@then('the tool message holds "{text}"')
def check_content_part(context: Context, text: str) -> None:
    assert text in render(world(context).result)


@then("the raw result is no error, and carries {artifact:json}")
def check_artifact(context: Context, artifact: Any) -> None:
    assert not is_error(world(context).result) and world(context).result.artifact == artifact


@then("the raw result is an error")
def check_error_result(context: Context) -> None:
    assert is_error(world(context).result)


@then("every value of scalars, containers and cycles is read as text that a wire can carry")
def check_any_value(context: Context) -> None:
    drawn(lib.values())(lib.check_rendered)()


@then("the preview of {text:json} in {limit:d} characters is {shown:json}")
def check_preview(context: Context, text: str, limit: int, shown: str) -> None:
    assert preview(text, limit) == shown


# The threads


@given('the label "{label}" in the context')
def set_label(context: Context, label: str) -> None:
    samples.LABEL.set(label)


@given("threads of which {count:d} may be left behind")
def make_threads(context: Context, count: int) -> None:
    world(context).context.threads = ToolThreads(max_abandoned=count)


@given("{count:d} thread for sync functions")
def make_few_threads(context: Context, count: int) -> None:
    world(context).context.threads = ToolThreads(count)


@when("{count:d} sync functions do not end in time")
async def leave_threads(context: Context, count: int) -> None:
    for _ in range(count):
        await world(context).give_up(world(context).released.wait)


@when("two functions are given up, of which the second waits for the first")
async def leave_before_start(context: Context) -> None:
    tell, wait = world(context).told.append, world(context).released.wait
    await world(context).give_up(lambda: tell("first") or wait(), lambda: tell("second"))


@when("a function is given up between its thread and its beginning")
async def leave_late(context: Context) -> None:
    await world(context).begin_late()


@then("it never began, and no thread is left behind")
def check_never_began_late(context: Context) -> None:
    assert world(context).told == [] and isinstance(world(context).error, RuntimeError)
    assert world(context).threads.abandoned == 0


@then("the second never began, and {count:d} thread is left behind")
def check_never_began(context: Context, count: int) -> None:
    assert world(context).told == ["first"] and world(context).threads.abandoned == count


@then("{count:d} threads are left behind")
def check_left(context: Context, count: int) -> None:
    assert world(context).threads.abandoned == count
    assert repr(world(context).threads) == f"<ToolThreads max_threads=40 abandoned={count}>"


@when("a sync function is to run")
async def run_in_thread(context: Context) -> None:
    world(context).make(SAMPLES["in_thread"])
    await world(context).call({})


@when("the functions end")
def release(context: Context) -> None:
    world(context).released.set()


@then('the threads refuse it with "{text}"')
def check_execution_error(context: Context, text: str) -> None:
    assert text in str(lib.expected(world(context).error, ExecutionError))


@then("no thread is left behind, and a sync function runs")
async def check_threads_free(context: Context) -> None:
    await lib.until(lambda: world(context).threads.abandoned == 0)
    assert await world(context).threads.run(lambda: "ran") == "ran"


@then("a sync function runs in three loops one after the other")
def check_loops(context: Context) -> None:
    threads = world(context).threads
    assert [asyncio.run(threads.run(lambda: "ran")) for _ in range(3)] == ["ran"] * 3
