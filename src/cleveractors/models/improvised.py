"""The answers of a scripted model without a script: it calls every tool once, then says what they returned."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from .smallest import smallest
from .turn import ScriptedCall, ScriptedTurn

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

__all__ = ["improvised"]

_LONGEST_QUOTE: Final = 200
_LONGEST_RESULT: Final = 1_000
_NAME_LIKE: Final = re.compile(r"[^\W\d_][\w'-]*")


def improvised(
    messages: Sequence[BaseMessage], tools: Sequence[Mapping[str, Any]], asked: Mapping[str, Any]
) -> ScriptedTurn:
    """Return an answer that suits any actor.

    Every tool is called once, together, with the smallest arguments its schema allows; when results stand behind the
    user's message they are told. Without tools the user's message is quoted. The same request has the same answer.

    Args:
        messages: The request's messages.
        tools: Its tools, in OpenAI's format.
        asked: Its other parameters: `tool_choice`, `parallel_tool_calls` and `response_format` are heeded.
    """
    at = max((n for n, message in enumerate(messages) if message.type == "human"), default=-1)
    question = str(messages[at].text) if at >= 0 else ""
    since = messages[at + 1 :]
    names = _names_by_id(since)
    results = [message for message in since if message.type == "tool"]
    one_by_one = asked.get("parallel_tool_calls") is False
    if asked.get("tool_choice") != "none" and (one_by_one or not results):
        called = set(names.values())
        calls = [call for tool in _chosen(tools, asked.get("tool_choice")) if (call := _call(tool, question, called))]
        if calls:
            return ScriptedTurn(calls=calls[:1] if one_by_one else calls)
    if (schema := _answer_schema(asked.get("response_format"))) is not None:
        return ScriptedTurn(json.dumps(smallest(schema, text=_subject(question)), ensure_ascii=False))
    if results:
        return ScriptedTurn("\n".join(_told(result, names) for result in results))
    return ScriptedTurn(f'You said: "{_cut(question, _LONGEST_QUOTE)}"' if question else "Nothing was asked.")


def _call(tool: Mapping[str, Any], question: str, called: set[str]) -> ScriptedCall | None:
    function = _function(tool)
    name = str(function.get("name", ""))
    if not name or name in called:
        return None
    try:
        arguments = smallest(function.get("parameters") or {"type": "object"}, text=_subject(question))
    except ValueError:
        arguments = {}
    return ScriptedCall(name, cast("Mapping[str, Any]", arguments if isinstance(arguments, dict) else {}))


def _chosen(tools: Sequence[Mapping[str, Any]], choice: object) -> list[Mapping[str, Any]]:
    """Return the tools that `choice` leaves: one if it names one, else all."""
    named = cast("Mapping[str, Any]", choice).get("function") if isinstance(choice, Mapping) else {"name": choice}
    name = cast("Mapping[str, Any]", named or {}).get("name")
    return [tool for tool in tools if _function(tool).get("name") == name] or list(tools)


def _function(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", tool.get("function") or {})


def _answer_schema(response_format: object) -> Mapping[str, Any] | None:
    if not isinstance(response_format, Mapping):
        return None
    schema = cast("Mapping[str, Any]", response_format).get("json_schema")
    found = cast("Mapping[str, Any]", schema).get("schema") if isinstance(schema, Mapping) else None
    return cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else None


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
