"""What happens in a run, as facts: one frozen class a kind of event."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

__all__ = [
    "CustomEvent",
    "LLMCallEndEvent",
    "LLMCallErrorEvent",
    "LLMCallStartEvent",
    "LLMChunkArriveEvent",
    "NormalizedMessageList",
    "ReActEvent",
    "ReActEventType",
    "ReactEndEvent",
    "ReactIterationEndEvent",
    "ReactIterationStartEvent",
    "ReactStartEvent",
    "ToolCallArgumentsDeltaEvent",
    "ToolCallEndEvent",
    "ToolCallErrorEvent",
    "ToolCallStartEvent",
    "ToolCallsBatchEndEvent",
    "ToolCallsBatchStartEvent",
]

NormalizedMessageList: TypeAlias = "list[BaseMessage]"
"""Messages as LangChain has them."""


class ReActEventType(StrEnum):
    """The kinds of events."""

    REACT_START = "react_start"
    REACT_ITERATION_START = "react_iteration_start"
    REACT_ITERATION_END = "react_iteration_end"
    REACT_END = "react_end"
    LLM_CALL_START = "llm_call_start"
    LLM_CHUNK_ARRIVE = "llm_chunk_arrive"
    LLM_CALL_END = "llm_call_end"
    LLM_CALL_ERROR = "llm_call_error"
    TOOL_CALLS_BATCH_START = "tool_calls_batch_start"
    TOOL_CALL_START = "tool_call_start"
    TOOL_CALL_ARGUMENTS_DELTA = "tool_call_arguments_delta"
    TOOL_CALL_END = "tool_call_end"
    TOOL_CALL_ERROR = "tool_call_error"
    TOOL_CALLS_BATCH_END = "tool_calls_batch_end"
    CUSTOM = "custom"


@dataclass(frozen=True, slots=True)
class ReActEvent:
    """The base of every event."""

    event_type: ClassVar[ReActEventType]


@dataclass(frozen=True, slots=True)
class ReactStartEvent(ReActEvent):
    """An agent begins to answer."""

    event_type: ClassVar[ReActEventType] = ReActEventType.REACT_START


@dataclass(frozen=True, slots=True)
class ReactIterationStartEvent(ReActEvent):
    """A turn of the loop begins."""

    event_type: ClassVar[ReActEventType] = ReActEventType.REACT_ITERATION_START
    iteration: int
    """From 1."""


@dataclass(frozen=True, slots=True)
class ReactIterationEndEvent(ReActEvent):
    """A turn of the loop has ended."""

    event_type: ClassVar[ReActEventType] = ReActEventType.REACT_ITERATION_END
    iteration: int
    """From 1."""


@dataclass(frozen=True, slots=True)
class ReactEndEvent(ReActEvent):
    """An agent has ended, in whatever way."""

    event_type: ClassVar[ReActEventType] = ReActEventType.REACT_END
    final_messages: list[Any]
    """A valid history."""
    response: Any
    """The answer, or what there is of it."""
    stop_reason: str = "completed"
    usage: dict[str, int] = field(default_factory=dict[str, int])
    """`prompt_tokens`, `completion_tokens`, `total_tokens` that providers told."""
    cost: Decimal | None = None
    error: BaseException | None = None


@dataclass(frozen=True, slots=True)
class LLMCallStartEvent(ReActEvent):
    """An attempt at a model call begins; its row is open."""

    event_type: ClassVar[ReActEventType] = ReActEventType.LLM_CALL_START
    messages: list[Any]
    """What the model will see."""
    purpose: str = "turn"
    """The row's, but `call` where an agent's own code makes the call."""
    attempt: int = 1
    """From 1, within the model call."""
    invocation_id: str = ""
    """The ledger's id of the attempt."""


@dataclass(frozen=True, slots=True)
class LLMChunkArriveEvent(ReActEvent):
    """A piece of a streamed answer."""

    event_type: ClassVar[ReActEventType] = ReActEventType.LLM_CHUNK_ARRIVE
    chunk: AIMessageChunk | AIMessage
    accumulated_content: str
    """The attempt's text so far, this piece included."""
    chunk_index: int
    """From 0, per attempt."""
    text: str = ""
    """What is new."""
    purpose: str = "turn"
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class LLMCallEndEvent(ReActEvent):
    """An attempt has answered; its row is settled."""

    event_type: ClassVar[ReActEventType] = ReActEventType.LLM_CALL_END
    response: AIMessage
    messages: list[Any]
    """What the model saw."""
    tool_calls: list[Any]
    execution_time: float
    """Seconds."""
    content: str = ""
    usage: dict[str, int] | None = None
    """None where the provider told nothing."""


@dataclass(frozen=True, slots=True)
class LLMCallErrorEvent(ReActEvent):
    """An attempt has failed or was cut; its row is settled."""

    event_type: ClassVar[ReActEventType] = ReActEventType.LLM_CALL_ERROR
    error: BaseException
    will_retry: bool = False
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class ToolCallsBatchStartEvent(ReActEvent):
    """The calls of one response begin to run."""

    event_type: ClassVar[ReActEventType] = ReActEventType.TOOL_CALLS_BATCH_START
    tool_calls: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class ToolCallStartEvent(ReActEvent):
    """A tool call begins."""

    event_type: ClassVar[ReActEventType] = ReActEventType.TOOL_CALL_START
    tool_name: str
    tool_call_id: str
    arguments: dict[str, Any]
    """As the tool gets them."""


@dataclass(frozen=True, slots=True)
class ToolCallArgumentsDeltaEvent(ReActEvent):
    """A piece of one argument, while the model writes it."""

    event_type: ClassVar[ReActEventType] = ReActEventType.TOOL_CALL_ARGUMENTS_DELTA
    tool_name: str
    tool_call_id: str
    argname: str
    argcontent_delta: str
    """Of a string the text itself, of other values their JSON."""
    call_index: int = 0
    """The call's place in the response."""


@dataclass(frozen=True, slots=True)
class ToolCallEndEvent(ReActEvent):
    """A tool call has ended; it closes every start."""

    event_type: ClassVar[ReActEventType] = ReActEventType.TOOL_CALL_END
    tool_name: str
    tool_call_id: str
    arguments: dict[str, Any]
    result: Any
    """What the model is told."""
    execution_time: float
    """Seconds."""
    success: bool


@dataclass(frozen=True, slots=True)
class ToolCallErrorEvent(ReActEvent):
    """Why a tool call failed; its end follows."""

    event_type: ClassVar[ReActEventType] = ReActEventType.TOOL_CALL_ERROR
    tool_name: str
    tool_call_id: str
    error: str


@dataclass(frozen=True, slots=True)
class ToolCallsBatchEndEvent(ReActEvent):
    """All calls of one response have their answers."""

    event_type: ClassVar[ReActEventType] = ReActEventType.TOOL_CALLS_BATCH_END


@dataclass(frozen=True, slots=True)
class CustomEvent(ReActEvent):
    """An event of a tool's or of the library's own."""

    event_type: ClassVar[ReActEventType] = ReActEventType.CUSTOM
    event_name: str
    data: dict[str, Any] = field(default_factory=dict[str, Any])
    tool_call_id: str | None = None
