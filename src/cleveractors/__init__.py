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
    from cleveractors.executor import Executor, ExecutorOptions, RunInfo, RunStream, create_executor
    from cleveractors.history import dump_messages, load_messages
    from cleveractors.hooks import (
        AddContext,
        ApiRequestError,
        Ask,
        Continue,
        Deny,
        Hooks,
        MessageDisplay,
        Modify,
        OnSessionEnd,
        OnSessionStart,
        PostApiRequest,
        PostLLMCall,
        PostToolCall,
        PreApiRequest,
        PreLLMCall,
        PreToolCall,
        ReplaceText,
        SubagentStart,
        SubagentStop,
        TransformLLMOutput,
        TransformToolResult,
    )
    from cleveractors.limits import Limits
    from cleveractors.models.scripted import ScriptedChatModel
    from cleveractors.models.slot import AttemptSlot, ToldUsage, attempt_slot
    from cleveractors.models.spec import ModelSpec
    from cleveractors.money import Price
    from cleveractors.options import RunOptions
    from cleveractors.policy import ActorPolicy
    from cleveractors.result import ActorResult, ErrorInfo, result_of
    from cleveractors.sessions import MemorySessions, SessionStore, SQLiteSessions
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
    "AddContext",
    "Agent",
    "AgentConfig",
    "ApiRequestError",
    "Ask",
    "AttemptSlot",
    "Budget",
    "CleverActorsError",
    "ConfigurationError",
    "Continue",
    "Credential",
    "CustomEvent",
    "Deny",
    "ErrorInfo",
    "EventOrigin",
    "EventYield",
    "ExecutionError",
    "Executor",
    "ExecutorBusyError",
    "ExecutorClosedError",
    "ExecutorOptions",
    "FatalToolError",
    "Hooks",
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
    "MemorySessions",
    "MessageDisplay",
    "ModelAgentConfig",
    "ModelOutputError",
    "ModelSpec",
    "Modify",
    "NoOpEventEmitter",
    "NormalizedMessageList",
    "OnSessionEnd",
    "OnSessionStart",
    "OutputError",
    "PostApiRequest",
    "PostLLMCall",
    "PostToolCall",
    "PreApiRequest",
    "PreLLMCall",
    "PreToolCall",
    "Price",
    "Problem",
    "ReActEvent",
    "ReActEventType",
    "ReactEndEvent",
    "ReactIterationEndEvent",
    "ReactIterationStartEvent",
    "ReactOutput",
    "ReactStartEvent",
    "ReplaceText",
    "Required",
    "ResponseYield",
    "RunContext",
    "RunInfo",
    "RunOptions",
    "RunStream",
    "SQLiteSessions",
    "ScriptedChatModel",
    "SessionConflictError",
    "SessionStore",
    "StopReason",
    "SubagentStart",
    "SubagentStop",
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
    "TransformLLMOutput",
    "TransformToolResult",
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

_ROOMS = {
    "abort": "ABORT_SIGNAL_PARAM AbortSignal",
    "agents.base": "Agent",
    "agents.llm": "LLMAgent",
    "agents.tool": "ToolAgent",
    "budget": "Budget",
    "config": "ActorConfig AgentConfig LLMAgentConfig ModelAgentConfig",
    "context": "RunContext current_context",
    "credentials": "Credential",
    "events": (
        "CustomEvent EventOrigin EventYield LLMCallEndEvent LLMCallErrorEvent LLMCallStartEvent "
        "LLMChunkArriveEvent NoOpEventEmitter NormalizedMessageList ReActEvent ReActEventType ReactEndEvent "
        "ReactIterationEndEvent ReactIterationStartEvent ReactOutput ReactStartEvent ResponseYield "
        "ToolCallArgumentsDeltaEvent ToolCallEndEvent ToolCallErrorEvent ToolCallStartEvent "
        "ToolCallsBatchEndEvent ToolCallsBatchStartEvent ToolEventEmitter event_from_dict event_to_dict "
        "events_only filter_events is_event_yield is_response_yield responses_only sse_frames "
        "with_event_observer"
    ),
    "exceptions": (
        "CleverActorsError ConfigurationError ExecutionError ExecutorBusyError ExecutorClosedError "
        "FatalToolError LimitReached ModelOutputError OutputError Problem SessionConflictError ToolRetry"
    ),
    "executor": "Executor ExecutorOptions RunInfo RunStream create_executor",
    "history": "dump_messages load_messages",
    "hooks": (
        "AddContext ApiRequestError Ask Continue Deny Hooks MessageDisplay Modify OnSessionEnd OnSessionStart "
        "PostApiRequest PostLLMCall PostToolCall PreApiRequest PreLLMCall PreToolCall ReplaceText "
        "SubagentStart SubagentStop TransformLLMOutput TransformToolResult"
    ),
    "limits": "Limits",
    "models.scripted": "ScriptedChatModel",
    "models.slot": "AttemptSlot ToldUsage attempt_slot",
    "models.spec": "ModelSpec",
    "money": "Price",
    "options": "RunOptions",
    "policy": "ActorPolicy",
    "result": "ActorResult ErrorInfo result_of",
    "sessions": "MemorySessions SQLiteSessions SessionStore",
    "sinks": "Required",
    "stops": "StopReason",
    "tools": "Tool ToolOptions tool",
    "usage": "InvocationRecord TokenUsage last_token_usage_var",
    "usage_log": "JsonlUsageLog",
}
_HOMES: dict[str, str] = {name: room for room, names in _ROOMS.items() for name in names.split()}
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
