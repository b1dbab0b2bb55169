"""Steps about runs in sessions."""

from __future__ import annotations

import re

from behave import given, register_type, then, when
from behave.runner import Context
from parse import with_pattern

from features.lib import session_endings as endings
from features.lib import sessions as lib
from features.lib.bench import bench
from features.lib.pairing import check_pairing


@with_pattern("|".join(lib.FACES))
def face(string: str) -> str:
    return string


register_type(face=face)


def story(context: Context) -> lib.Story:
    return lib.story_of(context, bench(context))


@given("the actor keeps sessions in {kind}")
def keep_in(context: Context, kind: str) -> None:
    lib.keep_in(story(context), kind)


@given('the actor\'s provider leads to "{ending:w}"')
def lead_to(context: Context, ending: str) -> None:
    endings.lead_to(story(context), ending)


@given("the session has a call without result, a stray result and an entry that is none")
async def break_history(context: Context) -> None:
    await endings.break_history(story(context))


@when("the session is asked once")
async def ask_once(context: Context) -> None:
    await lib.ask(story(context))


@when("the session is asked twice by {by:face}")
async def ask_twice(context: Context, by: str) -> None:
    await lib.ask(story(context), 2, by)


@when("the session is asked {count:d} times")
async def ask_often(context: Context, count: int) -> None:
    await lib.ask(story(context), count)


@when("the session is asked, and asked by another executor on the same file")
async def ask_two_executors(context: Context) -> None:
    await lib.ask_two_executors(story(context))


@when("the session is asked with a history of the host's")
async def ask_with_history(context: Context) -> None:
    await lib.ask_with_history(story(context))


@when("an executor is made with sessions that are none")
async def make_without_store(context: Context) -> None:
    await lib.make_without_store(story(context))


@when("the session is asked twice, and its runs are looked at")
async def look_at_begins(context: Context) -> None:
    await lib.look_at_begins(story(context))


@when("the session is asked by {by:face}, and it is {left:w} at the {place} call")
async def leave_at(context: Context, by: str, left: str, place: str) -> None:
    await endings.leave_at(story(context), by, left, ["first", "second"].index(place) + 1)


@when("the session is asked, and cancelled while the store appends")
async def cancel_in_append(context: Context) -> None:
    await endings.cancel_in_append(story(context))


@when("the session is asked, its caller leaves, and the run ends")
async def leave_detached(context: Context) -> None:
    await endings.leave_detached(story(context))


@when("the session is asked as a token stream that is dropped at the gate")
async def drop_stream(context: Context) -> None:
    await endings.drop_stream(story(context))


@when("somebody else appends to the session while the run runs")
async def append_meanwhile(context: Context) -> None:
    await endings.append_meanwhile(story(context))


@when('the chat of the examples is run with "{one}", and again with "{other}"')
def run_chat(context: Context, one: str, other: str) -> None:
    endings.run_chat(story(context), [one.replace("⏎", "\n"), other])


@then("it has printed")
def has_printed(context: Context) -> None:
    assert "".join(story(context).notes).strip() == context.text.strip(), story(context).notes


@then("the provider was sent {counts} messages")
def was_sent(context: Context, counts: str) -> None:
    assert story(context).sent == [int(count) for count in re.findall(r"\d+", counts)], story(context).sent


@then("the last request had {count:d} messages")
def last_request(context: Context, count: int) -> None:
    assert story(context).sent[-1] == count, story(context).sent


@then('session "s1" holds {count:d} messages')
async def holds(context: Context, count: int) -> None:
    await lib.check_stored(story(context), count)


@then('session "s1" holds {count:d} messages, and they are valid')
async def holds_valid(context: Context, count: int) -> None:
    await lib.check_valid(story(context), count)


@then('session "s1" holds {count:d} message, and another run is answered')
async def goes_on(context: Context, count: int) -> None:
    await lib.check_goes_on(story(context), count)


@then("the session holds the bill's messages, and they are valid")
async def holds_bill(context: Context) -> None:
    await lib.check_bill_stored(story(context))


@then("the last bill has {count:d} messages, of which {new:d} are new")
def last_bill(context: Context, count: int, new: int) -> None:
    result = story(context).result
    assert (len(result.messages), len(result.new_messages)) == (count, new), result


@then("the file of the sessions does not hold the actor's key")
def key_absent(context: Context) -> None:
    lib.check_key_absent(story(context))


@then("their sessions began: true, false")
def began(context: Context) -> None:
    assert lib.Begun.flags == [True, False], lib.Begun.flags


@then('the session\'s run ended with "{ending:w}"')
def ended_with(context: Context, ending: str) -> None:
    lib.ended_with(story(context), ending)


@then('the session\'s run is refused with "{text}"')
def refused_with(context: Context, text: str) -> None:
    lib.failed_with(story(context), "ConfigurationError", text)


@then("the session's run failed with {kind:w}")
def failed_with(context: Context, kind: str) -> None:
    lib.failed_with(story(context), kind)


@then('its bill has {tokens:d} tokens and the stop reason "{ending:w}"')
def bill_has(context: Context, tokens: int, ending: str) -> None:
    lib.ended_with(story(context), ending)
    assert story(context).result.total_tokens == tokens, story(context).result


@then("it has a bill without rows")
def without_rows(context: Context) -> None:
    assert not story(context).result.invocations, story(context).result


@then("what the provider was sent is valid")
def sent_valid(context: Context) -> None:
    check_pairing(lib.sent_messages(story(context)))


@then("the bill's repairs name the session and each of the three")
def repairs(context: Context) -> None:
    lib.check_repairs(story(context))
