"""Earlier messages made good: every call has an id of its own, and its one result right behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cleveractors.identifiers import new_call_id

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

__all__ = ["INTERRUPTED", "error_result", "paired"]

INTERRUPTED = "interrupted: the run ended before this tool had answered"


def error_result(call_id: str, name: str, text: str) -> ToolMessage:
    """A result that says why there is none."""
    from langchain_core.messages import ToolMessage

    return ToolMessage(content=text, tool_call_id=call_id, name=name, status="error")


def paired(messages: Sequence[BaseMessage]) -> tuple[list[BaseMessage], list[str]]:
    """Put each result behind its call.

    Returns:
        The messages without system prompts, and a sentence for each repair.
    """
    pairing = _Pairing()
    for index, message in enumerate(messages):
        pairing.take(index, message)
    return pairing.finished(), pairing.repairs


@dataclass(slots=True, eq=False)
class _Call:
    """One call of a message."""

    index: int
    given: str
    """The id that it came with."""
    id: str
    """The id that it has."""
    name: str
    result: ToolMessage | None = None


@dataclass(slots=True)
class _Pairing:
    """One walk through a history."""

    repairs: list[str] = field(default_factory=list[str])
    _kept: list[tuple[BaseMessage, list[_Call]]] = field(default_factory=list[Any])
    _calls: dict[str, list[_Call]] = field(default_factory=dict[str, list[_Call]])
    """By the id that they came with, the newest message first."""
    _ids: set[str] = field(default_factory=set[str])
    _asker: int = -1
    """The message that the results now coming belong to, if nothing is out of place."""

    def take(self, index: int, message: BaseMessage) -> None:
        """Take the next message."""
        from langchain_core.messages import AIMessage, SystemMessage, ToolMessage

        if isinstance(message, ToolMessage):
            self._take_result(index, message)
        elif isinstance(message, SystemMessage):
            self._repaired(index, "a system message was left out; the agent has its own prompt")
        elif isinstance(message, AIMessage):
            self._take_answer(index, message)
        else:
            self._asker = -1
            self._kept.append((message, []))

    def _repaired(self, index: int, what: str) -> None:
        self.repairs.append(f"message {index}: {what}")

    def _take_answer(self, index: int, message: AIMessage) -> None:
        self._asker = index
        if message.invalid_tool_calls:
            self._repaired(index, "calls whose arguments can't be read were left out")
            # The raw calls would be sent where no others are.
            extra = {name: value for name, value in message.additional_kwargs.items() if name != "tool_calls"}
            message = message.model_copy(update={"invalid_tool_calls": [], "additional_kwargs": extra})
        if not message.tool_calls and not message.content:
            self._repaired(index, "an answer without words and calls was left out")
            return
        calls = [self._named(index, call) for call in message.tool_calls]
        if any(call.id != call.given for call in calls):
            fresh = [{**call, "id": one.id} for call, one in zip(message.tool_calls, calls, strict=True)]
            message = message.model_copy(update={"tool_calls": fresh})
        for call in reversed(calls):
            self._calls.setdefault(call.given, []).insert(0, call)
        self._kept.append((message, calls))

    def _named(self, index: int, call: Any) -> _Call:
        given = call["id"] or ""
        own = given if given and given not in self._ids else new_call_id()
        if own != given:
            self._repaired(index, f"call {given!r} has another's id" if given else "a tool call had no id")
        self._ids.add(own)
        return _Call(index, given, own, call["name"])

    def _take_result(self, index: int, message: ToolMessage) -> None:
        waiting = [call for call in self._calls.get(message.tool_call_id, ()) if call.result is None]
        if not waiting:
            self._repaired(index, f"a result of {message.tool_call_id!r}, which nobody asked for, was dropped")
            return
        call = waiting[0]
        if call.index != self._asker:
            self._repaired(index, f"the result of {message.tool_call_id!r} was put behind its call")
        same = call.id == message.tool_call_id
        call.result = message if same else message.model_copy(update={"tool_call_id": call.id})

    def finished(self) -> list[BaseMessage]:
        """Everything in its place."""
        whole: list[BaseMessage] = []
        for message, calls in self._kept:
            whole.append(message)
            for call in calls:
                if call.result is None:
                    self._repaired(call.index, f"call {call.id!r} had no result; it is answered as interrupted")
                whole.append(call.result or error_result(call.id, call.name, INTERRUPTED))
        return whole
