"""What a browser may see of a run: small frames without prompts, arguments, results or figures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from cleveractors.events.envelope import EventOrigin, ReactOutput, is_event_yield
from cleveractors.events.types import (
    CustomEvent,
    LLMCallEndEvent,
    LLMCallStartEvent,
    LLMChunkArriveEvent,
    ReactEndEvent,
    ReActEvent,
    ReactStartEvent,
    ToolCallEndEvent,
    ToolCallStartEvent,
)
from cleveractors.events.values import encode, encode_message
from cleveractors.exceptions import (
    ExecutorBusyError,
    ExecutorClosedError,
    LimitReached,
    ModelOutputError,
    OutputError,
    SessionConflictError,
)
from cleveractors.models.failures import Failure, classify

__all__ = ["INCLUDABLE", "ChatFrames", "Frame", "error_frame"]

INCLUDABLE: Final = frozenset({"prompts", "arguments", "results", "histories", "usage"})
"""What `include` may name."""

PART: Final = "\n\n"
"""Between the texts of two model calls, as in a plain text stream."""
_SHOWN: Final = frozenset({"turn", "synthesis"})
"""Purposes of model calls whose text is the answer's."""
_GUARDED: Final = {
    "usage": "usage",
    "budget_exhausted": "usage",
    "tool_output_pruned": "usage",
    "hook_denied": "results",
    "kernel_stdout": "results",
    "kernel_stderr": "results",
}
"""Events of the library's own → what `include` has to name for them."""
_SENTENCES: Final[tuple[tuple[type[Exception], str, str], ...]] = (
    (ExecutorBusyError, "busy", "Too many requests are being worked on. Please try again in a moment."),
    (ExecutorClosedError, "closed", "The service is closing. Please try again in a moment."),
    (SessionConflictError, "conflict", "The conversation went on elsewhere. Please load it again."),
    (LimitReached, "limit", "The work was stopped at a limit."),
    (OutputError, "output", "The answer did not have the form that was asked for."),
    (ModelOutputError, "model_output", "The model gave no answer that can be used. Please try again."),
)


class Frame(NamedTuple):
    """One thing to tell."""

    name: str
    data: Any
    sequence: int | None = None
    """The `event_seq` of the event that it tells."""


