"""Steps that set up a tool loop and ask it."""

from __future__ import annotations

import json

import yaml
from behave import given, register_type, then, when
from behave.runner import Context

from cleveractors.testing import Turn
from features.lib import loop_actions as actions
from features.lib.loop import loop_of
from features.lib.loop_script import read_script

register_type(json=json.loads)


@given('a loop with the tools "{names}"')
def make_loop(context: Context, names: str) -> None:
    loop_of(context).use_tools(names)


@given("a loop without tools")
def make_plain_loop(context: Context) -> None:
    loop_of(context).tools = []


@given("the loop's settings")
def set_block(context: Context) -> None:
    loop_of(context).settings |= yaml.safe_load(context.text)


@given("the loop's settings {settings:json}")
def set_settings(context: Context, settings: dict[str, object]) -> None:
    loop_of(context).settings |= settings


@given("the loop's limits {limits:json}")
def set_limits(context: Context, limits: dict[str, object]) -> None:
    loop_of(context).limits |= limits


@given("the loop's run has the options {options:json}")
def set_options(context: Context, options: dict[str, object]) -> None:
    loop_of(context).options |= options


@given("the provider will answer the loop")
def set_script(context: Context) -> None:
    loop_of(context).says(read_script(row.as_dict() for row in context.table))


@given("the provider will answer the loop, and heed no cap")
def set_uncapped_script(context: Context) -> None:
    loop_of(context).says(read_script(row.as_dict() for row in context.table), honour_cap=False)


@given("the provider will answer the loop, and tell no usage")
def set_untold_script(context: Context) -> None:
    loop_of(context).says(read_script(row.as_dict() for row in context.table), usage=False)


@given("nobody listens at the loop's provider")
def set_refused(context: Context) -> None:
    loop_of(context).refuses = True


@when('the loop is asked "{question}"')
async def ask(context: Context, question: str) -> None:
    await loop_of(context).ask(question)


@when('the loop is asked "{question}" as a stream of {kind:w}')
async def ask_stream(context: Context, question: str, kind: str) -> None:
    await loop_of(context).ask(question, streaming=kind)


@when('the loop is asked "{question}", and {action:w} {moment}')
async def ask_and(context: Context, question: str, action: str, moment: str) -> None:
    loop = loop_of(context)
    streaming = "tokens" if "mid-stream" in moment else ""
    await loop.ask_and(question, actions.MEANWHILE[action, moment](loop), streaming=streaming)


@then("the loop's tools did")
def check_log(context: Context) -> None:
    assert loop_of(context).bench.log == [row["what"] for row in context.table], loop_of(context).bench.log


@then("the loop's tools did nothing")
def check_no_log(context: Context) -> None:
    assert loop_of(context).bench.log == []


@given('the provider asks the loop for echo with {levels:d} nested lists, then says "{text}"')
def set_nested(context: Context, levels: int, text: str) -> None:
    arguments = f'{{"text": {"[" * levels}{"]" * levels}}}'
    loop_of(context).says(read_script([{"calls": f"echo {arguments}"}, {"says": text}]))


@given("the provider accepts only names of tools in the loop's histories")
def set_strict_names(context: Context) -> None:
    loop_of(context).strict_names = True


@given("the loop's model is priced")
def set_priced(context: Context) -> None:
    loop_of(context).priced = True


@given('the provider will refuse the loop with "{text}"')
def set_refusal(context: Context, text: str) -> None:
    loop_of(context).provider.script(Turn(refusal=text))


@given('the provider asks the loop for {calls} until it must say "{text}"')
def set_endless(context: Context, calls: str, text: str) -> None:
    loop_of(context).asks_until_forbidden(calls, text)


@given('the label of the loop\'s caller is "{label}"')
def set_label_of_caller(context: Context, label: str) -> None:
    loop_of(context).label = label
