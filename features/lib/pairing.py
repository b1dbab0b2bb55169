"""What a valid history is, said once more and strictly: it shares no code with `cleveractors.history`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

__all__ = ["check_pairing", "pairing_faults"]


def check_pairing(messages: Sequence[BaseMessage]) -> None:
    """Fail with every fault of a history."""
    faults = list(pairing_faults(messages))
    assert not faults, "\n".join([*faults, *map(repr, messages)])


def pairing_faults(messages: Sequence[BaseMessage]) -> Iterator[str]:
    """Say what a strict provider would refuse, and what would be ambiguous."""
    seen: set[str] = set()
    awaited: list[str] = []
    for place, message in enumerate(messages):
        if isinstance(message, ToolMessage):
            if not awaited:
                yield f"{place}: a result that nobody asked for"
            elif message.tool_call_id != awaited.pop(0):
                yield f"{place}: the result of another call, or out of order"
            continue
        if awaited:
            yield f"{place}: calls are not answered: {awaited}"
            awaited = []
        if isinstance(message, AIMessage):
            yield from _answer_faults(place, message, seen)
            awaited = [str(call["id"]) for call in message.tool_calls]
        elif not isinstance(message, HumanMessage):
            yield f"{place}: a {message.type} message"
    if awaited:
        yield f"the end: calls are not answered: {awaited}"


def _answer_faults(place: int, message: AIMessage, seen: set[str]) -> Iterator[str]:
    if message.invalid_tool_calls:
        yield f"{place}: invalid calls"
    if not message.tool_calls and not message.text.strip():
        yield f"{place}: an answer without words and calls"
    if not message.tool_calls and '"tool_use"' in json.dumps(message.content):
        yield f"{place}: a call in the content that is not among the calls"
    for call in message.tool_calls:
        call_id = call["id"]
        if not call_id:
            yield f"{place}: a call without id"
        elif call_id in seen:
            yield f"{place}: the id {call_id} a second time"
        seen.add(call_id or "")
