"""Steps about the scripted provider over HTTP: its script, what it billed, and what it says of mistakes."""

from __future__ import annotations

import json

from behave import given, then, when
from behave.runner import Context

from cleveractors.testing import Turn
from features.lib import provider_lives as lives
from features.lib.provider_stage import failing, stage


@given("a scripted provider with {options}")
def make(context: Context, options: str) -> None:
    stage(context).make(options)


@given('the script of "{model}" is {steps}')
def script_model(context: Context, model: str, steps: str) -> None:
    stage(context).provider.script(*stage(context).steps(steps), model=model)


@given("the script is {steps}")
def script(context: Context, steps: str) -> None:
    stage(context).provider.script(*stage(context).steps(steps))


@given("the script is")
def script_long(context: Context) -> None:
    script(context, context.text)


@given("the provider then repeats {step} for ever")
def repeat(context: Context, step: str) -> None:
    stage(context).provider.script_forever(stage(context).value(step))


@given("the provider then asks {responder}")
def respond(context: Context, responder: str) -> None:
    stage(context).provider.respond(stage(context).value(responder))


@when("the provider is reset")
def reset(context: Context) -> None:
    stage(context).provider.reset()


@when("the provider is closed")
def close(context: Context) -> None:
    stage(context).provider.close()


@then("the ledger of the provider has")
def ledger(context: Context) -> None:
    table = context.table
    found = [{name: getattr(entry, name) for name in table.headings} for entry in stage(context).provider.ledger]
    expected = [{name: json.loads(row[name]) for name in table.headings} for row in table]
    assert found == expected, f"{found}\nis not\n{expected}"


@then("the provider's user reads {expression} as {value}")
def expression_is(context: Context, expression: str, value: str) -> None:
    found, expected = stage(context).value(expression), stage(context).value(value)
    assert found == expected, f"{found!r} is not {expected!r}"


@then("the provider has no problem")
def no_problem(context: Context) -> None:
    assert stage(context).provider.problems == ()


@then('the provider has the problem "{text}"')
def problem(context: Context, text: str) -> None:
    problems = stage(context).provider.problems
    assert len(problems) == 1 and text in problems[0], problems


@then('evaluating {expression} fails with {kind} "{text}"')
def refused(context: Context, expression: str, kind: str, text: str) -> None:
    error = failing(lambda: stage(context).value(expression))
    assert type(error).__name__ == kind and text in str(error), repr(error)


@then("the wait {wait} of the provider fails with")
def wait_fails(context: Context, wait: str) -> None:
    error = failing(lambda: stage(context).value(wait))
    assert isinstance(error, TimeoutError) and str(error) == context.text, repr(error)


@then("the async wait {wait} of the provider fails with")
async def async_wait_fails(context: Context, wait: str) -> None:
    try:
        await stage(context).value(wait)
    except TimeoutError as error:
        assert str(error) == context.text, repr(error)
    else:
        raise AssertionError("it did not fail")


@given("a model whose name has {size:d} MB")
def long_name(context: Context, size: int) -> None:
    stage(context).provider.script(Turn(), model="m" * size * 1_000_000)


@when("the provider sees all clients leave")
async def all_left(context: Context) -> None:
    await stage(context).provider.wait_closed_async(60)


@when("the provider has decided {count:d} requests")
async def decided(context: Context, count: int) -> None:
    await stage(context).provider.wait_settled_async(count, 60)


@when("{count:d} request stands at {gate}")
@when("{count:d} requests stand at {gate}")
async def stands_at(context: Context, count: int, gate: str) -> None:
    await stage(context).value(gate).wait_reached_async(count, 60)


@when("a request stands at the gate")
async def stands(context: Context) -> None:
    await stage(context).gate("gate").wait_reached_async(timeout=60)


@when("the provider's gate is opened")
def open_gate(context: Context) -> None:
    stage(context).gate("gate").open()


@when("a client of it connects")
async def connects(context: Context) -> None:
    await stage(context).connect()


@then("each of those clients was ended")
@then("every client's connection is ended")
async def all_ended(context: Context) -> None:
    assert all([await client.wait_end() for client in stage(context).clients])


@when("{count:d} providers are closed at once, each while {clients:d} clients connect")
async def closed_early(context: Context, count: int, clients: int) -> None:
    await lives.close_early(stage(context), count, clients)


@then("a provider that is closed before it was started can't be started")
def closed_unstarted(context: Context) -> None:
    lives.check_closed_unstarted()


@then("a provider whose start failed is not started again")
def failed_start(context: Context) -> None:
    lives.check_failed_start(stage(context).provider.port)


@then("a thread and a loop that wait for 1 request both go on when a client asks")
async def both_wait(context: Context) -> None:
    await lives.check_both_wait(stage(context))


@when("a wait for 1 request is cancelled")
async def cancel_wait(context: Context) -> None:
    await lives.cancel_wait(stage(context))


@then("a provider serves within a with statement and an async with statement, and no longer after it")
async def managers(context: Context) -> None:
    await lives.check_managers(stage(context))


@when("the provider has begun to answer")
async def begun(context: Context) -> None:
    await stage(context).client.wait_readable()


@given('a gate that fails with "{text}"')
def failing_gate(context: Context, text: str) -> None:
    stage(context).fail_gate(text)
