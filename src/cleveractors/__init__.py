"""An embeddable async agent runtime whose bill is always right."""

from __future__ import annotations

import importlib
import logging
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cleveractors.abort import ABORT_SIGNAL_PARAM, AbortSignal
    from cleveractors.agents.base import Agent
    from cleveractors.agents.llm import LLMAgent
    from cleveractors.agents.tool import ToolAgent
    from cleveractors.budget import Budget
    from cleveractors.config import ActorConfig, AgentConfig, LLMAgentConfig, ModelAgentConfig
    from cleveractors.context import RunContext, current_context
    from cleveractors.credentials import Credential
    from cleveractors.events import (
        CustomEvent,
        EventOrigin,
        EventYield,
        LLMCallEndEvent,
        LLMCallErrorEvent,
        LLMCallStartEvent,
        LLMChunkArriveEvent,
        NoOpEventEmitter,
        NormalizedMessageList,
        ReactEndEvent,
        ReActEvent,
        ReActEventType,
        ReactIterationEndEvent,
        ReactIterationStartEvent,
        ReactOutput,
        ReactStartEvent,
        ResponseYield,
        ToolCallArgumentsDeltaEvent,
        ToolCallEndEvent,
        ToolCallErrorEvent,
        ToolCallsBatchEndEvent,
        ToolCallsBatchStartEvent,
        ToolCallStartEvent,
        ToolEventEmitter,
        event_from_dict,
        event_to_dict,
        events_only,
        filter_events,
        is_event_yield,
        is_response_yield,
        responses_only,
        sse_frames,
        with_event_observer,
    )
    from cleveractors.exceptions import (
        CleverActorsError,
        ConfigurationError,
        ExecutionError,
        ExecutorBusyError,
        ExecutorClosedError,
        FatalToolError,
        LimitReached,
        ModelOutputError,
        OutputError,
        Problem,
        SessionConflictError,
        ToolRetry,
    )
    from cleveractors.executor import Executor, RunInfo, RunStream, create_executor
    from cleveractors.history import dump_messages, load_messages
    from cleveractors.limits import Limits
    from cleveractors.models.scripted import ScriptedChatModel
    from cleveractors.models.slot import AttemptSlot, ToldUsage, attempt_slot
    from cleveractors.models.spec import ModelSpec
    from cleveractors.money import Price
    from cleveractors.options import RunOptions
    from cleveractors.policy import ActorPolicy
    from cleveractors.result import ActorResult, ErrorInfo, result_of
    from cleveractors.sinks import Required
    from cleveractors.stops import StopReason
    from cleveractors.tools import Tool, ToolOptions, tool
    from cleveractors.usage import InvocationRecord, TokenUsage, last_token_usage_var
    from cleveractors.usage_log import JsonlUsageLog

__all__ = [
    "ABORT_SIGNAL_PARAM",
    "AbortSignal",
    "ActorConfig",
    "ActorPolicy",
    "ActorResult",
    "Agent",
    "AgentConfig",
    "AttemptSlot",
    "Budget",
    "CleverActorsError",
    "ConfigurationError",
    "Credential",
    "CustomEvent",
    "ErrorInfo",
    "EventOrigin",
    "EventYield",
    "ExecutionError",
    "Executor",
    "ExecutorBusyError",
    "ExecutorClosedError",
    "FatalToolError",
    "InvocationRecord",
    "JsonlUsageLog",
    "LLMAgent",
    "LLMAgentConfig",
    "LLMCallEndEvent",
    "LLMCallErrorEvent",
    "LLMCallStartEvent",
    "LLMChunkArriveEvent",
    "LimitReached",
    "Limits",
    "ModelAgentConfig",
    "ModelOutputError",
    "ModelSpec",
    "NoOpEventEmitter",
    "NormalizedMessageList",
    "OutputError",
    "Price",
    "Problem",
    "ReActEvent",
    "ReActEventType",
    "ReactEndEvent",
    "ReactIterationEndEvent",
    "ReactIterationStartEvent",
    "ReactOutput",
    "ReactStartEvent",
    "Required",
    "ResponseYield",
    "RunContext",
    "RunInfo",
    "RunOptions",
    "RunStream",
    "ScriptedChatModel",
    "SessionConflictError",
    "StopReason",
    "TokenUsage",
    "ToldUsage",
    "Tool",
    "ToolAgent",
    "ToolCallArgumentsDeltaEvent",
    "ToolCallEndEvent",
    "ToolCallErrorEvent",
    "ToolCallStartEvent",
    "ToolCallsBatchEndEvent",
    "ToolCallsBatchStartEvent",
    "ToolEventEmitter",
    "ToolOptions",
    "ToolRetry",
    "attempt_slot",
    "create_executor",
    "current_context",
    "dump_messages",
    "event_from_dict",
    "event_to_dict",
    "events_only",
    "filter_events",
    "is_event_yield",
    "is_response_yield",
    "last_token_usage_var",
    "load_messages",
    "responses_only",
    "result_of",
    "sse_frames",
    "tool",
    "with_event_observer",
]

_HOMES: dict[str, str] = {
    **dict.fromkeys(("ABORT_SIGNAL_PARAM", "AbortSignal"), "abort"),
    "Agent": "agents.base",
    "LLMAgent": "agents.llm",
    "ToolAgent": "agents.tool",
    "Budget": "budget",
    **dict.fromkeys(("ActorConfig", "AgentConfig", "LLMAgentConfig", "ModelAgentConfig"), "config"),
    **dict.fromkeys(("RunContext", "current_context"), "context"),
    "Credential": "credentials",
    **dict.fromkeys(
        (
            "CleverActorsError",
            "ConfigurationError",
            "ExecutionError",
            "ExecutorBusyError",
            "ExecutorClosedError",
            "FatalToolError",
            "LimitReached",
            "ModelOutputError",
            "OutputError",
            "Problem",
            "SessionConflictError",
            "ToolRetry",
        ),
        "exceptions",
    ),
    **dict.fromkeys(("Executor", "RunInfo", "RunStream", "create_executor"), "executor"),
    **dict.fromkeys(("dump_messages", "load_messages"), "history"),
    **dict.fromkeys(
        (
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
        ),
        "events",
    ),
    "Limits": "limits",
    "ScriptedChatModel": "models.scripted",
    **dict.fromkeys(("AttemptSlot", "ToldUsage", "attempt_slot"), "models.slot"),
    "ModelSpec": "models.spec",
    "Price": "money",
    "RunOptions": "options",
    "ActorPolicy": "policy",
    **dict.fromkeys(("ActorResult", "ErrorInfo", "result_of"), "result"),
    "Required": "sinks",
    "StopReason": "stops",
    **dict.fromkeys(("Tool", "ToolOptions", "tool"), "tools"),
    **dict.fromkeys(("InvocationRecord", "TokenUsage", "last_token_usage_var"), "usage"),
    "JsonlUsageLog": "usage_log",
}
"""Public name → the module it lives in; loaded when first asked for."""

logging.getLogger(__name__).addHandler(logging.NullHandler())


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