class ChatFrames:
    """Makes chat frames of a run's outputs.

    Args:
        include: of `INCLUDABLE`, what may be shown besides.
    """

    def __init__(self, include: frozenset[str]) -> None:
        self._include = include
        self._purpose = "turn"
        self._text = ""
        """Of the entry agent's present attempt."""
        self._last_text = ""
        self._earlier = False
        """Whether text of earlier attempts stands."""
        self._end: dict[str, Any] = {"stop_reason": "completed"}
        self._sequence: int | None = None

    def of(self, output: ReactOutput) -> Iterable[Frame]:
        """What there is to tell of an output."""
        if not is_event_yield(output):
            return ()
        event, origin = output.event, output.origin
        self._sequence = origin.event_seq
        if isinstance(event, ToolCallStartEvent):
            return [self._frame("tool_start", {"id": event.tool_call_id, "name": event.tool_name}, arguments=event)]
        if isinstance(event, ToolCallEndEvent):
            data = {"id": event.tool_call_id, "ok": event.success, "seconds": event.execution_time}
            return [self._frame("tool_end", data, results=event)]
        if isinstance(event, CustomEvent):
            return self._custom(event, origin)
        return self._of_entry(event, origin) if origin.parent_agent_call_id is None else ()

    def ended(self) -> Iterable[Frame]:
        """The run was answered."""
        return [Frame("done", self._end, self._sequence)]

    def _frame(self, name: str, data: dict[str, Any], **parts: Any) -> Frame:
        """A frame, with those parts of events that are included."""
        for part, event in parts.items():
            if part in self._include:
                data[_FIELDS[part]] = encode(getattr(event, _FIELDS[part]))
        return Frame(name, data, self._sequence)

    def _custom(self, event: CustomEvent, origin: EventOrigin) -> list[Frame]:
        own = event.tool_call_id is None
        if own and event.event_name == "stream_reset":
            return self._reset() if origin.parent_agent_call_id is None else []
        if own and event.event_name == "approval":
            return [Frame("approval", {"calls": self._calls(event.data.get("calls"))}, self._sequence)]
        guard = _GUARDED.get(event.event_name) if own or event.event_name.startswith("kernel_") else None
        if guard is not None and guard not in self._include:
            return []
        return [Frame("custom", {"name": encode(event.event_name), "data": encode(event.data)}, self._sequence)]

    def _calls(self, calls: Any) -> list[dict[str, Any]]:
        shown = ("id", "name", "arguments", "args") if "arguments" in self._include else ("id", "name")
        return [{key: encode(call[key]) for key in shown if key in call} for call in calls or ()]

    def _of_entry(self, event: ReActEvent, origin: EventOrigin) -> Iterable[Frame]:
        if isinstance(event, LLMChunkArriveEvent):
            return self._say(event.text) if event.purpose in _SHOWN else ()
        if isinstance(event, LLMCallStartEvent):
            return self._call_started(event)
        if isinstance(event, LLMCallEndEvent):
            # Where the call was not streamed its text comes here.
            return self._say(event.content) if self._purpose in _SHOWN and not self._text else ()
        if isinstance(event, ReactStartEvent):
            return [Frame("start", {"run_id": origin.run_id}, self._sequence)]
        return self._ended(event) if isinstance(event, ReactEndEvent) else ()

    def _call_started(self, event: LLMCallStartEvent) -> list[Frame]:
        self._purpose = event.purpose
        self._keep()
        if "prompts" not in self._include:
            return []
        return [Frame("prompt", {"messages": [encode_message(one) for one in event.messages]}, self._sequence)]

    def _keep(self) -> None:
        """The text so far stands, whatever comes."""
        if self._text:
            self._earlier, self._last_text, self._text = True, self._text, ""

    def _say(self, text: str) -> list[Frame]:
        if not text:
            return []
        part = PART if self._earlier and not self._text else ""
        self._text += text
        return [Frame("text", {"text": part + text}, self._sequence)]

    def _reset(self) -> list[Frame]:
        if not self._text:
            return []
        self._text = ""
        return [Frame("reset", {}, self._sequence)]

    def _ended(self, event: ReactEndEvent) -> list[Frame]:
        self._end = {"stop_reason": event.stop_reason}
        if "usage" in self._include:
            self._end |= {"usage": encode(event.usage), "cost": None if event.cost is None else str(event.cost)}
        if "histories" in self._include:
            self._end["messages"] = [encode_message(one) for one in event.final_messages]
        # An answer that no model wrote, as at a limit, has not been told yet.
        answer = event.response
        if event.error is not None or not isinstance(answer, str) or not answer.strip():
            return []
        told = answer in (self._text, self._last_text)
        self._keep()
        return [] if told else self._say(answer)


_FIELDS: Final = {"arguments": "arguments", "results": "result"}
"""What `include` names → the field of an event."""


def error_frame(error: Exception, sequence: int | None) -> Frame:
    """Our own sentence on an error: a provider's may hold anything."""
    for kind, code, sentence in _SENTENCES:
        if isinstance(error, kind):
            return Frame("error", {"code": code, "message": sentence}, sequence)
    code, sentence = _of_provider(error)
    return Frame("error", {"code": code, "message": sentence}, sequence)


def _of_provider(error: Exception) -> tuple[str, str]:
    try:
        failure = classify(error)
    except Exception:
        # An error that can't even be read.
        failure = Failure("unmeasured", retryable=False)
    if failure.overflow:
        return "too_long", "The conversation is too long for the model."
    if failure.status == 429:
        return "rate_limited", "The model is asked too much at the moment. Please try again later."
    if failure.timed_out:
        return "timeout", "The model did not answer in time. Please try again."
    if failure.retryable:
        return "unavailable", "The model could not be reached. Please try again."
    return "internal", "Something went wrong on our side."
