"""Steps about contexts that belong to no run of an executor."""

from __future__ import annotations

from typing import Any

from behave import given, then, when
from behave.runner import Context

from cleveractors import testing
from cleveractors.testing import run_context

ALONE = "lone_context"


def make(arguments: str) -> Any:
    return eval(f"run_context({arguments})", {"run_context": run_context})


def keep(context: Context, made: Any) -> None:
    setattr(context, ALONE, made)


def lone(context: Context) -> Any:
    return getattr(context, ALONE)


@given("a context of its own with {arguments}")
def given_context(context: Context, arguments: str) -> None:
    keep(context, make(arguments))


@given("a context of its own with ")
def given_plain(context: Context) -> None:
    keep(context, make(""))


@given("a context of its own, within a loop")
async def given_within(context: Context) -> None:
    keep(context, make(""))


@when("its tool reports {prompt:d} prompt and {completion:d} completion tokens")
def reports(context: Context, prompt: int, completion: int) -> None:
    lone(context).report_usage(model="search-1", prompt_tokens=prompt, completion_tokens=completion)


@when("it is asked to {call}")
async def asked(context: Context, call: str) -> None:
    with context.world.catching():
        await eval(f"lone.{call}", {"lone": lone(context)})


@then("that context's {name} is {value}")
def has(context: Context, name: str, value: str) -> None:
    found = getattr(lone(context), name)
    assert found == eval(value), f"{found!r} is not {value}"


@then("two contexts of their own have different run ids")
def different(context: Context) -> None:
    assert make("").run_id and make("").run_id != make("").run_id


@then('a context of its own with {arguments} fails with {kind} "{text}"')
def refused(context: Context, arguments: str, kind: str, text: str) -> None:
    with context.world.catching():
        make(arguments)
    error = context.world.error
    assert type(error).__name__ == kind and text in str(error), repr(error)


@then('the error of the context is "{text}"')
def error_is(context: Context, text: str) -> None:
    assert str(context.world.error) == text, repr(context.world.error)


@then("asking cleveractors.testing for a name that it has not fails with an AttributeError that names both")
def no_name(context: Context) -> None:
    with context.world.catching():
        testing.no_such_name  # noqa: B018 - asking is the point
    text = str(context.world.error_of(AttributeError))
    assert "cleveractors.testing" in text and "no_such_name" in text, text
