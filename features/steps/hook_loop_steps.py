"""Steps about hooks in whole runs."""

from __future__ import annotations

import json
from typing import Any

from behave import given, register_type, then, when
from behave.runner import Context

from cleveractors.sessions import MemorySessions
from features.lib.hooks_loop import hooked_of
from features.lib.loop_script import Said

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


@given('the loop\'s own agent is "{kind}"')
def set_kind(context: Context, kind: str) -> None:
    if kind != "llm":
        hooked_of(context).be(kind)


@given("the loop's answer must be an int")
def set_contract(context: Context) -> None:
    hooked_of(context).options["output_type"] = int


@given("the provider answers each agent of the hooked loop")
def answer_each(context: Context) -> None:
    hooked_of(context).answer_each()


@given('the provider says "{text}" to the loop {times:d} times')
def say_often(context: Context, text: str, times: int) -> None:
    hooked_of(context).says([Said(text)] * times)


@given("the provider talks while it calls echo {times:d} times")
def talk_and_call(context: Context, times: int) -> None:
    calls = [Said(f"Round {one}", (("echo", f'{{"text": "{one}"}}', "auto"),)) for one in range(times)]
    hooked_of(context).says([*calls, Said("Done.")])


@given("the provider is a model that calls echo")
def set_model(context: Context) -> None:
    hooked_of(context).use_scripted()


@given("the hooked loop's keys are asked for")
def ask_for_keys(context: Context) -> None:
    hooked_of(context).asks_for_keys = True


@given("the hooked loop keeps sessions")
def keep_sessions(context: Context) -> None:
    hooked_of(context).house["sessions"] = MemorySessions()


@given("the hooked loop's house leaves only the tool's name of what commands are told")
def redact_in_house(context: Context) -> None:
    hooked_of(context).house["redact"] = lambda document: {"tool_name": document["tool_name"]}


@when('the loop is asked "{question}", and cancelled in a hook')
async def cancel_in_hook(context: Context, question: str) -> None:
    await hooked_of(context).ask_and_cancel_in_hook(question)


@when('the loop is asked "{question}", and aborted in a hook')
async def abort_in_hook(context: Context, question: str) -> None:
    await hooked_of(context).ask_and_abort_in_hook(question)


@when('the hooked loop is asked for events of "{question}", and aborted in a hook')
async def follow_and_abort(context: Context, question: str) -> None:
    await hooked_of(context).follow_and_abort_in_hook(question)


@when('the hooked loop is asked "{question}", and timed')
async def ask_timed(context: Context, question: str) -> None:
    await hooked_of(context).ask_timed(question)


@when("{count:d} hooked loops run at once")
async def ask_many(context: Context, count: int) -> None:
    await hooked_of(context).ask_many(count)


@when('the hooked loop\'s session "{session_id}" is ended')
async def end_session(context: Context, session_id: str) -> None:
    await hooked_of(context).executor.end_session(session_id)


@then("the moments but the bill were")
def check_moments_but_bill(context: Context) -> None:
    found = [one for one in hooked_of(context).moments if one != "on_result"]
    assert found == context.text.split("\n"), "\n" + "\n".join(found)


@then("the last moments were")
def check_last_moments(context: Context) -> None:
    wanted = context.text.split("\n")
    found = hooked_of(context).moments
    assert found[-len(wanted) :] == wanted, "\n" + "\n".join(found)


@then("the loop's request has the messages {messages:jsonvalue}")
def check_request(context: Context, messages: list[Any]) -> None:
    found = hooked_of(context).provider.requests[0].body["messages"]
    assert found == messages, found


@then("the user's message is kept as {text:jsonvalue}, and was {original:jsonvalue}")
def check_kept(context: Context, text: str, original: str) -> None:
    (said,) = [one for one in hooked_of(context).result.messages if one.type == "human"]
    assert (said.content, said.additional_kwargs["original_content"]) == (text, original), said


@then("the events show the calls {arguments:jsonvalue}")
def check_starts(context: Context, arguments: list[Any]) -> None:
    found = [one.arguments for one in hooked_of(context).events if one.event_type == "tool_call_start"]
    assert found == arguments, found


@then("the custom events were {names:jsonvalue}")
def check_customs(context: Context, names: list[str]) -> None:
    found = {one.event_name for one in hooked_of(context).events if one.event_type == "custom"}
    assert sorted(found) == names, found


@then("the events taken back are {reasons:jsonvalue}")
def check_resets(context: Context, reasons: list[str]) -> None:
    customs = [one for one in hooked_of(context).events if one.event_type == "custom"]
    found = [one.data["reason"] for one in customs if one.event_name == "stream_reset"]
    assert found == reasons, found


