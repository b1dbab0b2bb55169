"""Steps about histories that hosts hand over, and results that travel."""

from __future__ import annotations

import json

from behave import given, then, when
from behave.runner import Context

from cleveractors import dump_messages
from cleveractors.history import read_history
from features.lib import histories as lib
from features.lib.bench import bench


@given("a history of {written}")
def write_history(context: Context, written: str) -> None:
    bench(context).ways.value = written.replace("none", "")


@given("a result of {kind}")
async def make_result(context: Context, kind: str) -> None:
    bench(context).results.append(await lib.make_result(bench(context), kind))


@when("the history is read")
def read(context: Context) -> None:
    bench(context).notes[:] = read_history(lib.messages_of(bench(context).ways.value))


@when("the actor is asked with the history {written}")
async def ask_with_history(context: Context, written: str) -> None:
    await bench(context).ask(history=lib.messages_of(written))


@when("the actor is asked with the parts")
async def ask_with_parts(context: Context) -> None:
    await bench(context).ask(json.loads(context.text))


@then("the last request's message has the parts")
def request_parts(context: Context) -> None:
    content = bench(context).provider.requests[-1].messages[-1]["content"]
    assert content == json.loads(context.text), content


@then("it becomes {paired}")
def becomes(context: Context, paired: str) -> None:
    found = lib.shorthand(bench(context).notes[0])
    assert (found or "none") == paired, found


@then("its repairs are {repairs}")
def repairs_are(context: Context, repairs: str) -> None:
    found, expected = bench(context).notes[1], [part for part in repairs.split("; ") if part != "none"]
    assert len(found) == len(expected), found
    assert all(part in repair for part, repair in zip(expected, found, strict=True)), found


@then("it is read alike as messages, as dicts, as chunks, and in any mixture")
def read_alike(context: Context) -> None:
    lib.check_mixtures(bench(context).ways.value)


@then("any of {count:d} generated histories is valid after it was read, and reading it again changes nothing")
def generated(context: Context, count: int) -> None:
    lib.check_generated(count)


@then('the bill\'s repairs tell of "{text}"')
def bill_repairs(context: Context, text: str) -> None:
    assert text in bench(context).result.repairs[0], bench(context).result.repairs


@then("{count:d} generated conversations are the same after dump_messages, JSON and load_messages")
def inverses(context: Context, count: int) -> None:
    lib.check_inverses(count)


@then("it is written as")
def written_as(context: Context) -> None:
    found = dump_messages(lib.messages_of(bench(context).ways.value))
    assert found == json.loads(context.text), found


@then("it is the same after to_dict, JSON and from_dict")
def travels(context: Context) -> None:
    lib.check_travels(bench(context).result)


@then('a result of version {version:d} is refused with "{text}"')
def other_version(context: Context, version: int, text: str) -> None:
    assert text in lib.refusal_of_version(version)


@then("raise_for_stop of a run that ended with {reason:w} {does:w}")
def raise_for_stop(context: Context, reason: str, does: str) -> None:
    assert lib.raises_for(reason) == (does == "raises")


@then("results of an answered, a failed and a wrapped-up run do not keep their executor alive")
async def lifetimes(context: Context) -> None:
    await lib.check_lifetimes()
