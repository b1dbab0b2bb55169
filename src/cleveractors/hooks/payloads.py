"""What a hook is told: one frozen class for each event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from cleveractors.hooks.payload import Payload

__all__ = [
    "ApiRequestError",
    "ChildStatus",
    "DisplayOutcome",
    "MessageDisplay",
    "OnSessionEnd",
    "OnSessionStart",
    "PostApiRequest",
    "PostLLMCall",
    "PostToolCall",
    "PreApiRequest",
    "PreLLMCall",
    "PreToolCall",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "ToolStatus",
    "TransformLLMOutput",
    "TransformToolResult",
]

ToolStatus = Literal["ok", "error", "denied", "aborted"]
DisplayOutcome = Literal["complete", "truncated", "error", "aborted"]
ChildStatus = Literal["completed", "failed", "interrupted"]
UserMessage = str | list[dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPayload(Payload):
    """What the events around a tool call share."""

    also: ClassVar[tuple[str, ...]] = (*Payload.also, "task_id")

    tool_name: str = ""
    """The tool."""
    tool_call_id: str
    """The call's id."""

    @property
    def task_id(self) -> str:
        """The run's id, by its other name."""
        return self.context.run_id


@dataclass(frozen=True, slots=True, kw_only=True)
class PreToolCall(ToolPayload):
    """Before each tool call: `Modify`, `Deny` or `Ask`."""

    hook_event_name: ClassVar[str] = "pre_tool_call"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResultPayload(ToolPayload):
    """What the events after a tool call share."""

    result: Any
    """What the model will read."""
    duration_ms: int
    """Milliseconds that the call took."""
    status: ToolStatus
    """How it went."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostToolCall(ToolResultPayload):
    """After each tool call, however it went."""

    hook_event_name: ClassVar[str] = "post_tool_call"


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformToolResult(ToolResultPayload):
    """Before the model reads a result: `ReplaceText`."""

    hook_event_name: ClassVar[str] = "transform_tool_result"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreLLMCall(Payload):
    """Once per root run, before its loop: `AddContext` or `Deny`."""

    hook_event_name: ClassVar[str] = "pre_llm_call"

    user_message: UserMessage
    """What the user said: text, or content parts."""
    conversation_history: list[dict[str, Any]]
    """The earlier messages as OpenAI dicts."""
    model: str
    """`provider/model`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostLLMCall(Payload):
    """Once per root run that answered."""

    hook_event_name: ClassVar[str] = "post_llm_call"

    user_message: UserMessage
    """What the user said: text, or content parts."""
    assistant_response: str
    """The answer."""
    conversation_history: list[dict[str, Any]]
    """The conversation as OpenAI dicts, the system prompt first, at most 1 MiB of it."""
    model: str
    """`provider/model`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformLLMOutput(Payload):
    """Before the answer is delivered: `ReplaceText`."""

    hook_event_name: ClassVar[str] = "transform_llm_output"

    response_text: str
    """The answer, as the hooks before have left it."""
    model: str
    """`provider/model`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop(Payload):
    """The run is about to end with an answer: `Continue` sends it back to work."""

    hook_event_name: ClassVar[str] = "stop"

    stop_hook_active: bool
    """Whether a hook has sent this run back already."""
    assistant_response: str
    """The answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnSessionStart(Payload):
    """The first run of a session begins."""

    hook_event_name: ClassVar[str] = "on_session_start"


@dataclass(frozen=True, slots=True, kw_only=True)
class OnSessionEnd(Payload):
    """A session is over."""

    hook_event_name: ClassVar[str] = "on_session_end"

    completed: bool
    """It ended with an answer."""
    failed: bool
    """It ended with an error."""
    interrupted: bool
    """It was cancelled, aborted or left."""
    reason: str
    """The stop reason."""
    usage: Mapping[str, Any]
    """Tokens that providers told of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestPayload(Payload):
    """What the events of one attempt share. In-process only."""

    model: str
    """The model's name."""
    provider: str
    """Who is asked."""
    purpose: str
    """The row's purpose: `turn`, `synthesis` …"""
    attempt: int
    """From 1."""
    invocation_id: str
    """The id of the attempt's row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreApiRequest(RequestPayload):
    """An attempt is about to be sent."""

    hook_event_name: ClassVar[str] = "pre_api_request"


@dataclass(frozen=True, slots=True, kw_only=True)
class PostApiRequest(RequestPayload):
    """An attempt answered; its row is settled."""

    hook_event_name: ClassVar[str] = "post_api_request"

    usage: Mapping[str, Any]
    """The row's tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiRequestError(RequestPayload):
    """An attempt failed; its row is settled."""

    hook_event_name: ClassVar[str] = "api_request_error"

    error: BaseException
    """What went wrong."""
    will_retry: bool
    """Whether the same model is asked again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageDisplay(Payload):
    """Text of one model call, while it streams and when it is complete."""

    hook_event_name: ClassVar[str] = "message_display"

    message_id: str
    """The same for all payloads of one model call."""
    displayed_text: str
    """All text of this attempt so far."""
    is_final: bool
    """Nothing follows for this message."""
    attempt: int
    """From 1; text of an earlier attempt is void."""
    seq: int
    """Ascends within the message; payloads may arrive out of order."""
    outcome: DisplayOutcome | None
    """How the message ended; None before the final."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubagentStart(Payload):
    """A child run begins."""

    hook_event_name: ClassVar[str] = "subagent_start"

    child_role: str
    """The agent that was called."""
    child_session_id: str
    """The child's run id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubagentStop(Payload):
    """A child run has ended, in whatever way."""

    hook_event_name: ClassVar[str] = "subagent_stop"
    also: ClassVar[tuple[str, ...]] = (*Payload.also, "child_summary")

    child_role: str
    """The agent that was called."""
    child_session_id: str
    """The child's run id."""
    duration_ms: int
    """Milliseconds that it took."""
    result_summary: str
    """What it answered, its beginning."""
    child_status: ChildStatus
    """How it ended."""

    @property
    def child_summary(self) -> str:
        """`result_summary` by its other name."""
        return self.result_summary
