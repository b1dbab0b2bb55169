"""The names and fields that hosts build on."""

from __future__ import annotations

import dataclasses
from typing import Any

import cleveractors
from cleveractors import events

__all__ = ["check_names"]

FIELDS = {
    "ResponseYield": "response messages",
    "EventYield": "event origin",
    "EventOrigin": "session_id agent_call_id event_seq parent_agent_call_id fork_id fork_depth fork_seq "
    "selfref_instance_id source_memory_key memory_key tool_name tool_call_id run_id parent_tool_call_id",
    "ReactStartEvent": "",
    "ReactIterationStartEvent": "iteration",
    "ReactIterationEndEvent": "iteration",
    "ReactEndEvent": "final_messages response stop_reason usage cost error",
    "LLMCallStartEvent": "messages purpose attempt invocation_id",
    "LLMChunkArriveEvent": "chunk accumulated_content chunk_index text purpose attempt",
    "LLMCallEndEvent": "response messages tool_calls execution_time content usage",
    "LLMCallErrorEvent": "error will_retry attempt",
    "ToolCallsBatchStartEvent": "tool_calls",
    "ToolCallStartEvent": "tool_name tool_call_id arguments",
    "ToolCallArgumentsDeltaEvent": "tool_name tool_call_id argname argcontent_delta call_index",
    "ToolCallEndEvent": "tool_name tool_call_id arguments result execution_time success",
    "ToolCallErrorEvent": "tool_name tool_call_id error",
    "ToolCallsBatchEndEvent": "",
    "CustomEvent": "event_name data tool_call_id",
}
"""The classes, and the fields of each in their order."""
OTHERS = (
    "ReactOutput ReActEvent ReActEventType NormalizedMessageList is_response_yield is_event_yield responses_only "
    "events_only filter_events with_event_observer ToolEventEmitter NoOpEventEmitter AbortSignal ABORT_SIGNAL_PARAM "
    "event_to_dict event_from_dict sse_frames"
)


def check_names() -> None:
    """Every name, from both faces; every field; every type of event by its lower-case name."""
    for name in (*FIELDS, *OTHERS.split()):
        assert getattr(cleveractors, name) is getattr(events, name), name
        assert name in cleveractors.__all__ and name in events.__all__
    for name, listed in FIELDS.items():
        kind: Any = getattr(events, name)
        assert [one.name for one in dataclasses.fields(kind)] == listed.split(), name
        assert kind.__dataclass_params__.frozen
    for member in events.ReActEventType:
        assert member.value == member.name.lower()
    kinds = [getattr(events, name) for name in FIELDS if name.endswith("Event")]
    assert {kind.event_type for kind in kinds} == {*events.ReActEventType}
