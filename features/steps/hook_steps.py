"""Steps that register hooks and ask them about tool calls."""

from __future__ import annotations

import json
from typing import Any

from behave import given, register_type, then, when
from behave.runner import Context

from features.lib import hooks_asking as asking
from features.lib.hooks import hooks_of

register_type(jsonvalue=json.loads)


@given("the hooks")
def register_hooks(context: Context) -> None:
    for row in context.table:
        options = row["options"] if "options" in context.table.headings else ""
        hooks_of(context).register(row["event"], row["hook"], row["does"], options)


@when("the hooks are registered")
def try_to_register(context: Context) -> None:
    with context.world.catching():
        register_hooks(context)


@when('the tool "{tool}" is about to be called with {arguments:jsonvalue}')
async def call(context: Context, tool: str, arguments: Any) -> None:
    await asking.call_tool(hooks_of(context), tool, arguments)


@when("{count:d} calls of {tool:w} are about to be made at once")
async def call_many(context: Context, count: int, tool: str) -> None:
    await asking.call_many(hooks_of(context), count, tool)


@when("{runs:d} runs are about to call {tool:w} at once")
async def call_in_runs(context: Context, runs: int, tool: str) -> None:
    await asking.call_in_runs(hooks_of(context), runs, tool)


@when("the run is aborted while a hook is asked about {tool:w}")
async def abort(context: Context, tool: str) -> None:
    story = hooks_of(context)
    await asking.abort_meanwhile(story, lambda: asking.call_tool(story, tool, {}))


@when("the run has been aborted")
async def aborted(context: Context) -> None:
    hooks_of(context).context.abort_signal.abort()


@then("the call is allowed with {arguments:jsonvalue}")
def check_allowed(context: Context, arguments: Any) -> None:
    assert asking.allowed(hooks_of(context)) == arguments, asking.allowed(hooks_of(context))


@then("the call is denied because of")
def check_denied(context: Context) -> None:
    reasons = list(asking.denied(hooks_of(context)).reasons)
    assert reasons == [row["reason"] for row in context.table], reasons


@then('the call is denied because "{reason}"')
def check_reason(context: Context, reason: str) -> None:
    reasons = asking.denied(hooks_of(context)).reasons
    assert len(reasons) == 1 and reason in reasons[0], reasons


@then("it waits for approval")
def check_asked(context: Context) -> None:
    assert asking.denied(hooks_of(context)).asked


@then("all {count:d} calls are denied")
def check_all_denied(context: Context, count: int) -> None:
    kinds = [type(one).__name__ for one in hooks_of(context).outcome]
    assert kinds == ["Denied"] * count, kinds


@then("all {count:d} calls are allowed")
def check_all_allowed(context: Context, count: int) -> None:
    kinds = [type(one).__name__ for one in hooks_of(context).outcome]
    assert kinds == ["Allowed"] * count, kinds


@then('the hooks were called in this order: "{names}"')
def check_order(context: Context, names: str) -> None:
    assert hooks_of(context).called == names.split(), hooks_of(context).called


@then("no hook was called")
def check_uncalled(context: Context) -> None:
    assert hooks_of(context).called == []


@then('the hook "{name}" was called {times:d} times')
def check_times(context: Context, name: str, times: int) -> None:
    assert hooks_of(context).called.count(name) == times, hooks_of(context).called


@then("the loop was never silent for {milliseconds:d} ms")
def check_gap(context: Context, milliseconds: int) -> None:
    assert hooks_of(context).seconds < milliseconds / 1000, hooks_of(context).seconds


@then("it took less than {seconds:g} s")
def check_seconds(context: Context, seconds: float) -> None:
    assert hooks_of(context).seconds < seconds, hooks_of(context).seconds


@then('the failures are "{failures}"')
def check_failures(context: Context, failures: str) -> None:
    found = [f"{hook}: {kind} {count}" for (hook, kind), count in hooks_of(context).hooks.failures.items()]
    assert found == failures.split(", "), found


@then('the log says once "{text}"')
def check_log_once(context: Context, text: str) -> None:
    assert len([one for one in hooks_of(context).warnings if text in one]) == 1, hooks_of(context).warnings


@then("registering fails with")
def check_refusal(context: Context) -> None:
    text = str(context.world.error)
    assert type(context.world.error).__name__ == "ConfigurationError", repr(context.world.error)
    assert all(line in text for line in context.text.splitlines()), text


@then('no payload is made for a call of "{tool}"')
async def check_no_payload(context: Context, tool: str) -> None:
    assert await asking.count_payloads(hooks_of(context), tool) == 0


@then('a payload is made for a call of "{tool}"')
async def check_payload(context: Context, tool: str) -> None:
    assert await asking.count_payloads(hooks_of(context), tool) > 0
