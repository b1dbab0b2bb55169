"""Agents called by agents: child runs on the parent's bill, chain of budgets, clock and signal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, cast

from cleveractors.context import Caller, RunContext
from cleveractors.exceptions import ExecutionError, sentence
from cleveractors.models.admission import interrupted
from cleveractors.run import Run
from cleveractors.tools.base import Tool

if TYPE_CHECKING:
    from collections.abc import Generator

    from langchain_core.messages import BaseMessage

    from cleveractors.events.voice import ForkPlace
    from cleveractors.options import RunOptions

__all__ = ["Colleague", "agent_tool", "call_child", "find_colleague"]

MAX_DEPTH = 16
"""Runs that may stand above one; files can't call in circles, but code can."""

TASK_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"task": {"type": "string", "description": "What it is to do, with all that it needs to know."}},
    "required": ["task"],
    "additionalProperties": False,
}


class Colleague(Caller, Protocol):
    """An agent that others may call."""

    @property
    def name(self) -> str: ...
    @property
    def config(self) -> Any: ...
    async def process_message(self, message: Any, context: RunContext[Any]) -> str: ...


def agent_tool(agent: Colleague) -> Tool:
    """An agent as a tool of another: it gets a task, or what its `input_schema` says."""
    schema: dict[str, Any] | None = getattr(agent.config, "input_schema", None)

    async def call(arguments: Mapping[str, object], context: RunContext[Any]) -> str:
        return await call_child(agent, _message(arguments, schema), context)

    return Tool(agent.name, agent.config.description, schema or TASK_SCHEMA, call, timed=False)


def _message(arguments: Mapping[str, object], schema: Mapping[str, Any] | None) -> str:
    if schema is None:
        return str(arguments["task"])
    import json

    return json.dumps(arguments, ensure_ascii=False)


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
        ExecutionError: the runs are nested too deep.
        Exception: what the child raised; its spend is counted.
    """
    parent = context.run
    if parent.depth + 1 > MAX_DEPTH:
        raise ExecutionError(f"agents call each other {MAX_DEPTH} deep, no deeper")
    options: RunOptions = {"history": list(history), "variables": _variables(agent, parent)}
    if "credentials" in parent.options:
        # The run's own keys, never the house's.
        options["credentials"] = parent.options["credentials"]
    child = Run(parent.services, options, agent.name, parent, context.books)
    child.message = _human(message)
    child.fork = fork
    spoken: RunContext[Any] = RunContext(child, agent.name, agent, context.tool_call_id)
    spoken.voice = context.voice
    with _beside_others(child):
        return await _answer(agent, spoken)


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
        child.ended()
    if child.answer is not None:
        return child.answer
    stop = child.stop or interrupted(child)
    return child.partial_text or (stop.detail if stop else "")


@contextmanager
def _beside_others(child: Run) -> Generator[None]:
    """While a child runs, those beside it get their share of what the purses hold."""
    for purse in child.purses:
        purse.children += 1
    try:
        yield
    finally:
        for purse in child.purses:
            purse.children -= 1


def _human(message: Any) -> BaseMessage:
    from cleveractors.history import read_message

    return read_message(message)


def _variables(agent: Colleague, parent: Run) -> Mapping[str, object]:
    """The values of the parent's run that the child declares too."""
    given = parent.options.get("variables") or {}
    declared = cast("Mapping[str, object]", getattr(agent.config, "variables", {}))
    return {name: value for name, value in given.items() if name in declared}
