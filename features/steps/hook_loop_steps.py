"""Steps about hooks in whole runs."""

from __future__ import annotations

import json
from typing import Any

from behave import given, register_type, then, when
from behave.runner import Context

from features.lib.hooks_loop import hooked_of

register_type(jsonvalue=json.loads)


@given('a loop with hooks and the tools "{names}"')
def begin_with_tools(context: Context, names: str) -> None:
    hooked_of(context).use_tools(names)


@given("a loop with hooks")
def begin(context: Context) -> None:
    hooked_of(context)


@given("somebody looks on at every moment")
def watch(context: Context) -> None:
    hooked_of(context).watch()


@given('the hooked loop has the agent "{name}" {settings:jsonvalue}')
def add_agent(context: Context, name: str, settings: dict[str, Any]) -> None:
    hooked_of(context).agents[name] = settings


@when('the hooked loop is asked "{question}", as {way}')
async def ask(context: Context, question: str, way: str) -> None:
    await hooked_of(context).ask_as(question, way)


@then("the moments were")
def check_moments(context: Context) -> None:
    found = hooked_of(context).moments
    assert found == context.text.split("\n"), "\n" + "\n".join(found)


@then("the moments of hooks were")
def check_hook_moments(context: Context) -> None:
    others = ("ReactEnd", "ResponseYield", "on_result")
    found = [one for one in hooked_of(context).moments if one not in others]
    assert found == context.text.split("\n"), "\n" + "\n".join(found)


@then('"{event}" has told {key} {value:jsonvalue}')
def check_told(context: Context, event: str, key: str, value: Any) -> None:
    found = [one.extra.get(key, getattr(one, key, None)) for one in hooked_of(context).told_of.get(event, [])]
    assert found == value, found


@then("each moment has told exactly")
def check_keys(context: Context) -> None:
    told = hooked_of(context).told_of
    always = {"run_id", "parent_run_id", "agent", "tenant", "metadata", "platform"}
    for row in context.table:
        (first, *_) = told[row["moment"]]
        assert set(first.extra) - always == set(row["extra"].split()), (row["moment"], set(first.extra))
        assert always <= set(first.extra)


@then("the display was shown")
def check_shown(context: Context) -> None:
    found = [f"{attempt} {text} {outcome}" for attempt, text, _, outcome in hooked_of(context).shown()]
    assert found == context.text.split("\n"), "\n" + "\n".join(found)
