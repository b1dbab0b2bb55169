"""How results, rows and messages are written in the tables of features."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

from langchain_core.messages import AIMessage, BaseMessage

from cleveractors import ActorResult, InvocationRecord
from cleveractors.testing import RecordedRequest

__all__ = ["agree", "check_field", "described", "request_cells", "results", "transcript"]


def check_field(result: ActorResult[Any], name: str, value: str) -> None:
    """A field of a result is what a table says, as JSON or as plain text."""
    found: object = getattr(result, name)
    try:
        wanted = json.loads(value)
    except ValueError:
        wanted = value
    assert found == (tuple(cast("list[object]", wanted)) if isinstance(found, tuple) else wanted), (
        f"{name} is {found!r}"
    )


def described(rows: Sequence[InvocationRecord], headings: Sequence[str]) -> list[dict[str, str]]:
    """Rows with these fields, as text; `tokens` is prompt and completion."""
    return [{name: _cell(row, name) for name in headings} for row in rows]


def _cell(row: InvocationRecord, name: str) -> str:
    if name == "tokens":
        return f"{row.prompt_tokens}, {row.completion_tokens}"
    value = getattr(row, name)
    if isinstance(value, bool):
        return "yes" if value else ""
    return "" if value is None else str(value)


def transcript(messages: Sequence[BaseMessage]) -> list[tuple[str, str]]:
    """Who said what: `ai`, `asks` for tools (text and calls), `tool`, `error` of a tool, `human`."""
    lines: list[tuple[str, str]] = []
    for message in messages:
        who, text = message.type, message.text
        if isinstance(message, AIMessage) and message.tool_calls:
            who, text = "asks", " & ".join([*([text] if text else []), *(call["name"] for call in message.tool_calls)])
        elif getattr(message, "status", "success") == "error":
            who = "error"
        lines.append((who, text))
    return lines


def results(messages: Sequence[BaseMessage]) -> list[tuple[str, str]]:
    """Status and text of every tool result."""
    return [(str(getattr(one, "status", "")), one.text) for one in messages if one.type == "tool"]


def agree(found: Sequence[tuple[str, str]], wanted: Sequence[tuple[str, str]]) -> bool:
    """Whether a transcript is the wanted one; `…` at the end of a text stands for any rest."""
    return len(found) == len(wanted) and all(map(_alike, found, wanted))


def _alike(found: tuple[str, str], wanted: tuple[str, str]) -> bool:
    if wanted[1].endswith("…"):
        return found[0] == wanted[0] and found[1].startswith(wanted[1][:-1])
    return found == wanted


def request_cells(request: RecordedRequest, headings: Sequence[str]) -> dict[str, str]:
    """A request with these columns: `tools` (their names), `tool_choice`, `cap`, `messages` (their number), others."""
    cells: dict[str, object] = {
        "tools": ", ".join(one["function"]["name"] for one in request.tools or ()),
        "tool_choice": request.tool_choice,
        "cap": request.token_cap,
        "messages": len(request.messages),
    }
    return {name: _shown(cells[name] if name in cells else request.body.get(name)) for name in headings}


def _shown(value: object) -> str:
    return "" if value is None else str(value)
