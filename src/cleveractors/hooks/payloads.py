"""What a hook is told: one frozen class for each event."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

if TYPE_CHECKING:
    from cleveractors.context import RunContext

__all__ = [
    "ApiRequestError",
    "ChildStatus",
    "DisplayOutcome",
    "MessageDisplay",
    "OnSessionEnd",
    "OnSessionStart",
    "Payload",
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

_TOP = frozenset({"context", "session_id", "cwd", "tool_name", "tool_input"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """What every event tells. The keys of the JSON that a command reads are attributes, those of `extra` too."""

    hook_event_name: ClassVar[str] = ""
    """The event."""
    also: ClassVar[tuple[str, ...]] = ("run_id", "parent_run_id", "agent", "tenant", "metadata")
    """Attributes that stand in `extra` though they are no fields."""

    context: RunContext[Any] = field(repr=False, compare=False)
    """The run, with the host's `deps`."""
    session_id: str
    """The host's label of the conversation; without one the id of the root run: a session of one."""
    cwd: str
    """`Hooks(cwd=…)`."""
    platform: str
    """Where the run came from."""
    tool_name: str | None = None
    """The tool, off tools None."""
    tool_input: Any = None
    """The tool call's arguments, off tools None."""

    @property
    def run_id(self) -> str:
        """The run's id."""
        return self.context.run_id

    @property
    def parent_run_id(self) -> str | None:
        """The run that called this one as a child."""
        return self.context.parent_run_id

    @property
    def agent(self) -> str:
        """The agent's name."""
        return self.context.agent

    @property
    def tenant(self) -> str | None:
        """Who pays."""
        return self.context.tenant

    @property
    def metadata(self) -> Mapping[str, str]:
        """The host's labels."""
        return self.context.metadata

    @property
    def extra(self) -> Mapping[str, Any]:
        """Everything that is no key of the top level."""
        own = (one.name for one in fields(self) if one.name not in _TOP)
        return MappingProxyType({name: getattr(self, name) for name in (*self.also, *own)})

    def document(self) -> dict[str, Any]:
        """The one JSON object of it, before anything is encoded."""
        return {
            "hook_event_name": self.hook_event_name,
            "tool_name": self.tool_name,
            "tool_input": self.tool_input,
            "session_id": self.session_id,
            "cwd": self.cwd,
            "extra": dict(self.extra),
        }

    def fresh(self) -> Self:
        """The same for one hook: what it does to the arguments, no other hook sees."""
        return self if self.tool_input is None else replace(self, tool_input=deepcopy(self.tool_input))


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPayload(Payload):
    """What the events around a tool call share."""

    also: ClassVar[tuple[str, ...]] = (*Payload.also, "task_id")

    tool_name: str
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
