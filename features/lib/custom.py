"""Agents of a host's own: echoing, working, waiting, odd; and LLMAgents with steps of their own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import Any, ClassVar, cast

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from cleveractors import (
    AbortSignal,
    Agent,
    AgentConfig,
    LLMAgent,
    ModelAgentConfig,
    RunContext,
    RunStream,
    ScriptedChatModel,
    current_context,
    last_token_usage_var,
)
from cleveractors.testing import call, run_context
from cleveractors.tools.toolset import Toolset
from features.lib.bench import Bench, soon


class EchoConfig(AgentConfig):
    """A greeting."""

    greeting: str = "Hello"


class EchoAgent(Agent[Any]):
    """Says what it was asked."""

    Config: ClassVar[type[AgentConfig]] = EchoConfig

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        return f"{self.config.greeting}: {message.text}"


class WorkingAgent(Agent[Any]):
    """Asks its model, calls a tool, reports what it paid elsewhere."""

    Config: ClassVar[type[AgentConfig]] = ModelAgentConfig

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        said = await context.call_model([HumanMessage("Will it do?")])
        done = await context.call_tool(
            {"name": "get_weather", "args": {"city": "Paris"}, "id": "c1", "type": "tool_call"}
        )
        context.report_usage(model="search-1", prompt_tokens=40, completion_tokens=2)
        return f"{said.text} {done.text}"


class PlainConfig(AgentConfig):
    """No keys."""


class Plain(Agent[Any]):
    """The base of the agents that need no keys."""

    Config: ClassVar[type[AgentConfig]] = PlainConfig

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        return "plain"


class Waiting(Plain):
    """Never answers."""

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        reached.set()
        await asyncio.get_running_loop().create_future()
        return ""

    async def stream_message(self, message: Any, context: RunContext[Any]) -> AsyncGenerator[str, None]:
        yield await self.process_message(message, context)


class Unopened(Plain):
    """Never opens."""

    async def open(self) -> None:
        reached.set()
        await asyncio.get_running_loop().create_future()

    async def stream_message(self, message: Any, context: RunContext[Any]) -> AsyncGenerator[str, None]:
        yield "plain"


class Clinging(Plain):
    """Has a stream that does not let itself be closed."""

    async def stream_message(self, message: Any, context: RunContext[Any]) -> AsyncGenerator[str, None]:
        try:
            yield "one"
            yield "two"
        finally:
            reached.set()
            await asyncio.get_running_loop().create_future()


class Pieces:
    """An asynchronous iterator that is no generator."""

    def __init__(self, *pieces: object) -> None:
        self.pieces = list(pieces)

    def __aiter__(self) -> AsyncIterator[str]:
        return cast("AsyncIterator[str]", self)

    async def __anext__(self) -> object:
        if not self.pieces:
            raise StopAsyncIteration
        return self.pieces.pop(0)


class Iterating(Plain):
    """Has a stream that is a plain iterator."""

    pieces: ClassVar[tuple[object, ...]] = ("one ", "two")

    def stream_message(self, message: Any, context: RunContext[Any]) -> Any:
        return Pieces(*self.pieces)


class Numbering(Iterating):
    """Streams numbers."""

    pieces: ClassVar[tuple[object, ...]] = (5,)


def answering(value: Any) -> type[Agent[Any]]:
    """An agent that answers something that is no text."""

    class Odd(Plain):
        async def process_message(self, message: Any, context: RunContext[Any]) -> str:
            return value

    return Odd


reached = threading.Event()
"""Set when an agent has come to the place where it waits."""

AGENTS: dict[str, type[Agent[Any]]] = {
    "that waits for ever": Waiting,
    "whose opening waits for ever": Unopened,
    "that answers None": answering(None),
    "that answers 5": answering(5),
    "that answers pieces of 5": Numbering,
    "whose stream is a plain iterator": Iterating,
    "whose stream waits for ever when it is closed": Clinging,
}


def use(bench: Bench, kind: type[Agent[Any]], keys: dict[str, Any]) -> None:
    """Make the actor's agent one of this kind."""
    reached.clear()
    bench.keys = {"type": "own", **keys}
    bench.options["agent_types"] = {"own": kind}


def use_working(bench: Bench) -> None:
    """An agent that pays in three ways; it may call every tool of the host."""
    use(bench, WorkingAgent, {"model": "gpt-4o-mini"})
    bench.declare(["get_weather"])
    del bench.keys["tools"]


async def with_timeout(bench: Bench) -> None:
    await bench.observe(lambda: bench.ask(timeout=0.05))


async def stream_with_timeout(bench: Bench) -> None:
    await bench.observe(lambda: bench.read(bench.open_stream(timeout=0.05)))


