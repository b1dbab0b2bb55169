"""The answers of a scripted model without a script: it calls every tool once, then says what they returned."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from ..contract import contract_schema
from .joined import joined
from .smallest import smallest
from .turn import ScriptedCall, ScriptedTurn

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

__all__ = ["improvised"]

_LONGEST_QUOTE: Final = 200
_LONGEST_RESULT: Final = 1_000
_NAME_LIKE: Final = re.compile(r"[^\W\d_][\w'-]*")


def improvised(
    messages: Sequence[BaseMessage], tools: Sequence[Mapping[str, Any]], tool_choice: object, *, one_by_one: bool
) -> ScriptedTurn:
    """Return an answer that suits any actor.

    Every tool is called once, together, with the smallest arguments its schema allows; when results stand behind the
    user's message they are told, and so is a tool for which no arguments were found. Where the system message asks for
    a schema, the answer is the smallest value that fits. Without tools the user's message is quoted. The same request
    has the same answer.

    Args:
        messages: The request's messages.
        tools: Its tools, in OpenAI's format.
        tool_choice: "none", the name of a tool, or a mapping with one; anything else leaves all.
        one_by_one: Call one tool a round.

    Raises:
        ValueError: No value was found for the schema of the answer.
    """
    at = max((n for n, message in enumerate(messages) if message.type == "human"), default=-1)
    question = str(messages[at].text) if at >= 0 else ""
    since = messages[at + 1 :]
    names = _names_by_id(since)
    results = [message for message in since if message.type == "tool"]
    calls, uncalled = _calls(_chosen(tools, tool_choice), set(names.values()), _subject(question))
    if calls and (one_by_one or not results):
        return ScriptedTurn(calls=calls[:1] if one_by_one else calls)
    if (schema := _answer_schema(messages)) is not None:
        return ScriptedTurn(json.dumps(smallest(schema, text=_subject(question)), ensure_ascii=False))
    if results or uncalled:
        return ScriptedTurn("\n".join([*(_told(result, names) for result in results), *uncalled]))
    return ScriptedTurn(f'You said: "{_cut(question, _LONGEST_QUOTE)}"' if question else "Nothing was asked.")


def _calls(tools: Sequence[Mapping[str, Any]], called: set[str], subject: str) -> tuple[list[ScriptedCall], list[str]]:
    """Return a call for each tool that has not been called, and what is said of those that can't be."""
    calls: list[ScriptedCall] = []
    uncalled: list[str] = []
    for function in map(_function, tools):
        name = str(function.get("name", ""))
        if not name or name in called:
            continue
        try:
            arguments = smallest(joined(function.get("parameters") or {}, {"type": "object"}), text=subject)
            calls.append(ScriptedCall(name, arguments))
        except ValueError as problem:
            uncalled.append(f"{name} was not called: {problem}")
    return calls, uncalled


def _chosen(tools: Sequence[Mapping[str, Any]], choice: object) -> Sequence[Mapping[str, Any]]:
    """Return the tools that `choice` leaves: none, the one it names, else all."""
    if choice == "none":
        return ()
    name = _function(cast("Mapping[str, Any]", choice)).get("name") if isinstance(choice, Mapping) else choice
    return [tool for tool in tools if _function(tool).get("name") == name] or tools


def _function(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", tool.get("function") or {})


def _answer_schema(messages: Sequence[BaseMessage]) -> Any:
    asked = (contract_schema(str(message.text)) for message in messages if message.type == "system")
    return next((schema for schema in asked if schema is not None), None)


def _names_by_id(messages: Sequence[BaseMessage]) -> dict[str, str]:
    calls = [call for message in messages for call in getattr(message, "tool_calls", ())]
    return {str(call["id"]): str(call["name"]) for call in calls}


def _told(result: BaseMessage, names: Mapping[str, str]) -> str:
    name = result.name or names.get(str(getattr(result, "tool_call_id", "")), "The tool")
    verb = "failed" if getattr(result, "status", "success") == "error" else "returned"
    return f"{name} {verb}: {_cut(str(result.text), _LONGEST_RESULT)}"


def _subject(question: str) -> str:
    """Return what free strings say: the last capitalised word of the question, else of its words."""
    words = cast("list[str]", _NAME_LIKE.findall(question))
    return next((word for word in reversed(words) if word[0].isupper()), "text")


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
