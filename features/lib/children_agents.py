"""Agents of a family's host: each a class of its own."""

from __future__ import annotations

import asyncio
from typing import Any

from langchain_core.messages import HumanMessage
from pydantic import Field

from cleveractors import Agent, AgentConfig, ModelAgentConfig, RunContext
from features.lib.bench import NO_PAUSE
from features.lib.children import Family

__all__ = ["use_agent"]


class Asking(Agent[Any]):
    """Asks its model, and notes how its context looks."""

    class Config(ModelAgentConfig):
        """A model's keys."""

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        if context.deps is not None:
            context.deps.append([context.tool_call_id, context.agent, message.text])
        context.emitter.emit_sync("nothing", {})
        return (await context.call_model([HumanMessage(message.text)])).text


class Calling(Agent[Any]):
    """Calls the researcher."""

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        return await context.call_agent("researcher", "Find A.")


class CallingTwo(Agent[Any]):
    """Calls two at once."""

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        return " & ".join(await asyncio.gather(*(context.call_agent("researcher", task) for task in ("A", "B"))))


class CallingItself(Agent[Any]):
    """Calls itself."""

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        return await context.call_agent(self.name, message)


class CallingNobody(Agent[Any]):
    """Calls an agent that is not there."""

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        return await context.call_agent("nobody", "Hello?")


class Odd(Agent[Any]):
    """Answers no text."""

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        return 5  # type: ignore[return-value]


class Naming(Agent[Any]):
    """Has a list of tools of its own."""

    class Config(AgentConfig):
        """A list of tools."""

        tools: list[str] = Field(default_factory=list[str])

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        call: Any = {"name": self.config.tools[0], "args": {"task": "Find A."}, "id": "own_call", "type": "tool_call"}
        return (await context.call_tool(call)).text


AGENTS: dict[str, tuple[type[Agent[Any]], dict[str, Any]]] = {
    "an agent that asks its model": (Asking, {"model": "custom", "retry": NO_PAUSE}),
    "an agent that calls researcher": (Calling, {}),
    "an agent that calls researcher twice at once": (CallingTwo, {}),
    "an agent that calls itself": (CallingItself, {}),
    "an agent that calls nobody": (CallingNobody, {}),
    "an agent that answers 5": (Odd, {}),
    "an agent with researcher among its tools": (Naming, {"tools": ["researcher"]}),
    "an agent with nobody among its tools": (Naming, {"tools": ["nobody"]}),
    "an agent with itself among its tools": (Naming, {"tools": ["boss"]}),
}


def use_agent(family: Family, name: str, kind: str) -> None:
    """Give the actor an agent of the host's own, in its order."""
    cls, keys = AGENTS[kind]
    family.agents[name] = {"type": cls.__name__, "description": "One of the host's own.", **keys}
    family.options.setdefault("agent_types", {})[cls.__name__] = cls
