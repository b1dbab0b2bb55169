"""Steps about the OpenAI models: the wire's answers, the model's settings, the call, and what came of it."""

from __future__ import annotations

import json
import time
from typing import Any

from behave import given, register_type, then, when
from behave.runner import Context
from langchain_core.messages import AIMessageChunk
from pydantic import SecretStr

from cleveractors.exceptions import ConfigurationError
from cleveractors.models.openai import LeanChatOpenAI
from cleveractors.testing.provider import ScriptedProvider, Turn
from features.lib import openai_responses as responses
from features.lib import openai_wire as wires
from features.lib.openai_world import (
    TOOLS,
    Environment,
    build,
    conversation_with_reasoning,
    http_failure,
    same_as_plain,
    survives_damage,
    thread_loop,
    world,
)

register_type(openai=json.loads)


# What the wire answers


@given('an OpenAI answer "{text}"')
def answer_text(context: Context, text: str) -> None:
    world(context).answer({"content": json.loads(f'"{text}"')})


@given('an OpenAI answer "{text}" that was cut')
def answer_cut(context: Context, text: str) -> None:
    message = {"role": "assistant", "content": json.loads(f'"{text}"')}
    choice = {"index": 0, "message": message, "finish_reason": "length"}
    world(context).answer({}, choices=[choice])


@given('an OpenAI answer "{text}" with the usage {usage:openai}')
def answer_with_usage(context: Context, text: str, usage: Any) -> None:
    world(context).answer({"content": text}, usage=usage)


@given('an OpenAI answer with a refusal "{text}"')
def answer_refusal(context: Context, text: str) -> None:
    world(context).answer({"content": None, "refusal": text})


@given("an OpenAI answer with the arguments {arguments:openai}")
def answer_call(context: Context, arguments: Any) -> None:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": arguments}}
    world(context).answer({"content": None, "tool_calls": [call]})


@given("OpenAI deltas {deltas:openai}")
def answer_deltas(context: Context, deltas: Any) -> None:
    world(context).stream_of(deltas)


@given("OpenAI call deltas {deltas:openai}")
def answer_fragments(context: Context, deltas: Any) -> None:
    def fragment(call: dict[str, Any]) -> dict[str, Any]:
        function = {key: call.pop(key) for key in ("name", "arguments") if key in call}
        return {**call, "type": "function", "function": function}

    world(context).stream_of([{"tool_calls": [fragment(call) for call in calls]} for calls in deltas])


@given("the OpenAI stream {text}")
def answer_bytes(context: Context, text: str) -> None:
    world(context).wire.packets = [text.replace("\\n", "\n").encode()]


@given("the OpenAI wire sends byte by byte")
def cut_bytes(context: Context) -> None:
    wire = world(context).wire
    wire.packets = wires.every_way(b"".join(wire.packets))[1]


@given('the OpenAI wire calls it "{content_type}"')
def call_it(context: Context, content_type: str) -> None:
    world(context).wire.content_type = content_type


@given("the OpenAI wire hangs at its end")
def hang(context: Context) -> None:
    world(context).wire.hangs = True


@given('an OpenAI answer by "{name}"')
def answer_by(context: Context, name: str) -> None:
    world(context).answer({"content": "Hello.", "name": name})


@given("the OpenAI wire answers {document:openai}")
def answer_document(context: Context, document: Any) -> None:
    wire = world(context).wire
    wire.answer_json(document)
    if isinstance(document, str):
        wire.packets, wire.content_type = [document.encode()], "text/html"


@given("the OpenAI wire has the status {status:d} and {headers:openai}")
def answer_status(context: Context, status: int, headers: dict[str, str]) -> None:
    world(context).wire.status, world(context).wire.headers = status, headers


@given('the OpenAI wire fails with the status {status:d} and the code "{code}"')
def answer_error(context: Context, status: int, code: str) -> None:
    world(context).wire.answer_json({"error": {"message": "No.", "code": code, "type": "x"}}, status)


@given("the OpenAI wire breaks with {failure} in the answer")
def break_in_answer(context: Context, failure: str) -> None:
    wire = world(context).wire
    wire.packets, wire.failure = wire.packets[:1], http_failure(failure)


@given("the OpenAI wire breaks with {failure} before the answer")
def break_before_answer(context: Context, failure: str) -> None:
    world(context).wire.refusal = http_failure(failure)


@given('the Responses API answers with the status "{status}" {mode}')
def answer_response(context: Context, status: str, mode: str) -> None:
    known = world(context)
    known.options["api"] = "responses"
    if mode == "blocking":
        known.wire.answer_json(responses.response(status))
    else:
        known.wire.answer_events(responses.events(status), done=False)


@given("an OpenAI server of our own")
def own_server(context: Context) -> None:
    turn = Turn("From the server.", headers={"x-request-id": "req-own"})
    world(context).server = context.world.use(ScriptedProvider(turn))


# Settings, surroundings and the call


@given("an environment that speaks to OpenAI clients")
def set_environment(context: Context) -> None:
    context.world.use(Environment())


