"""Steps about the OpenAI models: the wire's answers, the model's settings, the call, and what came of it."""

from __future__ import annotations

import json
from typing import Any

from behave import given, register_type, when
from behave.runner import Context
from pydantic import SecretStr

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
    world,
)

register_type(json=json.loads)


# What the wire answers


@given('an OpenAI answer "{text}"')
def answer_text(context: Context, text: str) -> None:
    world(context).answer({"content": json.loads(f'"{text}"')})


@given('an OpenAI answer "{text}" that was cut')
def answer_cut(context: Context, text: str) -> None:
    message = {"role": "assistant", "content": json.loads(f'"{text}"')}
    choice = {"index": 0, "message": message, "finish_reason": "length"}
    world(context).answer({}, choices=[choice])


@given('an OpenAI answer "{text}" with the usage {usage:json}')
def answer_with_usage(context: Context, text: str, usage: Any) -> None:
    world(context).answer({"content": text}, usage=usage)


@given('an OpenAI answer with a refusal "{text}"')
def answer_refusal(context: Context, text: str) -> None:
    world(context).answer({"content": None, "refusal": text})


@given("an OpenAI answer with the arguments {arguments:json}")
def answer_call(context: Context, arguments: Any) -> None:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": arguments}}
    world(context).answer({"content": None, "tool_calls": [call]})


@given("OpenAI deltas {deltas:json}")
def answer_deltas(context: Context, deltas: Any) -> None:
    world(context).stream_of(deltas)


@given("OpenAI call deltas {deltas:json}")
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


@given("the OpenAI wire answers {document:json}")
def answer_document(context: Context, document: Any) -> None:
    wire = world(context).wire
    wire.answer_json(document)
    if isinstance(document, str):
        wire.packets, wire.content_type = [document.encode()], "text/html"


@given("the OpenAI wire has the status {status:d} and {headers:json}")
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


@given("the OpenAI setting {name:w} is {value:json}")
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


@given("an OpenAI conversation that is no JSON")
def unsendable_conversation(context: Context) -> None:
    world(context).messages = "half of a pair: \ud800"


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
