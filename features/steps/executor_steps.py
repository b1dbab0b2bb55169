"""Steps about the executor: its actor on the loopback provider, its options, its runs."""

from __future__ import annotations

from behave import given, then, when
from behave.runner import Context

from features.lib.bench import as_json, bench, turns_of


@given('the actor has the tools "{names}"')
def declare(context: Context, names: str) -> None:
    bench(context).declare([name.strip() for name in names.split(",")])


@given("the actor's keys {keys}")
def set_keys(context: Context, keys: str) -> None:
    bench(context).keys |= as_json(keys)


@given("the executor's options {options}")
def set_options(context: Context, options: str) -> None:
    bench(context).options |= as_json(options)


@given("the runs' options {options}")
def set_run_options(context: Context, options: str) -> None:
    bench(context).run_options |= as_json(options)


@given("the actor's provider will answer")
def script(context: Context) -> None:
    bench(context).provider.script(*turns_of(context.table, bench(context).gate))


@when("the actor is asked")
async def ask(context: Context) -> None:
    with context.world.catching():
        await bench(context).ask()


@when("the actor is asked, and its ways to the bill are looked at")
async def ask_and_look(context: Context) -> None:
    await bench(context).observe(bench(context).ask)


@when("the actor is asked as a stream")
async def ask_stream(context: Context) -> None:
    with context.world.catching():
        await bench(context).read()


@when("the actor is asked as a stream, and its ways to the bill are looked at")
async def ask_stream_and_look(context: Context) -> None:
    await bench(context).observe(bench(context).read)


@when("the actor is asked with the options {options}")
async def ask_with(context: Context, options: str) -> None:
    with context.world.catching():
        await bench(context).ask(**as_json(options))


@then('the run fails with {kind:w} "{text}"')
def fails_with(context: Context, kind: str, text: str) -> None:
    error = context.world.error or bench(context).ways.error
    assert type(error).__name__ == kind and text in str(error), f"{type(error).__name__}: {error}"


@then("the run fails with {kind:w}")
def fails(context: Context, kind: str) -> None:
    error = context.world.error or bench(context).ways.error
    assert type(error).__name__ == kind, f"{type(error).__name__}: {error}"


@then("{count:d} requests have arrived")
def requests_arrived(context: Context, count: int) -> None:
    found = bench(context).provider.requests
    assert len(found) == count, [request.path for request in found]


@then("the provider was asked in streams")
def asked_in_streams(context: Context) -> None:
    assert all(request.streamed for request in bench(context).provider.requests)