@given("the OpenAI setting {name:w} is {value:openai}")
def set_option(context: Context, name: str, value: Any) -> None:
    world(context).options[name] = value


@given("the OpenAI call has tools")
def call_with_tools(context: Context) -> None:
    world(context).call["tools"] = TOOLS


@given("the OpenAI call has no tools")
def call_without_tools(context: Context) -> None:
    world(context).call.pop("tools", None)


@given('the OpenAI call has the keyword "{name}"')
def call_with_keyword(context: Context, name: str) -> None:
    world(context).call[name] = 1


@given("an OpenAI conversation with reasoning")
def reasoned_conversation(context: Context) -> None:
    world(context).messages = conversation_with_reasoning()


# Asking


@when("the OpenAI model is asked {mode:w}")
async def ask(context: Context, mode: str) -> None:
    await world(context).ask(mode)


@when("the OpenAI model is asked of that server")
async def ask_server(context: Context) -> None:
    known = world(context)
    context.world.defer(known.clients.aclose)
    known.keep(await wires.attempt(build(known, base_url=known.server_url())))


@when("a lean model made by hand is asked")
async def ask_by_hand(context: Context) -> None:
    known = world(context)
    key, client = SecretStr("sk-by-hand"), known.wire.client()
    model = LeanChatOpenAI(model="m", api_key=key, base_url=wires.URL, http_async_client=client)
    known.keep(await wires.attempt(model))


@when("the OpenAI model is asked for a structured answer {mode:w}")
async def ask_structured(context: Context, mode: str) -> None:
    known = world(context)
    await known.ask_structured(mode)


@when("somebody listens to the OpenAI model")
async def ask_heard(context: Context) -> None:
    await world(context).listen()


@when("a callback manager is handed to the OpenAI model")
async def ask_managed(context: Context) -> None:
    await world(context).ask_managed()


@when("the OpenAI stream is left after {count:d} chunk")
async def leave(context: Context, count: int) -> None:
    await world(context).leave(count)


@when("the stream of {name:w} is read")
async def read_dialect(context: Context, name: str) -> None:
    world(context).wire.packets = [wires.dialect(name)]
    await world(context).ask("streamed")


# What came of it


@then("the stream of {name:w}, in any packets, answers {text:openai}")
async def dialect_answers(context: Context, name: str, text: str) -> None:
    for packets in wires.every_way(wires.dialect(name)):
        world(context).wire.packets = packets
        await world(context).ask("streamed")
        assert world(context).message.text == text, world(context).message


@then('the OpenAI answer is "{text}"')
def answer_is(context: Context, text: str) -> None:
    assert world(context).message.text == text, world(context).message


@then("the answer came in {count:d} chunks")
def chunks_counted(context: Context, count: int) -> None:
    assert len(world(context).done.chunks) == count, world(context).done.chunks


@then("the reasoning is {text:openai}")
def reasoning_is(context: Context, text: str | None) -> None:
    assert world(context).message.additional_kwargs.get("reasoning_content") == text


@then('the answer\'s name is "{name}"')
def name_is(context: Context, name: str) -> None:
    assert world(context).message.name == name


@then('the refusal is "{text}"')
def refusal_is(context: Context, text: str) -> None:
    assert world(context).message.additional_kwargs["refusal"] == text


@then('the answer keeps the function call "{name}"')
def function_call_is(context: Context, name: str) -> None:
    assert world(context).message.additional_kwargs["function_call"]["name"] == name


@then("the calls are {calls:openai}")
def calls_are(context: Context, calls: Any) -> None:
    assert world(context).calls() == calls, world(context).calls()


@then("the calls have the indexes 0 to n")
def indexes_are(context: Context) -> None:
    message = world(context).message
    assert isinstance(message, AIMessageChunk)
    indexes = [call["index"] for call in message.tool_call_chunks]
    assert indexes == list(range(len(indexes))), indexes


@then("the answer has {good:d} good and {bad:d} bad calls")
def calls_counted(context: Context, good: int, bad: int) -> None:
    message = world(context).message
    assert (len(message.tool_calls), len(message.invalid_tool_calls)) == (good, bad), message


@then("the answer's token usage is {usage:openai}")
def token_usage_is(context: Context, usage: Any) -> None:
    assert world(context).message.response_metadata["token_usage"] == usage
    assert world(context).message.usage_metadata is None


@then("the structured answer is {value:openai}")
def structured_is(context: Context, value: Any) -> None:
    assert world(context).structured == value, world(context).done.error


@then("the OpenAI call fails with {name:w}")
def fails_with(context: Context, name: str) -> None:
    error = world(context).done.error
    assert name in {kind.__name__ for kind in type(error).__mro__}, repr(error)


@then("LangChain's own model, asked {mode}, fails with {name:w}")
async def plain_fails_with(context: Context, mode: str, name: str) -> None:
    done = await world(context).ask_plain(mode)
    assert type(done.error).__name__ == name, repr(done.error)


@then("the OpenAI error's code is {code:openai}")
def error_code_is(context: Context, code: Any) -> None:
    assert getattr(world(context).done.error, "code", None) == code


