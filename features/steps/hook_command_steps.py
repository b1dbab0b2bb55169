"""Steps about commands of hooks."""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any
from unittest.mock import patch

from behave import given, then, when
from behave.runner import Context

from cleveractors.hooks import Hooks
from features.lib import hooks_asking as asking
from features.lib import hooks_processes as processes
from features.lib.hooks import hooks_of, settle


@given("{variable}={value} in the environment")
def set_variable(context: Context, variable: str, value: str) -> None:
    context.world.use(patch.dict(os.environ, {variable: value}))


@given('a pipe "{name}"')
def make_pipe(context: Context, name: str) -> None:
    os.mkfifo(hooks_of(context).file(name))


@given("at most {count:d} commands at a time")
def bound_commands(context: Context, count: int) -> None:
    story = hooks_of(context)
    story.hooks = Hooks(story.folder, max_processes=count)


@given("a system that can't tell when a process has ended")
def lose_pidfd(context: Context) -> None:
    context.world.use(patch("os.pidfd_open", side_effect=OSError("not here")))


@given("a redaction that refuses")
def refuse_redaction(context: Context) -> None:
    def refuse(document: dict[str, Any]) -> dict[str, Any]:
        raise ValueError("not this")

    story = hooks_of(context)
    story.hooks = Hooks(story.folder, redact=refuse)


@given("a redaction that leaves only the tool's name")
def redact_all(context: Context) -> None:
    story = hooks_of(context)
    story.hooks = Hooks(story.folder, redact=lambda document: {"tool_name": document["tool_name"]})


@when("a tool is about to be called with {kind}, which JSON can't hold")
async def call_oddly(context: Context, kind: str) -> None:
    await asking.call_tool(hooks_of(context), "Bash", processes.odd_arguments(kind))


@when("a tool is about to be called with {count:d} bytes")
async def call_large(context: Context, count: int) -> None:
    await asking.call_tool(hooks_of(context), "Bash", {"text": "x" * count})


@when("the call is cancelled when its hook is up")
async def cancel(context: Context) -> None:
    with context.world.catching(asyncio.CancelledError):
        await processes.cancel_when_up(hooks_of(context), "Bash")


@when("{count:d} calls of {tool:w} are about to be made, counted as processes")
async def count_calls(context: Context, count: int, tool: str) -> None:
    with processes.counted_processes(settle) as seen:
        await asking.call_many(hooks_of(context), count, tool)
    hooks_of(context).called = [str(one) for one in seen]


@when("{count:d} calls of {tool:w} are about to be made, as processes that never end")
async def hang_calls(context: Context, count: int, tool: str) -> None:
    with processes.counted_processes(asyncio.Event().wait):
        await asking.call_many(hooks_of(context), count, tool)


@then("no more than {most:d} of them ran at a time, and it was {most_seen:d}")
def check_bound(context: Context, most: int, most_seen: int) -> None:
    assert max(map(int, hooks_of(context).called)) == most == most_seen, hooks_of(context).called


@then('"{name}" has exactly the keys "{keys}"')
def check_keys(context: Context, name: str, keys: str) -> None:
    assert sorted(processes.told(hooks_of(context), name)) == sorted(keys.split()), name


@then('the "{part}" of "{name}" has exactly the keys "{keys}"')
def check_part(context: Context, part: str, name: str, keys: str) -> None:
    found = processes.told(hooks_of(context), name)[part]
    assert sorted(found) == sorted(keys.split()), sorted(found)


@then('"{name}" says')
def check_told(context: Context, name: str) -> None:
    document = processes.told(hooks_of(context), name)
    for row in context.table:
        found = processes.at(document, row["where"])
        assert found == json.loads(row["what"]), (row["where"], found)


@then('"{name}" is the text "{text}"')
def check_text(context: Context, name: str, text: str) -> None:
    found = hooks_of(context).file(name).read_text().strip()
    assert found == text, found


@then("all processes of the hook are dead")
def check_dead(context: Context) -> None:
    found = processes.pids(hooks_of(context))
    assert found and all(processes.is_dead(pid) for pid in found), found
    assert not any(processes.is_zombie(pid) for pid in found), found


@then("the process that the hook has left goes on")
def check_alive(context: Context) -> None:
    context.world.defer(lambda: processes.kill_leftovers(hooks_of(context)))
    for pid in processes.pids(hooks_of(context)):
        os.kill(pid, 0)


@then("the call is cancelled")
def check_cancelled(context: Context) -> None:
    assert isinstance(context.world.error, asyncio.CancelledError)


@then("a call takes less than {most:d} MiB of memory")
async def check_memory(context: Context, most: int) -> None:
    found = await processes.peak_memory(hooks_of(context), "Bash")
    assert found < most * 1024 * 1024, found
