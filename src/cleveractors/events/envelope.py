"""Events on their way: where each arose, and the answer behind them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from typing_extensions import TypeIs

from cleveractors.events.types import ReActEvent

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

__all__ = ["EventOrigin", "EventYield", "ReactOutput", "ResponseYield", "is_event_yield", "is_response_yield"]


@dataclass(frozen=True, slots=True)
class EventOrigin:
    """Where an event arose."""

    session_id: str
    agent_call_id: str
    """New for every call of an agent."""
    event_seq: int
    """From 1 without gaps, in the order of delivery."""
    parent_agent_call_id: str | None = None
    fork_id: str | None = None
    fork_depth: int = 0
    fork_seq: int | None = None
    selfref_instance_id: str | None = None
    source_memory_key: str | None = None
    memory_key: str | None = None
    tool_name: str | None = None
    """The tool call in which it arose."""
    tool_call_id: str | None = None
    run_id: str = ""
    parent_tool_call_id: str | None = None
    """The tool call that started this agent."""


@dataclass(frozen=True, slots=True)
class EventYield:
    """An event and its origin."""

    event: ReActEvent
    origin: EventOrigin


@dataclass(frozen=True, slots=True)
class ResponseYield:
    """The answer; the last output of a stream that was answered."""

    response: Any
    messages: list[BaseMessage] = field(default_factory=list["BaseMessage"])
    """A valid history with the answer, for a next turn."""


ReactOutput: TypeAlias = ResponseYield | EventYield


def is_response_yield(output: ReactOutput) -> TypeIs[ResponseYield]:
    """Whether an output is the answer."""
    return isinstance(output, ResponseYield)


def is_event_yield(output: ReactOutput) -> TypeIs[EventYield]:
    """Whether an output is an event."""
    return isinstance(output, EventYield)
