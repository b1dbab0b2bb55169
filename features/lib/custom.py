"""Agents of a host's own: echoing, working, waiting, odd; and LLMAgents with steps of their own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import Any, ClassVar, cast

from langchain_core.messages import HumanMessage

from cleveractors import (
    AbortSignal,
    Agent,
    AgentConfig,
    ModelAgentConfig,
    RunContext,
    RunStream,
)
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
