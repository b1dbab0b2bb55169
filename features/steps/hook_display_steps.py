"""Steps about what display hooks are shown."""

from __future__ import annotations

import asyncio
import json

from behave import given, then, when
from behave.runner import Context

from cleveractors.hooks.display import Window, open_window, step
from features.lib import hooks_display as display
from features.lib.hooks import hooks_of
from features.lib.hooks_display import show_of


@given("a display hook that takes its time")
def slow_hook(context: Context) -> None:
    show_of(context).slow = True


@given("a wait of at most {seconds:g} s for all messages")
def set_budget(context: Context, seconds: float) -> None:
    loop = context.world.loop
    show_of(context)._display = display.Display(show_of(context).background.start, loop.time, seconds)
    hooks_of(context)


@when("this happens to a message")
async def play(context: Context) -> None:
    await show_of(context).play(context.text)


@when("the model calls go like this")
async def stream(context: Context) -> None:
    await display.stream(hooks_of(context), context.text)


@when("the end is awaited {times:d} times at once")
async def drain(context: Context, times: int) -> None:
    hooks_of(context).seconds = await show_of(context).drain(times)


@when("{count:d} messages are shown, each awaited, to a hook that hangs")
async def many(context: Context, count: int) -> None:
    show, story = show_of(context), hooks_of(context)
    for _ in range(count):
        await show.play("0 another\n0 start\n0 text x\n0 close complete")
        story.seconds += await show.drain(1)


@when("the wait is cancelled")
async def cancel_wait(context: Context) -> None:
    task = asyncio.ensure_future(show_of(context).drain(1))
    await asyncio.sleep(0)
    task.cancel()
    with context.world.catching(asyncio.CancelledError):
        await task


@then("chunks flush like this")
def check_steps(context: Context) -> None:
    window: Window = open_window(0.0)
    for row in context.table:
        window, due = step(window, json.loads(row["chunk"]), float(row["at"]))
        assert (window.text if due else "") == row["shown"], (row, window)


@then("this was shown")
def check_shown(context: Context) -> None:
    found = [display.described(one, context.table.headings) for one in show_of(context).shown]
    assert found == [row.as_dict() for row in context.table], found


@then("the display hook was shown")
def check_seen(context: Context) -> None:
    found = [display.described(one, context.table.headings) for one in hooks_of(context).seen]
    assert found == [row.as_dict() for row in context.table], found


@then("nothing was shown")
def check_nothing(context: Context) -> None:
    assert show_of(context).shown == [] and hooks_of(context).seen == []


@then("there were {count:d} messages")
def check_messages(context: Context, count: int) -> None:
    found = {one.message_id for one in [*show_of(context).shown, *hooks_of(context).seen]}
    assert len(found) == count, found


@then("{count:d} deliveries are on their way")
def check_way(context: Context, count: int) -> None:
    assert len(show_of(context).background.tasks) == count, show_of(context).background.tasks


@then("the wait is over")
def check_wait(context: Context) -> None:
    assert isinstance(context.world.error, asyncio.CancelledError)