# The slot


@then("the slot has the usage none")
def slot_without_usage(context: Context) -> None:
    assert world(context).done.slot.usage is None, world(context).done.slot


@then("the slot has the usage {prompt:d}, {completion:d}")
def slot_usage(context: Context, prompt: int, completion: int) -> None:
    usage = world(context).done.slot.usage
    assert usage is not None and usage[:2] == (prompt, completion), usage


@then("the slot tells {cached:d} cached, {written:d} written and {reasoning:d} reasoning tokens")
def slot_parts(context: Context, cached: int, written: int, reasoning: int) -> None:
    usage = world(context).done.slot.usage
    assert usage is not None and usage[2:] == (cached, written, reasoning), usage


@then('the slot has the finish reason "{reason}"')
def slot_finish(context: Context, reason: str) -> None:
    assert world(context).done.slot.finish_reason == reason, world(context).done.slot


@then("the slot has the server's request id")
def slot_request(context: Context) -> None:
    slot = world(context).done.slot
    assert slot.responded and slot.request_id == "req-own", slot


# The wire


@then('the request went to "{url}" with the key "{key}"')
def request_went(context: Context, url: str, key: str) -> None:
    assert str(world(context).wire.requests[-1].url) == url
    assert world(context).header("authorization") == f"Bearer {key}"


@then("no request holds anything of the environment")
def nothing_leaked(context: Context) -> None:
    for request in world(context).wire.requests:
        text = f"{request.url} {request.headers.multi_items()} {request.content!r}"
        assert "environment" not in text.lower(), text


@then("the request has the headers {headers:openai}")
def request_headers(context: Context, headers: dict[str, str]) -> None:
    assert {name: world(context).header(name) for name in headers} == headers


@then('the body\'s "{name}" is {value:openai}')
def body_has(context: Context, name: str, value: Any) -> None:
    assert world(context).wire.bodies[-1].get(name) == value


@then("the second message sent has the reasoning {text:openai}")
def sent_reasoning(context: Context, text: str | None) -> None:
    assert world(context).wire.bodies[-1]["messages"][1].get("reasoning_content") == text


@then("one OpenAI request was sent")
def one_request(context: Context) -> None:
    assert len(world(context).wire.requests) == 1


@then("the OpenAI connection is closed")
def connection_closed(context: Context) -> None:
    assert world(context).wire.streams[-1].closed


@then("the listener heard {tokens:openai} and saw {messages:openai}")
def listener_heard(context: Context, tokens: Any, messages: Any) -> None:
    listener = world(context).listener
    assert (listener.tokens, listener.messages) == (tokens, messages), (listener.tokens, listener.messages)


# Clients


@when('an OpenAI model with the key "{key}" is made')
async def make_model(context: Context, key: str) -> None:
    known = world(context)
    context.world.defer(known.clients.aclose)
    known.seen = [build(known, api_key=key, transport=transport) for transport in ("lean", "stock")]


@when("an OpenAI model is made with {settings:openai}")
async def make_badly(context: Context, settings: Any) -> None:
    with context.world.catching(ConfigurationError):
        build(world(context), **settings)


@then('the OpenAI making fails with "{problem}"')
def making_fails(context: Context, problem: str) -> None:
    text = str(context.world.error_of(ConfigurationError))
    assert problem in text and "sk" not in text, text


@then('"{key}" is in no text about the OpenAI model')
def key_unseen(context: Context, key: str) -> None:
    for model in world(context).seen:
        clients = (model.root_async_client, model.async_client, vars(model.root_async_client))
        assert key not in f"{model!r} {model} {model.model_dump()} {model.asdict()} {model.lc_attributes} {clients}"


@when("OpenAI models are made in two loops")
async def make_in_two_loops(context: Context) -> None:
    known = world(context)
    await known.make_in_two_loops(*thread_loop())


@then("each loop has one HTTP client, and one client for each address")
def one_client_each(context: Context) -> None:
    (http, same, other_address, again), (elsewhere, *_) = world(context).seen
    assert http is same and again is other_address and http is not elsewhere


@then("closing the OpenAI clients closes those of both loops, however often")
async def close_both(context: Context) -> None:
    await world(context).clients.aclose()
    await world(context).clients.aclose()
    assert all(http.is_closed for http, *_ in world(context).seen)
    world(context).stop_other_loop()


@given("an OpenAI client of a loop that ended")
def ended_loop(context: Context) -> None:
    world(context).use_in_ended_loop()


@then("closing the OpenAI clients takes no time")
async def close_quickly(context: Context) -> None:
    started = time.monotonic()
    await world(context).clients.aclose()
    assert time.monotonic() - started < 1


# Generated


@then("{count:d} generated requests over the {transport:w} transport equal those of LangChain's own model")
def generated_equal(context: Context, count: int, transport: str) -> None:
    same_as_plain(transport, count)


@then("{count:d} damaged {kind:w} end in known ways")
def damage_survived(context: Context, count: int, kind: str) -> None:
    survives_damage(kind, count)
