"""An event stream in words: one row for each thing that happened, pieces of one text folded."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from cleveractors import (
    CustomEvent,
    EventYield,
    LLMCallEndEvent,
    LLMCallErrorEvent,
    LLMCallStartEvent,
    LLMChunkArriveEvent,
    ReactEndEvent,
    ReActEvent,
    ReactIterationEndEvent,
    ReactIterationStartEvent,
    ReactOutput,
    ToolCallArgumentsDeltaEvent,
    ToolCallEndEvent,
    ToolCallErrorEvent,
    ToolCallsBatchStartEvent,
    ToolCallStartEvent,
    is_event_yield,
)

__all__ = ["Row", "rows_of"]

Row = tuple[str, str]
"""The event's type, and what is told of its fields."""

STREAMED = ("llm_chunk_arrive", "tool_call_arguments_delta")


def rows_of(outputs: Iterable[ReactOutput], *, usage: bool = False) -> list[Row]:
    """A stream as a golden table has it; `usage` events only where they are asked for."""
    rows: list[Row] = []
    for output in outputs:
        row = _row(output)
        if row == ("llm_chunk_arrive", "") or (row[0] == "custom" and row[1].startswith("usage") and not usage):
            continue
        if rows and row[0] in STREAMED and rows[-1][0] == row[0] and (joined := _joined(rows[-1][1], row[1])):
            rows[-1] = row[0], joined
        else:
            rows.append(row)
    return rows


def _joined(before: str, after: str) -> str | None:
    """Two pieces of the same text; None: of different arguments."""
    head, sign, text = after.partition("=")
    if not sign:
        return before + after
    return before + text if before.startswith(head + sign) else None


def _row(output: ReactOutput) -> Row:
    if not is_event_yield(output):
        return "response", str(output.response)
    return str(output.event.event_type), " ".join(_told(output))


def _told(output: EventYield) -> Sequence[str]:
    event: Any = output.event
    for kind, tell in _WORDS:
        if isinstance(event, kind):
            return tell(event)
    return ()


def _answer(event: LLMCallEndEvent) -> list[str]:
    return [*([event.content] if event.content else []), *(call["name"] for call in event.tool_calls)]


def _ended(event: ToolCallEndEvent) -> list[str]:
    return [event.tool_call_id, "ok" if event.success else "failed", _short(event.result)]


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:60].rstrip()}…"


def _custom(event: CustomEvent) -> list[str]:
    shown = {key: value for key, value in event.data.items() if key in ("step", "reason", "mode", "attempt")}
    return [event.event_name, *([event.tool_call_id] if event.tool_call_id else []), *([_json(shown)] if shown else [])]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


_WORDS: Sequence[tuple[type[ReActEvent], Callable[[Any], Sequence[str]]]] = (
    (ReactIterationStartEvent, lambda event: [str(event.iteration)]),
    (ReactIterationEndEvent, lambda event: [str(event.iteration)]),
    (ReactEndEvent, lambda event: [event.stop_reason]),
    (LLMCallStartEvent, lambda event: [event.purpose, str(event.attempt)]),
    (LLMChunkArriveEvent, lambda event: [event.text] if event.text else []),
    (LLMCallEndEvent, _answer),
    (LLMCallErrorEvent, lambda event: [type(event.error).__name__, *(["retry"] if event.will_retry else [])]),
    (ToolCallsBatchStartEvent, lambda event: [str(call["id"]) for call in event.tool_calls]),
    (ToolCallStartEvent, lambda event: [event.tool_call_id, event.tool_name, _json(event.arguments)]),
    (ToolCallArgumentsDeltaEvent, lambda event: [f"{event.tool_call_id} {event.argname}={event.argcontent_delta}"]),
    (ToolCallErrorEvent, lambda event: [event.tool_call_id, _short(event.error)]),
    (ToolCallEndEvent, _ended),
    (CustomEvent, _custom),
)