@then("the loop's tool results say {texts:jsonvalue}")
def check_results(context: Context, texts: list[str]) -> None:
    assert hooked_of(context).tool_texts() == texts, hooked_of(context).tool_texts()


@then('the loop\'s last request has the result "{text}"')
def check_sent(context: Context, text: str) -> None:
    assert hooked_of(context).provider.requests[-1].body["messages"][-1]["content"] == text


@then('"{event}" told in any order of {key:w} {value:jsonvalue}')
def check_told_sorted(context: Context, event: str, key: str, value: list[str]) -> None:
    found = sorted(getattr(one, key) for one in hooked_of(context).told_of[event])
    assert found == sorted(value), found


@then("the loop's tools did echo {times:d} times")
def check_echoes(context: Context, times: int) -> None:
    assert len(hooked_of(context).bench.log) == times, hooked_of(context).bench.log


@then("a child's moments have the session of its root")
def check_child_session(context: Context) -> None:
    calls = hooked_of(context).told_of["pre_tool_call"]
    assert len({one.session_id for one in calls}) == 1
    assert [one.parent_run_id for one in calls] == [None, calls[0].run_id]


@then("the loop's text came as {pieces:jsonvalue}")
def check_pieces(context: Context, pieces: list[str]) -> None:
    assert hooked_of(context).texts == pieces, hooked_of(context).texts


@then("the loop's text came in several pieces")
def check_several(context: Context) -> None:
    assert len(hooked_of(context).texts) > 1, hooked_of(context).texts


@then('the history ends with "{text}"')
def check_history_end(context: Context, text: str) -> None:
    assert hooked_of(context).result.messages[-1].text == text, hooked_of(context).result.messages


@then("the loop's value is {value:jsonvalue}")
def check_value(context: Context, value: Any) -> None:
    assert hooked_of(context).result.output == value, hooked_of(context).result


@then('a warning says "{text}"')
def check_warning(context: Context, text: str) -> None:
    warnings = hooked_of(context).story.warnings
    assert any(text in one for one in warnings), warnings


@then('the last display ended with "{outcome}"')
def check_outcome(context: Context, outcome: str) -> None:
    assert hooked_of(context).shown()[-1][2:] == (True, outcome), hooked_of(context).shown()


@then("there are {count:d} ids among the displays")
def check_ids(context: Context, count: int) -> None:
    found = {one.message_id for one in hooked_of(context).told_of["message_display"]}
    assert len(found) == count, found


@then("the hooked loop took {least:g} to {most:g} s")
def check_time(context: Context, least: float, most: float) -> None:
    assert least <= hooked_of(context).story.seconds <= most, hooked_of(context).story.seconds


@then("the sessions are those of the runs")
def check_sessions(context: Context) -> None:
    told = hooked_of(context).told_of
    starts, ends = told["on_session_start"], told["on_session_end"]
    assert [one.session_id for one in starts] == [one.run_id for one in starts] == [one.run_id for one in ends]


@given("the run waits at most {seconds:g} s for all displays")
def set_drain(context: Context, seconds: float) -> None:
    hooked_of(context).shorten_drain(seconds)


@then("no hook has failed")
def check_no_failures(context: Context) -> None:
    assert not hooked_of(context).story.hooks.failures, hooked_of(context).story.hooks.failures


@then("the loop was {what:w}")
def check_cut(context: Context, what: str) -> None:
    found = hooked_of(context).result.stop_reason
    assert context.world.error is None or found == "cancelled"
    assert found == what, found


@given("payloads are counted")
def count_payloads(context: Context) -> None:
    hooked_of(context).count_payloads()


@then("payloads were made for {events:jsonvalue}")
def check_payloads(context: Context, events: list[str]) -> None:
    assert hooked_of(context).made == events, hooked_of(context).made


@then("the provider was asked in no streams")
def check_no_streams(context: Context) -> None:
    assert not any(one.body.get("stream") for one in hooked_of(context).provider.requests)


@given("every piece is displayed at once")
def show_all(context: Context) -> None:
    hooked_of(context).show_all()


@then('the displays of attempt {attempt:d} are beginnings of "{text}", {count:d} at least')
def check_attempt(context: Context, attempt: int, text: str, count: int) -> None:
    found = [one[1] for one in hooked_of(context).shown() if one[0] == attempt]
    assert len(found) >= count and all(text.startswith(one) for one in found), hooked_of(context).shown()
