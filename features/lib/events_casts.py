"""Who plays in the event streams' stories beside the one agent with its tools."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from langchain_core.messages import HumanMessage

from cleveractors import Agent, RunContext, ToolEventEmitter
from cleveractors.config import ModelAgentConfig
from cleveractors.testing import ScriptedChatModel, call
from features.lib.events_story import EventStory

__all__ = ["cast_boss", "cast_own", "cast_thinker", "cast_thread"]


def cast_boss(story: EventStory, *, aborts: bool = False) -> None:
    """A boss that asks its clerk, twice at once, or once where the clerk aborts the run."""

    async def answer(messages: list[Any]) -> str:
        del messages
        if aborts:
            story.signal.abort("enough")
            await asyncio.Future[None]()
        return "done"

    clerk = {"provider": "clerks", "model": "scripted", "description": "Does a task."}
    asked = [call("clerk", task="A"), *([] if aborts else [call("clerk", task="B")])]
    story.others = {"clerk": clerk}
    story.model = ScriptedChatModel([asked, "All done."])
    story.models = {"clerks": ScriptedChatModel(answer)}


class Stopping(Agent[Any]):
    """Aborts its run, and hangs."""

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        context.abort_signal.abort("enough")
        return await asyncio.Future[str]()


class Streaming(Agent[Any]):
    """Answers in two pieces."""

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        return "two pieces"

    async def stream_message(self, message: Any, context: RunContext[Any]) -> AsyncGenerator[str, None]:
        yield "two "
        yield "pieces"


class Asking(Agent[Any]):
    """Asks its model twice."""

    Config = ModelAgentConfig

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        answers = [(await context.call_model([HumanMessage("Well?")])).text for _ in range(2)]
        return ", ".join(answers)


class CallingFatal(Agent[Any]):
    """Calls a tool that ends the run."""

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        return (await context.call_tool({"name": "fatal", "args": {}, "id": "c1", "type": "tool_call"})).text


def cast_crowd(story: EventStory, tool: str, count: int) -> None:
    """An agent whose model calls a tool so many times at once."""
    story.names = [tool]
    story.model = ScriptedChatModel([[call(tool, word=str(number)) for number in range(count)], "Done."])


def cast_own(story: EventStory, kind: type[Agent[Any]]) -> None:
    """An agent of the host's own."""
    names_model = issubclass(kind.Config, ModelAgentConfig)
    story.settings = {"type": "own", **({"provider": "house", "model": "scripted"} if names_model else {})}
    story.model = ScriptedChatModel(["one", "two"])
    story.house["agent_types"] = {"own": kind}


def cast_thinker(story: EventStory) -> None:
    """An agent whose tool calls the model."""

    async def ask(context: RunContext[Any]) -> str:
        """Ask the model."""
        return (await context.call_model([HumanMessage("Well?")])).text

    story.extra = [ask]
    story.model = ScriptedChatModel([[call("ask")], "inner", "Done."])


def cast_thread(story: EventStory, count: int) -> None:
    """An agent whose sync tool tells much."""

    def chatter(emitter: ToolEventEmitter) -> str:
        """Tell much."""
        for number in range(count):
            emitter.emit_sync("progress", {"step": number})
            story.tools.told += 1
        return "told"

    story.extra = [chatter]
    story.model = ScriptedChatModel([[call("chatter")], "Done."])
