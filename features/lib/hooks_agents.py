"""Agents of scenarios about hooks in whole runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any, ClassVar

from langchain_core.messages import HumanMessage, ToolMessage
from pydantic import Field

from cleveractors import Agent, AgentConfig, ModelAgentConfig, RunContext

__all__ = ["AGENTS", "idle_of"]


class ToolsConfig(AgentConfig):
    """An agent that may have tools."""

    tools: list[str] = Field(default_factory=list[str])


class Calling(Agent[Any]):
    """Calls a tool, and says what came of it."""

    Config: ClassVar[type[AgentConfig]] = ToolsConfig

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        answer = await _echo(context)
        return f"{answer.status}: {answer.text}"


class Asking(Agent[Any]):
    """Asks its model."""

    Config: ClassVar[type[AgentConfig]] = ModelAgentConfig

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        return (await context.call_model([HumanMessage(message.content)])).text


class Speaking(Agent[Any]):
    """Answers in pieces with what it was asked."""

    Config: ClassVar[type[AgentConfig]] = ToolsConfig

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        return f"You said {message.text}"

    async def stream_message(self, message: Any, context: RunContext[Any]) -> AsyncGenerator[str, None]:
        yield "You said "
        yield message.text


def idle_of(entered: asyncio.Event) -> type[Agent[Any]]:
    """An agent that never answers, and says when it has begun not to."""

    class Idle(Calling):
        async def process_message(self, message: Any, context: RunContext[Any]) -> str:
            entered.set()
            return await asyncio.Future[str]()

    return Idle


async def _echo(context: RunContext[Any]) -> ToolMessage:
    return await context.call_tool({"name": "echo", "args": {"text": "a"}, "id": "own", "type": "tool_call"})


AGENTS: dict[str, type[Agent[Any]]] = {"calling": Calling, "asking": Asking, "speaking": Speaking}
