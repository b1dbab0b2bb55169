"""Steps about what takes over when a call fails: models, keys."""

from __future__ import annotations

from typing import Any

from behave import given, then, when
from behave.runner import Context

from cleveractors.testing import DropFault, StatusFault, Turn
from features.lib import keys as lib
from features.lib.bench import FAULTS, as_json, bench

MORE_FAULTS = {"overflow": StatusFault(400, code="context_length_exceeded")}
RAIN: dict[str, Any] = {"prompt_tokens": 31, "completion_tokens": 7}


@given("the actor's settings {settings}")
def actor_settings(context: Context, settings: str) -> None:
    bench(context).keys |= as_json(settings)


@given('the model "{model}" always meets {fault:w}')
def model_meets(context: Context, model: str, fault: str) -> None:
    bench(context).provider.script_forever({**FAULTS, **MORE_FAULTS}[fault], model=model)


@given('the model "{model}" always meets 429 for long')
def model_is_busy(context: Context, model: str) -> None:
    bench(context).provider.script_forever(StatusFault(429, retry_after=20), model=model)


@given('the model "{model}" always breaks off after some words')
def model_breaks_off(context: Context, model: str) -> None:
    turn = Turn("It rains in all of Paris.", chunks=5, fault=DropFault(after=3))
    bench(context).provider.script_forever(turn, model=model)


@given('the model "{model}" always says "{text}"')
def model_says(context: Context, model: str, text: str) -> None:
    bench(context).provider.script_forever(Turn(text, **RAIN), model=model)


@given('the model "{model}" asks for the weather, and then says "{text}"')
def model_asks(context: Context, model: str, text: str) -> None:
    asking = Turn(calls=[("get_weather", {"city": "Paris"})], **RAIN)
    bench(context).provider.script(asking, Turn(text, **RAIN), model=model)


@given('the model "{model}" always stands at the gate')
def model_stands(context: Context, model: str) -> None:
    bench(context).provider.script_forever(Turn("Late.", hold_before=bench(context).gate), model=model)


@given('keys that are "{keys}"')
def keys_are(context: Context, keys: str) -> None:
    lib.use_keys(bench(context), keys.split(", "))


@given("keys of which {times:d} is bad and the next never comes")
def keys_stuck(context: Context, times: int) -> None:
    lib.use_stuck_keys(bench(context), times)


@given("a cool-down of {first:g} seconds that grows to {second:g} while a run waits for it")
async def growing_cooldown(context: Context, first: float, second: float) -> None:
    await lib.ask_in_cooldown(bench(context), first, second)


@then("of {count:d} endpoints that had to be left alone one after the other at most {most:d} are remembered")
def check_cooldowns(context: Context, count: int, most: int) -> None:
    assert lib.remembered_cooldowns(count) <= most


@when("the actor is asked, and aborted while it waits for a key")
async def ask_and_abort(context: Context) -> None:
    await lib.ask_and_abort(bench(context))


@then("{count:d} keys were asked for")
def keys_asked(context: Context, count: int) -> None:
    assert bench(context).notes == [("openai", None)] * count, bench(context).notes


@then("that run's request came {least:g} to {most:g} seconds after the first")
def request_came(context: Context, least: float, most: float) -> None:
    first, *_, last = bench(context).provider.requests
    assert least <= last.arrived - first.arrived <= most, (first, last)
