"""Steps about what came of OpenAI calls: the answer, the slot, the wire, the clients, and generated checks."""

from __future__ import annotations

import json
import time
from typing import Any

from behave import given, register_type, then, when
from behave.runner import Context
from langchain_core.messages import AIMessageChunk

from cleveractors.exceptions import ConfigurationError
from features.lib import openai_wire as wires
from features.lib.openai_world import build, same_as_plain, survives_damage, thread_loop, world

register_type(json=json.loads)


# What came of it


@then("the stream of {name:w}, in any packets, answers {text:json}")
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


@then("the reasoning is {text:json}")
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


@then("the calls are {calls:json}")
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


@then("the answer's token usage is {usage:json}")
def token_usage_is(context: Context, usage: Any) -> None:
    assert world(context).message.response_metadata["token_usage"] == usage
    assert world(context).message.usage_metadata is None


@then("the structured answer is {value:json}")
def structured_is(context: Context, value: Any) -> None:
    assert world(context).structured == value, world(context).done.error


@then("the OpenAI call fails with {name:w}")
def fails_with(context: Context, name: str) -> None:
    error = world(context).done.error
    assert name in {kind.__name__ for kind in type(error).__mro__}, repr(error)


@then('the OpenAI call\'s error says "{text}"')
def call_error_says(context: Context, text: str) -> None:
    assert text in str(world(context).done.error), repr(world(context).done.error)


@then("LangChain's own model, asked {mode}, fails with {name:w}")
async def plain_fails_with(context: Context, mode: str, name: str) -> None:
    done = await world(context).ask_plain(mode)
    assert type(done.error).__name__ == name, repr(done.error)


@then("the OpenAI error's code is {code:json}")
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


@then("the request has the headers {headers:json}")
def request_headers(context: Context, headers: dict[str, str]) -> None:
    assert {name: world(context).header(name) for name in headers} == headers


@then('the body\'s "{name}" is {value:json}')
def body_has(context: Context, name: str, value: Any) -> None:
    assert world(context).wire.bodies[-1].get(name) == value


@then("the second message sent has the reasoning {text:json}")
def sent_reasoning(context: Context, text: str | None) -> None:
    assert world(context).wire.bodies[-1]["messages"][1].get("reasoning_content") == text


@then("one OpenAI request was sent")
def one_request(context: Context) -> None:
    assert len(world(context).wire.requests) == 1


@then("the OpenAI connection is closed")
def connection_closed(context: Context) -> None:
    assert world(context).wire.streams[-1].closed


@then("the listener heard {tokens:json} and saw {messages:json}")
def listener_heard(context: Context, tokens: Any, messages: Any) -> None:
    listener = world(context).listener
    assert (listener.tokens, listener.messages) == (tokens, messages), (listener.tokens, listener.messages)


# Clients


@when('an OpenAI model with the key "{key}" is made')
async def make_model(context: Context, key: str) -> None:
    known = world(context)
    context.world.defer(known.clients.aclose)
    known.seen = [build(known, api_key=key, transport=transport) for transport in ("lean", "stock")]


@when("an OpenAI model is made with {settings:json}")
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
