"""Forks: an agent sends copies of itself ahead, each with what it knows so far and a task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from cleveractors.agents.children import Colleague, Unfinished, call_child
from cleveractors.agents.conversation import Conversation
from cleveractors.config.tools import FORK
from cleveractors.context import RunContext
from cleveractors.events.types import CustomEvent
from cleveractors.events.voice import ForkPlace
from cleveractors.exceptions import ToolRetry
from cleveractors.identifiers import new_id
from cleveractors.tools.base import Tool

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

__all__ = ["fork_tool"]

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "task": {
            "type": "string",
            "description": "What the copy is to do; it knows this conversation, but no copy's work.",
        }
    },
    "required": ["task"],
    "additionalProperties": False,
}


class ForkRules(Protocol):
    """The `forks` block of an agent."""

    @property
    def max_depth(self) -> int: ...
    @property
    def max_children(self) -> int: ...


def fork_tool(agent: Colleague, rules: ForkRules) -> Tool:
    """The tool by which an agent forks."""

    async def fork(arguments: Mapping[str, object], context: RunContext[Any]) -> str:
        place = _place(context, rules)
        return await _run_fork(agent, str(arguments["task"]), context, place)

    description = (
        "Send a copy of yourself, which knows this conversation, to do one task; you get its answer. "
        "Call it several times at once for tasks that do not need each other."
    )
    return Tool(FORK, description, _SCHEMA, fork, timed=False, minds_the_run=True)


def _place(context: RunContext[Any], rules: ForkRules) -> ForkPlace:
    """Where the next fork of this run stands.

    Raises:
        ToolRetry: as deep, or as many, as the agent may fork.
    """
    run = context.run
    depth = (run.fork.depth if run.fork else 0) + 1
    if depth > rules.max_depth:
        raise ToolRetry(f"not forked: forks may be {rules.max_depth} deep; do the task yourself")
    if run.forks >= rules.max_children:
        raise ToolRetry(f"not forked: a run may fork {rules.max_children} times; do the task yourself")
    run.forks += 1
    run.counters.forks += 1
    source = run.fork.memory_key if run.fork else None
    return ForkPlace(new_id(), depth, run.counters.forks, source or f"run/{run.run_id}")


async def _run_fork(agent: Colleague, task: str, context: RunContext[Any], place: ForkPlace) -> str:
    status = "interrupted"
    try:
        await _say(context, "selfref_fork_spawn", place)
        answer = await call_child(agent, task, context, history=_known(context), fork=place)
        status = "completed"
        return answer
    except Unfinished as error:
        raise ToolRetry(str(error)) from None
    except Exception:
        status = "failed"
        raise
    finally:
        _say_now(context, "selfref_fork_complete", place, status)


def _known(context: RunContext[Any]) -> list[BaseMessage]:
    """What was said before the response that forks: a valid history without its open calls."""
    talk = context.talk
    if not isinstance(talk, Conversation):
        return []
    asking = max((at for at, one in enumerate(talk.messages) if one.type == "ai"), default=0)
    return talk.messages[:asking]


async def _say(context: RunContext[Any], name: str, place: ForkPlace) -> None:
    if context.speech is not None:
        await context.speech.tell(CustomEvent(name, {"fork_id": place.fork_id}))


def _say_now(context: RunContext[Any], name: str, place: ForkPlace, status: str) -> None:
    if context.speech is not None:
        context.speech.say(CustomEvent(name, {"fork_id": place.fork_id, "status": status}))
