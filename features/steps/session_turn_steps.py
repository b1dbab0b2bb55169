"""Steps about turns in sessions, sessions as objects, and trimming."""

from __future__ import annotations

import re

from behave import register_type, then, when
from behave.runner import Context
from parse import with_pattern

from cleveractors import ConfigurationError
from features.lib import session_objects as objects
from features.lib import session_trimming as trimming
from features.lib import session_turns as lib
from features.lib import sessions
from features.lib.bench import as_json, bench


@with_pattern("|".join(objects.MISUSES))
def misuse_name(string: str) -> str:
    return string


register_type(misuse=misuse_name)


def story(context: Context) -> sessions.Story:
    return sessions.story_of(context, bench(context))


@when("{threads:d} threads take {times:d} turns each")
async def take_from_threads(context: Context, threads: int, times: int) -> None:
    story(context).notes += await lib.take_from_threads(threads, times)


@when("one who waits is on a loop that ends, and another waits behind")
async def pass_over_ended_loop(context: Context) -> None:
    story(context).notes.append(await lib.pass_over_ended_loop())


@when("one who waits is cancelled just as the turn comes, and another waits behind")
async def cancel_at_turn(context: Context) -> None:
    story(context).notes.append(await lib.cancel_at_turn())


@when("a turn that is taken is waited for, for {seconds:g} s")
async def wait_in_vain(context: Context, seconds: float) -> None:
    story(context).notes.append(await lib.wait_in_vain(seconds))


@when("{count:d} runs of one session are asked for at the same time")
async def ask_together(context: Context, count: int) -> None:
    await lib.ask_together(story(context), count)


@when("runs of two sessions are asked for, and both have reached the provider")
async def ask_two_sessions(context: Context) -> None:
    await lib.ask_two_sessions(story(context))


@when("a run waits for the turn of another, with the options {options}")
async def wait_with(context: Context, options: str) -> None:
    await lib.wait_with(story(context), as_json(options))


@when("a run waits for the turn of another, and {how}")
async def wait_and_leave(context: Context, how: str) -> None:
    await lib.wait_and_leave(story(context), how)


@when("a session object is asked by execute, execute_stream and execute_events")
async def ask_object(context: Context) -> None:
    await objects.ask_object(story(context))


@when("another run is asked for while a session object is entered, and asked twice")
async def ask_beside_object(context: Context) -> None:
    await objects.ask_beside_object(story(context))


@when("an entered session object is asked {count:d} times at once")
async def ask_object_at_once(context: Context, count: int) -> None:
    await objects.ask_object_at_once(story(context), count)


@when("an entered session object is left with a begun stream, and another run is asked for")
async def leave_with_stream(context: Context) -> None:
    await objects.leave_with_stream(story(context))


@when("a session is entered twice, the second time for {seconds:g} s")
async def enter_twice(context: Context, seconds: float) -> None:
    await objects.enter_twice(story(context), seconds)


@when("a session object is {how:misuse}")
async def misuse(context: Context, how: str) -> None:
    await objects.misuse(story(context), how)


@when("a session object is closed twice")
async def close_twice(context: Context) -> None:
    await objects.close_twice(story(context))


@when("a session object is asked, its session is ended, and it is asked again")
async def ask_end_ask(context: Context) -> None:
    await objects.ask_end_ask(story(context))


@when("a session is ended while its run runs")
async def end_while_running(context: Context) -> None:
    await objects.end_while_running(story(context))


@when('the conversation "{written}" is trimmed to {bounds}')
def trim(context: Context, written: str, bounds: str) -> None:
    with context.world.catching():
        story(context).notes.append(trimming.kept_of(written, as_json(bounds)))


@then("for {count:d} drawn orders nobody's turn overlaps another, and those that wait get theirs in order")
def drawn_turns(context: Context, count: int) -> None:
    lib.check_drawn(context.world, count)


@then("no two of the {count:d} turns were at the same time")
def no_two(context: Context, count: int) -> None:
    assert story(context).notes == [1] * count


@then("the other one gets the turn")
def other_gets(context: Context) -> None:
    assert story(context).notes == [True]


@then("waiting for the turn ends with TimeoutError, and leaves nobody in the queue")
def nobody_waits(context: Context) -> None:
    assert story(context).notes == [0]


@then("the histories that they began with have {counts} messages")
def histories(context: Context, counts: str) -> None:
    began = sorted(len(result.messages) - len(result.new_messages) for result in story(context).ended)
    assert began == [int(count) for count in re.findall(r"\d+", counts)], began


@then("both sessions hold {count:d} messages")
async def both_hold(context: Context, count: int) -> None:
    assert [len((await story(context).store.load(name))[0]) for name in ("s1", "s2")] == [count, count]


@then('the waiting run fails with {kind:w}: "{text}"')
def waiting_fails(context: Context, kind: str, text: str) -> None:
    sessions.failed_with(story(context), kind, text)


@then('the waiting run has ended with "{ending:w}"')
def waiting_ended(context: Context, ending: str) -> None:
    sessions.ended_with(story(context), ending)


@then("another run of the session is answered")
async def another_answered(context: Context) -> None:
    await sessions.ask(story(context))


@then("its messages() are {count:d} messages")
def object_messages(context: Context, count: int) -> None:
    assert story(context).notes == [count]


@then("the other run began when the stream had ended")
def other_began(context: Context) -> None:
    assert len(story(context).result.messages) == 4, story(context).result.messages


@then("it was shown as open, held and closed")
def shown(context: Context) -> None:
    assert story(context).notes == [f"<Session 's1' {state}>" for state in ("open", "held", "closed")]


@then("the session has ended after its run")
def ended_after(context: Context) -> None:
    assert story(context).notes == [2]


@then("for {count:d} drawn conversations what is kept are the newest whole turns, as many as the bounds allow")
def drawn_trimming(context: Context, count: int) -> None:
    trimming.check_trimming(count)


@then('the kept conversation is "{written}"')
@then('the kept conversation is ""')
def kept(context: Context, written: str = "") -> None:
    assert story(context).notes == [written], story(context).notes


@then('trimming is refused with "{text}"')
def trimming_refused(context: Context, text: str) -> None:
    assert text in str(context.world.error_of(ConfigurationError))
