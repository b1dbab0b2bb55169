"""The agent: something that answers a message. Subclass it for a type of your own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from typing_extensions import TypeVar

from cleveractors.abort import bounded
from cleveractors.agents.children import call_child, find_colleague
from cleveractors.agents.dispatch import run_aloud, run_tool
from cleveractors.agents.hooked import root_hooks
from cleveractors.agents.plain import plain_call
from cleveractors.agents.telling import listen_aside
from cleveractors.config import AgentConfig, ModelAgentConfig
from cleveractors.context import RunContext
from cleveractors.exceptions import ConfigurationError
from cleveractors.models.port import Port
from cleveractors.models.registry import Asker
from cleveractors.tools.stand_ins import tools_for
from cleveractors.tools.toolset import Toolset

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage, ToolCall, ToolMessage

__all__ = ["Agent"]

DepsT = TypeVar("DepsT", default=Any)


class Agent(ABC, Generic[DepsT]):
    """Answers messages. One object serves any number of runs at a time, so it holds no state of a run.

        class EchoConfig(AgentConfig):
            prefix: str = "echo"

        class EchoAgent(Agent):
            Config = EchoConfig

            async def process_message(self, message, context):
                return f"{self.config.prefix}: {message}"

    Args:
        config: the agent's keys of the actor's file.
        name: its name there.
    """

    Config: ClassVar[type[AgentConfig]] = AgentConfig
    """The keys of the agent's type; a subclass of `AgentConfig`."""

    def __init__(self, config: Any, *, name: str = "main") -> None:
        self.config: Any = config
        self.name = name
        self.toolset = Toolset()
        """The tools that the agent may call."""
        self.colleagues: Mapping[str, Agent[Any]] = {}
        """The actor's agents by name."""

    def equip(self, toolset: Toolset, colleagues: Mapping[str, Agent[Any]] | None = None) -> None:
        """Give the agent its tools and its actor's agents; the executor does it, once."""
        self.toolset = toolset
        self.colleagues = colleagues or {}

    @abstractmethod
    async def process_message(self, message: Any, context: RunContext[DepsT]) -> str:
        """Answer a message.

        Args:
            message: text, a `HumanMessage`, or content parts.
            context: the run.

        Returns:
            The answer.
        """

    async def stream_message(self, message: Any, context: RunContext[DepsT]) -> AsyncGenerator[str, None]:
        """Answer a message in pieces; by default the whole answer at once."""
        yield await self.process_message(message, context)

    minds_the_run: ClassVar[bool] = False
    """Whether the agent watches the run's clock and signal itself; else its work is cut when they say so."""

    def check(self, context: RunContext[Any]) -> None:
        """Refuse a run whose options can't be right, before anything is spent.

        Raises:
            ConfigurationError: such an option.
        """

    def streams(self, context: RunContext[DepsT]) -> bool:
        """Whether `stream_message` hands out text while it is made, rather than the finished answer."""
        hooks = root_hooks(context)
        held_back = hooks is not None and hooks.holds_text
        return type(self).stream_message is not Agent.stream_message and not held_back

    async def open(self) -> None:
        """Called once before the agent's first run."""

    async def aclose(self) -> None:
        """Called once when the executor closes."""

    async def select_ports(self, context: RunContext[Any], definitions: Sequence[dict[str, Any]] = ()) -> list[Port]:
        """The agent's model with tools, as the run wants it, and those that take over when it fails.

        Raises:
            ConfigurationError: the agent names no model, or it can't be had.
        """
        if not isinstance(self.config, ModelAgentConfig):
            raise ConfigurationError(
                f"agent {self.name!r} names no model: make its Config a subclass of ModelAgentConfig to call one"
            )
        run = context.run
        # What a run puts in place of its agent's model goes on to forks alone: no other child's options have it.
        entry = run.entry == self.name
        asker = Asker(run.options, context, partial(bounded, run.signal, None, run.clock), run.memo)
        return await run.services.models.ports(self.config, asker, definitions, entry=entry)

    async def call_for(self, messages: Sequence[BaseMessage], context: RunContext[Any]) -> AIMessage:
        """One model call without tools, on the bill; `context.call_model` comes here."""
        ports = await self.select_ports(context)
        purpose = "tool" if context.tool_call_id else "turn"
        books = context.books
        return await plain_call(
            context.run,
            self.name,
            ports,
            messages,
            self.config,
            purpose=purpose,
            purses=books.purses,
            ledger=books.ledger,
            listener=listen_aside(context),
        )

    async def call_tool(self, call: ToolCall, context: RunContext[Any]) -> ToolMessage:
        """One tool call; trouble in the tool is an answer with `status="error"`."""
        tools, timeout = tools_for(context.run, self.toolset), getattr(self.config, "tool_timeout", None)
        seam = partial(run_tool, tools, timeout=timeout)
        return await run_aloud(seam, call, context)

    async def call_agent(self, name: str, message: Any, context: RunContext[Any]) -> str:
        """Have another agent of the actor answer, as a child of this run; `context.call_agent` comes here.

        Raises:
            ExecutionError: there is no such agent, or runs are nested too deep.
        """
        return await call_child(find_colleague(self.colleagues, name), message, context)
