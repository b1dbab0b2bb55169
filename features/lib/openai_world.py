"""What one scenario knows about OpenAI models: the wire, the settings, and what the calls came to."""

from __future__ import annotations

import json
import os
import threading
from asyncio import AbstractEventLoop, Runner, new_event_loop, run_coroutine_threadsafe, wrap_future
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast
from uuid import uuid4

import httpx2
from behave.runner import Context
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.callbacks import AsyncCallbackHandler, AsyncCallbackManagerForLLMRun
from langchain_core.messages import AIMessage, HumanMessage

from cleveractors.models.openai import OpenAIClients, OpenAISettings, StockChatOpenAI, build_model
from cleveractors.models.slot import AttemptSlot, attempt_slot
from cleveractors.testing.provider import ScriptedProvider
from features.lib import openai_fuzz as fuzz
from features.lib import openai_strategies as generated
from features.lib.openai_wire import Attempt, Wire, attempt, calls_of, facts_of, ours, plain

_WORLD = "openai_world"
TOOLS: list[dict[str, Any]] = [
    {"type": "function", "function": {"name": "f", "description": "d", "parameters": {"type": "object"}}}
]
ANSWER: dict[str, Any] = {
    "id": "chatcmpl-1",
    "model": "m-2024",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hello."}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
}


class Listener(AsyncCallbackHandler):
    """Keeps what a trace would see."""

    def __init__(self) -> None:
        self.tokens: list[str] = []
        self.messages: list[str] = []

    async def on_chat_model_start(self, serialized: Any, messages: Any, **kwargs: Any) -> None:
        self.messages = [str(message.content) for message in messages[0]]

    async def on_llm_new_token(self, token: Any, **kwargs: Any) -> None:
        self.tokens += [str(token)] if token else []


