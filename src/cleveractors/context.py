"""What the host's code sees of a run: tools, custom agents, hooks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, cast

from typing_extensions import TypeVar

from cleveractors.ambient import peek
from cleveractors.events.emitter import ToolEventEmitter
from cleveractors.models.slot import ToldUsage
from cleveractors.money import Money
from cleveractors.toolspend import enter_spend

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage, ToolCall, ToolMessage

    from cleveractors.abort import AbortSignal
    from cleveractors.events.speech import Speech
    from cleveractors.events.voice import Voice
    from cleveractors.reservation import Books
    from cleveractors.run import Run
    from cleveractors.tools.threads import ToolThreads
    from cleveractors.usage import TokenUsage

__all__ = ["Caller", "RunContext", "current_context"]

DepsT = TypeVar("DepsT", default=Any)


class Caller(Protocol):
    """The agent behind a context: what it calls stands on the bill."""

    async def call_for(self, messages: Sequence[BaseMessage], context: RunContext[Any]) -> AIMessage:
        """One model call without tools."""
        ...

    async def call_tool(self, call: ToolCall, context: RunContext[Any]) -> ToolMessage:
        """One tool call."""
        ...

    async def call_agent(self, name: str, message: Any, context: RunContext[Any]) -> str:
        """One answer of another agent."""
        ...


class RunContext(Generic[DepsT]):
    """One run as one agent, or one tool call of it, sees it.

    A tool or a custom agent receives it by any parameter so annotated; elsewhere `current_context()`
    finds it. Each tool call has a view of its own.
    """

    __slots__ = ("_caller", "_run", "agent", "record", "speech", "talk", "tool_call_id", "voice")

    def __init__(self, run: Run, agent: str, caller: Caller | None = None, tool_call_id: str | None = None) -> None:
        self._run = run
        self._caller = caller
        self.agent = agent
        """The agent's name."""
        self.tool_call_id = tool_call_id
        """The tool call that runs, or None outside one."""
        self.talk: object = None
        """The loop's conversation; for code of this library."""
        self.record: Callable[[ToolMessage], object] | None = None
        """Takes a tool call's raw result before hooks see it; for code of this library."""
        self.voice: Voice | None = None
        """The agent's, where somebody listens; for code of this library."""
        self.speech: Speech | None = None
        """What the tool call says by itself, where somebody listens; for code of this library."""

    @property
    def deps(self) -> DepsT:
        """The host's object of this run; the model never sees it."""
        return self._run.deps

    @property
    def run_id(self) -> str:
        """The run's id."""
        return self._run.run_id

    @property
    def parent_run_id(self) -> str | None:
        """The run that called this one as a child."""
        return self._run.parent_run_id

    @property
    def session_id(self) -> str | None:
        """The host's label of the conversation."""
        return self._run.labels.session_id

    @property
    def tenant(self) -> str | None:
        """Who pays."""
        return self._run.labels.tenant

    @property
    def metadata(self) -> Mapping[str, str]:
        """The host's labels."""
        return self._run.labels.metadata

    @property
    def usage(self) -> TokenUsage:
        """What providers told of this run so far, children included."""
        return self._run.ledger.totals.usage

    @property
    def abort_signal(self) -> AbortSignal:
        """The run's own signal: aborting it ends this run alone."""
        return self._run.signal

    @property
    def emitter(self) -> ToolEventEmitter:
        """Emits events of the tool call that runs; does nothing outside one."""
        return ToolEventEmitter(self.speech)

    @property
    def threads(self) -> ToolThreads:
        """Where sync code of this run belongs."""
        return self._run.services.threads

    async def call_model(self, messages: Sequence[BaseMessage]) -> AIMessage:
        """One model call with this agent's model, without tools, on the run's bill.

        Raises:
            LimitReached: a limit or budget of the run refused it; nothing was spent.
            ConfigurationError: the agent names no model.
        """
        return await self._agent.call_for(messages, self)

    async def call_tool(self, call: ToolCall) -> ToolMessage:
        """One tool call; trouble in the tool is an answer with `status="error"`."""
        return await self._agent.call_tool(call, self)

    async def call_agent(self, name: str, message: Any) -> str:
        """Have another agent of the actor answer, in a child run on this run's bill.

        Raises:
            ExecutionError: the actor has no such agent, or runs are nested too deep.
            Exception: what the child raised; its spend is counted.
        """
        return await self._agent.call_agent(name, message, self)

    def report_usage(
        self, *, model: str, prompt_tokens: int = 0, completion_tokens: int = 0, cost: Money | None = None
    ) -> None:
        """Enter what a tool spent by itself into the bill and the budgets, as a row of purpose `tool`.

        Args:
            model: the model or service that was paid.
            prompt_tokens: tokens sent.
            completion_tokens: tokens answered.
            cost: money, where the tool knows it; else the house's price of the model, where there is one.

        Raises:
            ValueError: a figure is negative.
        """
        spent = ToldUsage(prompt_tokens, completion_tokens)
        enter_spend(self._run, self.agent, model, spent, cost, self.books)

    def for_tool(self, tool_call_id: str | None, speech: Speech | None = None) -> RunContext[DepsT]:
        """The same run as one tool call sees it."""
        context = self._copy()
        context.tool_call_id = tool_call_id
        context.speech = speech or self.speech
        return context

    def for_talk(self, talk: object) -> RunContext[DepsT]:
        """The same run as one loop sees it."""
        context = self._copy()
        context.talk = talk
        return context

    def for_agent(self, agent: str, caller: Caller) -> RunContext[DepsT]:
        """The same run as an agent sees it, that is not yet in its loop."""
        context: RunContext[DepsT] = RunContext(self._run, agent, caller, self.tool_call_id)
        context.voice = self.voice
        return context

    def for_voice(self, voice: Voice) -> RunContext[DepsT]:
        """The same run as an agent sees it that has begun to speak."""
        context = self._copy()
        context.voice = voice
        return context

    def _copy(self) -> RunContext[DepsT]:
        context: RunContext[DepsT] = RunContext(self._run, self.agent, self._caller, self.tool_call_id)
        context.talk, context.voice, context.speech = self.talk, self.voice, self.speech
        return context

    @property
    def books(self) -> Books:
        """Ledger and purses that calls from here go to; for code of this library."""
        return cast("Books", self.talk) if self.talk is not None else self._run

    @property
    def run(self) -> Run:
        """The run's record; for code of this library."""
        return self._run

    @property
    def _agent(self) -> Caller:
        if self._caller is None:
            raise RuntimeError("this context belongs to no agent: it can call neither models nor tools")
        return self._caller

    def __repr__(self) -> str:
        call = f" tool_call_id={self.tool_call_id!r}" if self.tool_call_id else ""
        return f"<RunContext run_id={self.run_id!r} agent={self.agent!r}{call}>"


def current_context() -> RunContext[Any]:
    """The context of the run that this code runs in.

    Raises:
        LookupError: it runs in none.
    """
    context = peek()
    if context is None:
        raise LookupError("no run is active here: current_context() works in tools, agents and hooks")
    return context