async def and_aborted(bench: Bench) -> None:
    signal = AbortSignal()
    task = asyncio.create_task(bench.observe(lambda: bench.ask(abort_signal=signal)))
    await soon(reached.is_set)
    signal.abort("enough")
    await task


async def stream_and_aborted(bench: Bench) -> None:
    stream = bench.open_stream()
    task = asyncio.create_task(bench.observe(lambda: bench.read(stream)))
    await soon(reached.is_set)
    stream.abort("enough")
    await task


async def aborted_before(bench: Bench) -> None:
    signal = AbortSignal()
    signal.abort("never mind")
    await bench.observe(lambda: bench.ask(abort_signal=signal))


ENDED: dict[str, Callable[[Bench], Awaitable[None]]] = {
    "with a timeout": with_timeout,
    "as a stream with a timeout": stream_with_timeout,
    "and aborted": and_aborted,
    "as a stream and aborted": stream_and_aborted,
    "with a signal aborted before it": aborted_before,
}


async def leave_clinging(bench: Bench) -> None:
    """Close a stream whose agent clings to it."""
    stream: RunStream[str] = bench.open_stream()
    bench.texts.append(await anext(stream))
    with bench.world.catching(TimeoutError):
        await stream.aclose()
    assert stream.result is not None
    bench.results.append(stream.result)


# Steps of an LLMAgent


def scripted() -> ScriptedChatModel:
    """Asks for the weather once, then answers."""
    return ScriptedChatModel(
        [{"calls": [call("get_weather", city="Paris")], "usage": (10, 1)}, {"text": "Rain.", "usage": (20, 2)}]
    )


class Prompting(LLMAgent):
    async def system_prompt(self, context: RunContext[Any]) -> str:
        return f"overridden for {context.tenant}"


class PreparingMessages(LLMAgent):
    async def prepare_messages(self, messages: Any, context: RunContext[Any]) -> Any:
        return [*messages, HumanMessage("overridden")]


class PreparingTools(LLMAgent):
    async def prepare_tools(self, tools: Toolset, context: RunContext[Any]) -> Toolset:
        return tools.subset([name for name in tools if name != "broken"])


class SelectingModel(LLMAgent):
    chosen: ClassVar[ScriptedChatModel | None] = None

    async def select_model(self, context: RunContext[Any]) -> Any:
        return self.chosen


class CallingModel(LLMAgent):
    async def call_model(self, messages: Any, context: RunContext[Any]) -> AIMessage:
        answer = await super().call_model(messages, context)
        return answer.model_copy(update={"content": answer.text and f"{answer.text} overridden"})


class CallingTool(LLMAgent):
    async def call_tool(self, call: Any, context: RunContext[Any]) -> ToolMessage:
        answer = await super().call_tool(call, context)
        return answer.model_copy(update={"content": f"{answer.text} overridden"})


class Finishing(LLMAgent):
    async def finish(self, answer: str, context: RunContext[Any]) -> str:
        return f"{answer} overridden"


STEPS: dict[str, type[LLMAgent]] = {
    "system_prompt": Prompting,
    "prepare_messages": PreparingMessages,
    "prepare_tools": PreparingTools,
    "select_model": SelectingModel,
    "call_model": CallingModel,
    "call_tool": CallingTool,
    "finish": Finishing,
}


def use_step(bench: Bench, step: str) -> None:
    """An LLMAgent with one step of its own, on a scripted model, with two tools."""
    house, chosen = scripted(), scripted()
    SelectingModel.chosen = chosen
    bench.notes += [house, chosen]
    use(bench, STEPS[step], {"provider": "house", "model": "house-1"})
    bench.options["models"] = {"house": house}
    bench.declare(["get_weather", "broken"])


async def ask_step(bench: Bench) -> None:
    """Blocking, and as a stream of tokens: a step holds for both."""
    result = await bench.ask(tenant="t1")
    bench.notes[0] = house = bench.notes[0]
    asked = list(house.calls) or list(bench.notes[1].calls)
    bench.ways.value = (asked, result)
    assert result.prompt_tokens == 30 and result.completion_tokens == 3, result


def check_step(bench: Bench, step: str) -> None:
    """What an overridden step changed, and that it changed nothing else."""
    asked, result = bench.ways.value
    checks: dict[str, bool] = {
        "system_prompt": asked[0].messages[0].text == "overridden for t1",
        "prepare_messages": all(one.messages[-1].text == "overridden" for one in asked)
        and not any(message.text == "overridden" for message in result.messages),
        "prepare_tools": asked[0].tool_names == ["get_weather"],
        "select_model": not bench.notes[0].calls and len(bench.notes[1].calls) == 2,
        "call_model": result.response == "Rain. overridden",
        "call_tool": asked[1].messages[-1].text == "rain in Paris overridden",
        "finish": result.response == "Rain. overridden" == result.messages[-1].text,
    }
    assert checks[step], (asked, result)
    assert result.rounds == 1 and result.stop_reason == "completed"