@dataclass
class OpenAIWorld:
    """Hangs on `context.openai_world`."""

    wire: Wire = field(default_factory=Wire)
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    call: dict[str, Any] = field(default_factory=dict[str, Any])
    messages: Any = "hi"
    listener: Listener = field(default_factory=Listener)
    clients: OpenAIClients = field(default_factory=OpenAIClients)
    seen: list[Any] = field(default_factory=list[Any])
    structured: Any = None
    server: ScriptedProvider | None = None
    _done: Attempt | None = None
    _other_loop: tuple[AbstractEventLoop, threading.Thread] | None = None

    def keep(self, done: Attempt) -> None:
        """Keep what a call came to."""
        self._done = done

    @property
    def done(self) -> Attempt:
        assert self._done is not None, "nothing was called"
        return self._done

    @property
    def message(self) -> AIMessage:
        assert self.done.message is not None, repr(self.done.error)
        return self.done.message

    def model(self) -> StockChatOpenAI:
        """The scenario's model over its wire."""
        return cast("StockChatOpenAI", ours(self.wire, **self.options))

    async def ask(self, mode: str) -> None:
        """Call the model, blocking or streamed, over the wire's one answer."""
        self._done = await attempt(self.model(), self.messages, stream=mode == "streamed", **self.call)

    async def ask_plain(self, mode: str) -> Attempt:
        """The same call by LangChain's own model."""
        return await attempt(plain(self.wire), self.messages, stream=mode == "streamed", **self.call)

    async def listen(self) -> None:
        """Stream while somebody listens."""
        self.call["config"] = {"callbacks": [self.listener]}
        await self.ask("streamed")

    def server_url(self) -> str:
        """The address of the server that the scenario runs."""
        assert self.server is not None, "no server runs"
        return self.server.base_url

    async def ask_structured(self, mode: str) -> None:
        """Ask for an answer of a schema, read by LangChain."""
        if mode == "streamed":
            self.wire.answer_events(generated.as_stream(self.wire_answer(), 4))
        schema = {"title": "Place", "type": "object", "properties": {"city": {"type": "string"}}}
        model: Any = self.model()
        structured = model.with_structured_output(schema, include_raw=True)
        self._done = Attempt(AttemptSlot())
        token = attempt_slot.set(self._done.slot)
        try:
            told = [part async for part in structured.astream("hi")] if mode == "streamed" else []
            last = told[-1] if told else await structured.ainvoke("hi")
            self.structured = last["parsed"]
        except Exception as error:
            self._done.error = error
        finally:
            attempt_slot.reset(token)

    def wire_answer(self) -> dict[str, Any]:
        """The answer that the wire gives."""
        return json.loads(b"".join(self.wire.packets))

    async def make_in_two_loops(self, loop: AbstractEventLoop, thread: threading.Thread) -> None:
        """Make clients here and in another loop, several times."""
        self._other_loop = (loop, thread)
        self.seen = [await self._clients(), await wrap_future(run_coroutine_threadsafe(self._clients(), loop))]

    def stop_other_loop(self) -> None:
        """End the other loop and its thread."""
        assert self._other_loop is not None
        loop, thread = self._other_loop
        loop.call_soon_threadsafe(loop.stop)
        thread.join()

    def use_in_ended_loop(self) -> None:
        """Make clients in a loop that ends at once."""
        with Runner() as runner:
            runner.run(self._clients())

    async def _clients(self) -> list[Any]:
        here, there = (OpenAISettings("m", "k", f"http://{name}.test/v1") for name in ("here", "there"))
        http = self.clients.http()
        self.clients.client(here)
        other = self.clients.client(there)
        return [http, self.clients.http(), other, self.clients.client(there)]

    async def ask_managed(self) -> None:
        """Stream from the model's own method, as LangChain's event streams do."""
        manager = AsyncCallbackManagerForLLMRun(run_id=uuid4(), handlers=[self.listener], inheritable_handlers=[])
        model: Any = self.model()
        async for _ in model._astream([HumanMessage("hi")], run_manager=manager):
            pass

    async def leave(self, chunks: int) -> None:
        """Stream, and leave after some chunks."""
        stream = self.model().astream(self.messages)
        for _ in range(chunks):
            await anext(stream)
        await cast("Any", stream).aclose()

    def answer(self, message: dict[str, Any], **told: Any) -> None:
        """Let the wire answer with one message, whole."""
        choice = {**ANSWER["choices"][0], "message": {"role": "assistant", **message}}
        self.wire.answer_json({**ANSWER, "choices": [choice], **told})

    def stream_of(self, deltas: list[dict[str, Any]]) -> None:
        """Let the wire stream deltas, then a finish and usage."""
        events = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
        finish: dict[str, Any] = {"model": "m-2024", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
        self.wire.answer_events([*events, finish, {"choices": [], "usage": ANSWER["usage"]}])

    def calls(self) -> list[Any]:
        """The calls that came, arguments as text."""
        return [[call_id, name, _text(arguments)] for call_id, name, arguments in calls_of(self.message)]

    def header(self, name: str) -> str | None:
        """A header of the last request."""
        return self.wire.requests[-1].headers.get(name)


def world(context: Context) -> OpenAIWorld:
    """The scenario's world, made when first asked for."""
    if not hasattr(context, _WORLD):
        setattr(context, _WORLD, OpenAIWorld())
    return getattr(context, _WORLD)


class Environment:
    """Variables that OpenAI clients look at, set for one scenario."""

    NAMES: ClassVar = {
        "OPENAI_API_KEY": "sk-environment",
        "OPENAI_ADMIN_KEY": "sk-environment",
        "OPENAI_ORG_ID": "environment",
        "OPENAI_ORGANIZATION": "environment",
        "OPENAI_PROJECT_ID": "environment",
        "OPENAI_BASE_URL": "http://environment.test/v1",
        "OPENAI_API_BASE": "http://environment.test/v1",
        "OPENAI_CUSTOM_HEADERS": "X-Environment: environment",
        "LANGSMITH_GATEWAY": "http://environment.test",
        "LANGSMITH_GATEWAY_API_KEY": "lsv2_environment",
        "HTTPS_PROXY": "http://environment.test",
        "HTTP_PROXY": "http://environment.test",
        "LC_OUTPUT_VERSION": "v1",
    }

    def __enter__(self) -> None:
        self.before = dict(os.environ)
        os.environ.update(self.NAMES)

    def __exit__(self, *_: object) -> None:
        os.environ.clear()
        os.environ.update(self.before)


def same_as_plain(transport: str, examples: int) -> None:
    """Generated requests: equal on the wire and in the answer, whole or streamed."""
    with Runner() as runner:

        @settings(max_examples=examples, deadline=None)
        @given(
            generated.conversations,
            generated.parameters,
            generated.options,
            generated.answers(),
            st.none() | st.integers(1, 9),
        )
        def check(conversation: Any, parameters: Any, options: Any, answer: Any, size: int | None) -> None:
            wire = Wire()
            wire.answer_json(answer) if size is None else wire.answer_events(generated.as_stream(answer, size))
            runner.run(_compare(wire, transport, conversation, parameters, options, size is not None))

        check()


async def _compare(wire: Wire, transport: str, conversation: Any, parameters: Any, options: Any, stream: bool) -> None:
    one = await attempt(plain(wire, **parameters), conversation, stream=stream, **options)
    other = await attempt(
        ours(wire, parameters=parameters, transport=transport), conversation, stream=stream, **options
    )
    assert one.error is None and other.error is None, (one.error, other.error)
    assert wire.bodies[0] == wire.bodies[1], wire.bodies
    told, ours_told = facts_of(one.message), facts_of(other.message)
    if stream:
        # LangChain's own drops a streamed refusal.
        told["refusal"] = ours_told["refusal"]
    assert {k: v or None for k, v in told.items()} == {k: v or None for k, v in ours_told.items()}
    usage, metadata = other.slot.usage, one.message and one.message.usage_metadata
    assert usage and metadata and usage[:2] == (metadata["input_tokens"], metadata["output_tokens"])


def survives_damage(kind: str, examples: int) -> None:
    """Damaged streams or answers: typed errors only, and no told usage lost."""
    with Runner() as runner:

        @settings(max_examples=examples, deadline=None)
        @given(fuzz.damaged_streams(), st.lists(st.integers(0, 4000), max_size=12))
        def streams(data: bytes, places: list[int]) -> None:
            runner.run(fuzz.check_stream(data, places))

        @settings(max_examples=examples, deadline=None)
        @given(fuzz.damaged_documents())
        def answers(document: Any) -> None:
            runner.run(fuzz.check_document(document))

        streams() if kind == "streams" else answers()


def thread_loop() -> tuple[AbstractEventLoop, threading.Thread]:
    """A loop that runs in a thread of its own, until it is stopped."""
    loop = new_event_loop()

    def run() -> None:
        loop.run_forever()
        loop.close()

    thread = threading.Thread(target=run, name="another loop")
    thread.start()
    return loop, thread


def build(world: OpenAIWorld, **settings: Any) -> StockChatOpenAI:
    """A model over the world's real clients."""
    given: dict[str, Any] = {"model": "m", "api_key": "sk-secret", "base_url": "http://127.0.0.1:9/v1", **settings}
    return build_model(OpenAISettings(**given), world.clients)


def conversation_with_reasoning() -> list[Any]:
    """A turn that was thought about, and a question after it."""
    thought = AIMessage("Sunny.", additional_kwargs={"reasoning_content": "I looked."})
    return [HumanMessage("Weather?"), thought, HumanMessage("Sure?")]


def http_failure(name: str) -> Exception:
    """An error of the HTTP library by its name."""
    return cast("type[Exception]", getattr(httpx2, name))("it broke")


def _text(arguments: Any) -> Any:
    return arguments if isinstance(arguments, str | None) else json.dumps(arguments)
