"""Agents called by agents: child runs on the parent's bill, chain of budgets, clock and signal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, cast

from cleveractors.agents.endings import fallback
from cleveractors.agents.hooked import around_child
from cleveractors.agents.orphans import end_orphans
from cleveractors.context import Caller, RunContext
from cleveractors.exceptions import ExecutionError, ToolRetry, sentence
from cleveractors.run import Run
from cleveractors.stops import Stop
from cleveractors.tools.base import Tool

if TYPE_CHECKING:
    from collections.abc import Generator

    from langchain_core.messages import BaseMessage

    from cleveractors.events.voice import ForkPlace
    from cleveractors.options import RunOptions

__all__ = ["Colleague", "Unfinished", "agent_tool", "call_child", "find_colleague"]

MAX_DEPTH = 16
"""Runs that may stand above one; files can't call in circles, but code can."""

TASK_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"task": {"type": "string", "description": "What it is to do, with all that it needs to know."}},
    "required": ["task"],
    "additionalProperties": False,
}

_HANDED_ON = ("credentials", "variables")
_HANDED_TO_FORKS = (*_HANDED_ON, "model", "parameters", "tools")


class Colleague(Caller, Protocol):
    """An agent that others may call."""

    @property
    def name(self) -> str: ...
    @property
    def config(self) -> Any: ...
    async def process_message(self, message: Any, context: RunContext[Any]) -> str: ...


class Unfinished(ExecutionError):
    """A child was ended by a signal or the run's clock before it had answered."""


def agent_tool(agent: Colleague) -> Tool:
    """An agent as a tool of another: it gets a task, or what its `input_schema` says."""
    schema: dict[str, Any] | None = getattr(agent.config, "input_schema", None)

    async def call(arguments: Mapping[str, object], context: RunContext[Any]) -> str:
        try:
            return await call_child(agent, _message(arguments, schema), context)
        except Unfinished as error:
            raise ToolRetry(str(error)) from None

    parameters = TASK_SCHEMA if schema is None else schema
    return Tool(agent.name, agent.config.description, parameters, call, timed=False, minds_the_run=True)


def _message(arguments: Mapping[str, object], schema: Mapping[str, Any] | None) -> str:
    return str(arguments["task"]) if schema is None else json.dumps(arguments, ensure_ascii=False)


def find_colleague(colleagues: Mapping[str, Colleague], name: str) -> Colleague:
    """The agent of a name.

    Raises:
        ExecutionError: the actor has no such agent.
    """
    agent = colleagues.get(name)
    if agent is None:
        raise ExecutionError(f"the actor has no agent {name!r}; it has {sentence(sorted(colleagues)) or 'none'}")
    return agent


async def call_child(
    agent: Colleague,
    message: Any,
    context: RunContext[Any],
    *,
    history: Sequence[BaseMessage] = (),
    fork: ForkPlace | None = None,
) -> str:
    """Have an agent answer in a run of its own, below the one of `context`.

    Args:
        agent: who answers.
        message: what it is asked.
        context: who asks, from within a tool call or an agent.
        history: what the child knows before.
        fork: where a fork stands.

    Raises:
        ExecutionError: the runs are nested too deep, or the calling one has ended.
        Unfinished: the signal or the clock ended the child.
        Exception: what the child raised; its spend is counted.
    """
    parent = context.run
    if parent.closed:
        raise ExecutionError("the run has ended: it calls no more agents")
    if parent.depth + 1 > MAX_DEPTH:
        raise ExecutionError(f"agents call each other {MAX_DEPTH} deep, no deeper")
    options = _options(parent, history, _HANDED_ON if fork is None else _HANDED_TO_FORKS)
    child = Run(parent.services, options, agent.name, parent, context.books)
    child.message = _human(message)
    child.fork, child.caller = fork, context.speech
    spoken: RunContext[Any] = RunContext(child, agent.name, agent)
    spoken.voice = context.voice
    with _beside_others(child, parent):
        # Those that the same response asked for enter too before any of them draws on a purse.
        await asyncio.sleep(0)
        async with around_child(context, spoken) as done:
            return done(await _answer(agent, spoken))


def _options(parent: Run, history: Sequence[BaseMessage], handed: Sequence[str]) -> RunOptions:
    """The child's options: the run's own keys, never the house's.

    A fork is the agent that it was copied from, so what the run put in place of that one's holds for it too.
    """
    given = cast("Mapping[str, Any]", parent.options)
    kept = {name: given[name] for name in handed if name in given}
    return cast("RunOptions", {**kept, "history": list(history)})


async def _answer(agent: Colleague, context: RunContext[Any]) -> str:
    child = context.run
    child.begin()
    try:
        if child.services.answer is not None:
            await child.services.answer(agent, context)
        else:
            child.answer = await agent.process_message(child.message, context)
    finally:
        child.end()
        await end_orphans(child)
    stop = _stop_of(child)
    if stop.reason in ("aborted", "timeout"):
        raise Unfinished(f"not finished: {stop.detail}")
    return fallback(stop.reason, stop.detail, child.partial_text) if child.answer is None else child.answer


def _stop_of(child: Run) -> Stop:
    talk = child.conversation
    if child.stop is not None or talk is None or talk.stop_reason is None:
        return child.stop or Stop("completed", "the agent answered")
    return Stop(talk.stop_reason, talk.stop_detail)


@contextmanager
def _beside_others(child: Run, parent: Run) -> Generator[None]:
    """While a child runs, those beside it get their share of what the purses hold."""
    purses = tuple(child.purses)
    parent.children.add(child)
    for purse in purses:
        purse.enter(parent)
    try:
        yield
    finally:
        parent.children.discard(child)
        for purse in purses:
            purse.leave(parent)
        child.ended()


def _human(message: Any) -> BaseMessage:
    from cleveractors.history import read_message

    return read_message(message)
