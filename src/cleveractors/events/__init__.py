"""Everything that happens in a run, typed, in order and live."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cleveractors.abort import ABORT_SIGNAL_PARAM, AbortSignal
    from cleveractors.events.emitter import NoOpEventEmitter, ToolEventEmitter
    from cleveractors.events.envelope import (
        EventOrigin,
        EventYield,
        ReactOutput,
        ResponseYield,
        is_event_yield,
        is_response_yield,
    )
    from cleveractors.events.filters import events_only, filter_events, responses_only
    from cleveractors.events.observers import with_event_observer
    from cleveractors.events.sse import sse_frames
    from cleveractors.events.types import (
        CustomEvent,
        LLMCallEndEvent,
        LLMCallErrorEvent,
        LLMCallStartEvent,
        LLMChunkArriveEvent,
        NormalizedMessageList,
        ReactEndEvent,
        ReActEvent,
        ReActEventType,
        ReactIterationEndEvent,
        ReactIterationStartEvent,
        ReactStartEvent,
        ToolCallArgumentsDeltaEvent,
        ToolCallEndEvent,
        ToolCallErrorEvent,
        ToolCallsBatchEndEvent,
        ToolCallsBatchStartEvent,
        ToolCallStartEvent,
    )
    from cleveractors.events.wire import event_from_dict, event_to_dict

__all__ = [
    "ABORT_SIGNAL_PARAM",
    "AbortSignal",
    "CustomEvent",
    "EventOrigin",
    "EventYield",
    "LLMCallEndEvent",
    "LLMCallErrorEvent",
    "LLMCallStartEvent",
    "LLMChunkArriveEvent",
    "NoOpEventEmitter",
    "NormalizedMessageList",
    "ReActEvent",
    "ReActEventType",
    "ReactEndEvent",
    "ReactIterationEndEvent",
    "ReactIterationStartEvent",
    "ReactOutput",
    "ReactStartEvent",
    "ResponseYield",
    "ToolCallArgumentsDeltaEvent",
    "ToolCallEndEvent",
    "ToolCallErrorEvent",
    "ToolCallStartEvent",
    "ToolCallsBatchEndEvent",
    "ToolCallsBatchStartEvent",
    "ToolEventEmitter",
    "event_from_dict",
    "event_to_dict",
    "events_only",
    "filter_events",
    "is_event_yield",
    "is_response_yield",
    "responses_only",
    "sse_frames",
    "with_event_observer",
]

_ROOMS = {
    "cleveractors.abort": ("ABORT_SIGNAL_PARAM", "AbortSignal"),
    "cleveractors.events.emitter": ("NoOpEventEmitter", "ToolEventEmitter"),
    "cleveractors.events.envelope": (
        "EventOrigin",
        "EventYield",
        "ReactOutput",
        "ResponseYield",
        "is_event_yield",
        "is_response_yield",
    ),
    "cleveractors.events.filters": ("events_only", "filter_events", "responses_only"),
    "cleveractors.events.observers": ("with_event_observer",),
    "cleveractors.events.sse": ("sse_frames",),
    "cleveractors.events.wire": ("event_from_dict", "event_to_dict"),
}
_HOMES = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES.get(name, "cleveractors.events.types")), name)
