"""Steps about the mistakes of somebody who has just begun, and what they are told."""

from __future__ import annotations

import asyncio

from behave import then, when
from behave.runner import Context

from features.lib import newcomers
from features.lib.newcomers import MISTAKES, newcomer


@when("a first program has {mistake}")
async def make_mistake(context: Context, mistake: str) -> None:
    with context.world.catching():
        await MISTAKES[mistake](newcomer(context))


@then("its provider was asked {count:d} times")
def asked_times(context: Context, count: int) -> None:
    assert len(newcomer(context).provider.requests) == count, newcomer(context).provider.requests


@when("a first program calls asyncio.run twice with one executor")
async def run_twice(context: Context) -> None:
    await asyncio.to_thread(newcomers.ask_in_two_loops, newcomer(context))


@when("a first program calls execute_sync twice in an async function")
async def sync_in_loop(context: Context) -> None:
    await newcomers.call_sync_in_loop(newcomer(context))


@when("a first program whose warnings are errors calls execute_sync in an async function")
async def sync_warned_as_error(context: Context) -> None:
    await newcomers.call_sync_strictly(newcomer(context))


@when("a notebook calls execute_sync twice in a cell")
async def sync_in_notebook(context: Context) -> None:
    await newcomers.call_sync_in_notebook(newcomer(context))


@when('a program needs the extra "{extra}", which is not installed')
def need_extra(context: Context, extra: str) -> None:
    newcomers.use_without_extra(newcomer(context), extra)


@then('it ends with {kind:w} "{text}"')
def told_what(context: Context, kind: str, text: str) -> None:
    error = context.world.error
    assert type(error).__name__ == kind and text in str(error), f"{type(error).__name__}: {error}"


@then('it is told what to do: "{text}"')
def told_what_to_do(context: Context, text: str) -> None:
    found = newcomers.told(newcomer(context))
    assert text in found, found


@then('no secret is told: "{secret}"')
def secret_kept(context: Context, secret: str) -> None:
    found = newcomers.told(newcomer(context))
    assert secret not in found, found


@then('its last line is told: "{text}"')
def last_line(context: Context, text: str) -> None:
    assert text in newcomer(context).last_line, newcomer(context).last_line


@then("it was answered {count:d} times")
def answered(context: Context, count: int) -> None:
    answers = newcomer(context).answers
    assert len(answers) == count and all(answers), answers


@then('it is warned once, at its own line: "{text}"')
def warned_once(context: Context, text: str) -> None:
    newcomers.check_warned(newcomer(context), text)


@then("it is not warned")
def not_warned(context: Context) -> None:
    assert not newcomer(context).warned, [str(one.message) for one in newcomer(context).warned]
