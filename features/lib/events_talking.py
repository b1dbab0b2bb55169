"""What tools and the agents below them say in an event stream."""

from __future__ import annotations

import asyncio

from langchain_core.messages import ToolMessage

from cleveractors import (
    CustomEvent,
    EventOrigin,
    EventYield,
    LLMCallEndEvent,
    LLMCallStartEvent,
    NoOpEventEmitter,
    ReactEndEvent,
    ReactStartEvent,
    ToolCallArgumentsDeltaEvent,
    ToolCallEndEvent,
    ToolCallStartEvent,
    ToolEventEmitter,
)
from cleveractors.events.chat import ChatFrames
from features.lib.events_shown import Row
from features.lib.events_story import EventStory

__all__ = ["browser_text", "check_children", "inner_origins", "read_lone", "tool_rows", "use_kept", "use_outside"]


def tool_rows(story: EventStory) -> list[Row]:
    """The rows of the first batch."""
    kinds = [kind for kind, _ in story.rows]
    return story.rows[kinds.index("tool_calls_batch_start") : kinds.index("tool_calls_batch_end") + 1]


async def read_lone(story: EventStory) -> None:
    """Read the stream of an agent without a loop, whose calls stand in no batch."""
    stream = story.begin(streamed=True)
    try:
        async for output in stream:
            story.outputs.append(output)
    finally:
        story.result = stream.result


async def use_kept(story: EventStory, how: str) -> None:
    """Emit by the emitter of a call that has ended."""
    emitter = story.tools.kept[0]
    if how == "async":
        await emitter.emit("late")
    elif how == "sync":
        emitter.emit_sync("late")
    else:
        await asyncio.to_thread(emitter.emit_sync, "late")


async def use_outside() -> None:
    """Emit where no tool runs."""
    for emitter in (ToolEventEmitter(), NoOpEventEmitter()):
        await emitter.emit(CustomEvent("nobody", {}))
        await emitter.emit("nobody", {"a": 1})
        emitter.emit_sync("nobody")
        await asyncio.to_thread(emitter.emit_sync, "nobody")


def inner_origins(story: EventStory) -> list[tuple[str | None, str | None]]:
    """Where the events of the model call that a tool made arose."""
    events = [one for one in story.outputs if isinstance(one, EventYield)]
    inside = False
    found: list[tuple[str | None, str | None]] = []
    for one in events:
        inside = (inside or isinstance(one.event, ToolCallStartEvent)) and not isinstance(one.event, ToolCallEndEvent)
        if inside and isinstance(one.event, LLMCallStartEvent | LLMCallEndEvent | CustomEvent):
            found.append((one.origin.tool_name, one.origin.tool_call_id))
    return found


def check_ids(story: EventStory) -> None:
    """Each round's call has one id in all that is told of it, and in the history."""
    ids: list[str] = []
    for event in story.events:
        if isinstance(event, ToolCallArgumentsDeltaEvent | ToolCallStartEvent | ToolCallEndEvent):
            ids.append(event.tool_call_id)
    distinct = list(dict.fromkeys(ids))
    assert len(distinct) == 2 and ids == sorted(ids, key=distinct.index) and ids.count(distinct[1]) > 2, ids
    assert story.result is not None
    assert [one.tool_call_id for one in story.result.messages if isinstance(one, ToolMessage)] == distinct


def browser_text(story: EventStory) -> str:
    """The text that the story's events make in a chat."""
    chat = ChatFrames(frozenset())
    frames = [frame for output in story.outputs for frame in chat.of(output)]
    return "".join(frame.data["text"] for frame in frames if frame.name == "text")


def check_children(story: EventStory) -> None:
    """Every event of a child says who called it, and lies within that call."""
    events = [one for one in story.outputs if isinstance(one, EventYield)]
    root = events[0].origin
    calls = [one.event.tool_call_id for one in events if isinstance(one.event, ToolCallStartEvent)]
    ends = [one.origin for one in events if isinstance(one.event, ReactEndEvent)]
    assert len(calls) == 2 and len(ends) == 3 and ends[-1].agent_call_id == root.agent_call_id
    for call_id in calls:
        inner = [one for one in events if one.origin.parent_tool_call_id == call_id]
        begun, ended = _span(events, call_id)
        assert isinstance(inner[0].event, ReactStartEvent) and isinstance(inner[-1].event, ReactEndEvent)
        assert begun < inner[0].origin.event_seq <= inner[-1].origin.event_seq < ended
        assert {_kin(one.origin) for one in inner} == {(inner[0].origin.agent_call_id, root.agent_call_id)}
        assert inner[0].origin.run_id != root.run_id and inner[0].origin.session_id == root.session_id


def _kin(origin: EventOrigin) -> tuple[str, str | None]:
    return origin.agent_call_id, origin.parent_agent_call_id


def _span(events: list[EventYield], call_id: str) -> tuple[int, int]:
    begun = [one for one in events if isinstance(one.event, ToolCallStartEvent) and one.event.tool_call_id == call_id]
    ended = [one for one in events if isinstance(one.event, ToolCallEndEvent) and one.event.tool_call_id == call_id]
    return begun[0].origin.event_seq, ended[0].origin.event_seq