# An LLMAgent by itself


def tokens_of(agent: LLMAgent) -> object:
    """What an agent says of its last call: a name that hosts have come to rely on, private though it is."""
    return getattr(agent, "_last_token_usage")  # noqa: B009 - it is private


async def check_lone() -> None:
    """Both faces without a context."""
    from features.lib.bench import get_weather

    for streamed in (False, True):
        agent = LLMAgent({"model": "house-1"}, model=scripted(), tools=[get_weather])
        if streamed:
            texts = [text async for text in agent.stream_message("rain?")]
        else:
            texts = [await agent.process_message("rain?")]
        assert texts == ["Rain."], texts
        assert tokens_of(agent) == (30, 3) == last_token_usage_var.get()


async def check_lone_failing() -> None:
    """A model that fails in the second call."""
    from features.lib.bench import get_weather

    model = ScriptedChatModel([{"calls": [call("get_weather", city="Paris")], "usage": (10, 1)}, RuntimeError("boom")])
    agent = LLMAgent({"model": "house-1"}, model=model, tools=[get_weather])
    try:
        await agent.process_message("rain?")
    except RuntimeError as error:
        assert str(error) == "boom" and tokens_of(agent) == (10, 1)
    else:
        raise AssertionError("it answered")


# deps and contexts


def use_looking_tool(bench: Bench) -> None:
    """A tool that takes the context, and a helper below it that looks for it."""

    def helper() -> RunContext[Any]:
        return current_context()

    async def look(city: str, run: RunContext[Any]) -> str:
        """Looks around."""
        bench.notes += [run, helper(), run.usage, run.tool_call_id]
        await asyncio.sleep(0)
        return "seen"

    bench.keys |= {"provider": "house", "model": "house-1", "tools": ["look"]}
    model = ScriptedChatModel([{"calls": [call("look", city="Paris", id="c9")], "usage": (10, 1)}, "Done."])
    bench.options["models"] = {"house": model}
    bench.tools.append(look)
    bench.ways.value = model


async def ask_with_deps(bench: Bench) -> None:
    """One run with everything that a host may hand over."""
    bench.run_options = {"deps": bench, "tenant": "t1", "metadata": {"plan": "pro"}}
    await bench.ask()


def check_tool_saw(bench: Bench) -> None:
    """What the tool found in its context."""
    run, _, usage, call_id = bench.notes
    assert run.deps is bench and run.tenant == "t1" and run.metadata == {"plan": "pro"}
    assert run.agent == "main" and run.run_id == bench.result.run_id and run.parent_run_id is None
    assert call_id == "c9" and usage == (10, 1), (call_id, usage)


def check_model_saw(bench: Bench) -> None:
    """The schema has the model's own parameter alone."""
    model: ScriptedChatModel = bench.ways.value
    assert list(model.calls[0].tools[0]["function"]["parameters"]["properties"]) == ["city"]
    assert "Bench" not in repr(model.calls) and "Bench" not in repr(bench.result.to_dict())


def check_no_context() -> None:
    """Outside any run there is none."""
    try:
        current_context()
    except LookupError:
        return
    raise AssertionError("there is a context")


async def check_test_context() -> None:
    """A context made by `testing.run_context`."""
    context = run_context({"city": "Paris"}, tenant="t1", session_id="s1", run_id="r1", metadata={"plan": "pro"})
    assert context.deps == {"city": "Paris"} and context.tenant == "t1" and context.run_id == "r1"
    assert context.session_id == "s1" and context.metadata == {"plan": "pro"} and context.agent == "test"
    context.report_usage(model="search-1", prompt_tokens=3, completion_tokens=1)
    assert context.usage == (3, 1) and not context.abort_signal.is_aborted
    try:
        await context.call_model([])
    except RuntimeError as error:
        assert "belongs to no agent" in str(error)
    else:
        raise AssertionError("it called a model")


def check_loopless_context() -> None:
    """The same in a plain test function."""
    context = run_context(5, tenant="t1", tool_call_id="c1")
    assert (context.deps, context.tenant, context.tool_call_id, context.usage) == (5, "t1", "c1", (0, 0))
    try:
        run_context(tenant="")
    except ValueError as error:
        assert "tenant must be text" in str(error)
    else:
        raise AssertionError("it took an empty tenant")
