"""Conversations as lists of messages: read in from the host, paired, written out again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from cleveractors.exceptions import ConfigurationError
from cleveractors.pairing import INTERRUPTED, error_result, paired

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

__all__ = [
    "INTERRUPTED",
    "close_open_calls",
    "dump_messages",
    "load_messages",
    "open_calls",
    "read_history",
    "read_message",
]


def read_message(message: object) -> HumanMessage:
    """A user's message as LangChain has it.

    Args:
        message: text, a `HumanMessage`, or a list of content parts.

    Raises:
        ConfigurationError: it is none of these, or a list without parts.
    """
    from langchain_core.messages import HumanMessage

    if isinstance(message, HumanMessage):
        return message
    if isinstance(message, str):
        return HumanMessage(message)
    parts = _parts(message)
    if parts and all(isinstance(part, Mapping | str) for part in parts):
        # LangChain takes bare texts among parts, and providers do not.
        return HumanMessage(
            content=[{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]
        )
    raise ConfigurationError(
        f"a message must be text, a HumanMessage or a list of content parts, found {type(message).__name__}"
    )


def _parts(message: object) -> list[Any]:
    return list(cast("Sequence[Any]", message)) if isinstance(message, list | tuple) else []


def read_history(history: Iterable[BaseMessage | Mapping[str, Any]] | None) -> tuple[list[BaseMessage], list[str]]:
    """Earlier messages, paired: each tool call has one result, right behind its message.

    Returns:
        The messages without system prompts, and a sentence for each repair.

    Raises:
        ConfigurationError: an entry is no message; it is named by its index.
    """
    return ([], []) if history is None else paired([_message(one, index) for index, one in enumerate(history)])


def _message(entry: object, index: int) -> BaseMessage:
    from langchain_core.messages import BaseMessage, BaseMessageChunk, ChatMessage, message_chunk_to_message

    if isinstance(entry, ChatMessage):
        entry = {"role": entry.role, "content": entry.content, "name": entry.name}
    if not isinstance(entry, BaseMessage):
        return _from_dict(entry, index)
    message = message_chunk_to_message(entry) if isinstance(entry, BaseMessageChunk) else entry
    if message.type not in _ROLES:
        raise ConfigurationError(f"history[{index}]: a {type(entry).__name__} has no place in a history")
    return message


def open_calls(messages: Sequence[BaseMessage]) -> list[Any]:
    """The calls of the last message that asked for any, which have no result yet."""
    from langchain_core.messages import AIMessage, ToolMessage

    answered: set[str] = set()
    for message in reversed(messages):
        if isinstance(message, ToolMessage):
            answered.add(message.tool_call_id)
        elif isinstance(message, AIMessage):
            return [call for call in message.tool_calls if call["id"] not in answered]
        else:
            break
    return []


def close_open_calls(messages: list[BaseMessage], text: str = INTERRUPTED) -> int:
    """Answer what is still open at the end of `messages`, so that they can be sent again.

    Returns:
        How many calls were answered.
    """
    calls = open_calls(messages)
    messages += [error_result(call["id"], call["name"], text) for call in calls]
    return len(calls)


def dump_messages(messages: Iterable[BaseMessage]) -> list[dict[str, Any]]:
    """Messages as OpenAI chat dicts, ready for JSON; `load_messages` is the inverse."""
    return [_to_dict(message) for message in messages]


def load_messages(dicts: Iterable[Mapping[str, Any]]) -> list[BaseMessage]:
    """Messages from what `dump_messages` wrote.

    Raises:
        ConfigurationError: an entry is no chat message; it is named by its index.
    """
    return [_from_dict(one, index) for index, one in enumerate(dicts)]


_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool"}


def _to_dict(message: BaseMessage) -> dict[str, Any]:
    from langchain_core.messages import AIMessage, ToolMessage

    entry: dict[str, Any] = {"role": _ROLES.get(message.type, message.type), "content": message.content}
    if message.name:
        entry["name"] = message.name
    if message.additional_kwargs:
        entry["additional_kwargs"] = message.additional_kwargs
    if isinstance(message, AIMessage) and (calls := _written_calls(message)):
        entry["tool_calls"] = calls
    if isinstance(message, ToolMessage):
        entry["tool_call_id"] = message.tool_call_id
        if message.status == "error":
            entry["status"] = "error"
    return entry


def _written_calls(message: AIMessage) -> list[dict[str, Any]]:
    written = [(call, json.dumps(call["args"], ensure_ascii=False)) for call in message.tool_calls]
    written += [(call, call["args"] or "") for call in message.invalid_tool_calls]
    return [
        {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": arguments}}
        for call, arguments in written
    ]


def _from_dict(entry: Any, index: int) -> BaseMessage:
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

    where = f"history[{index}]"
    if not isinstance(entry, Mapping):
        raise ConfigurationError(
            f"{where}: a message must be a LangChain message or a dict, found {type(entry).__name__}"
        )
    values = cast("Mapping[str, Any]", entry)
    role = values.get("role")
    content = values.get("content")
    common: dict[str, Any] = {
        "content": "" if content is None else content,
        "name": values.get("name"),
        "additional_kwargs": dict(values.get("additional_kwargs") or {}),
    }
    try:
        if role == "assistant":
            return AIMessage(**common, **_calls(values.get("tool_calls") or ()))
        if role == "tool":
            return ToolMessage(
                **common,
                tool_call_id=values["tool_call_id"],
                status="error" if values.get("status") == "error" else "success",
            )
        if role in ("user", "system", "developer"):
            return HumanMessage(**common) if role == "user" else SystemMessage(**common)
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigurationError(
            f"{where}: not a chat message of role {role!r}: {type(error).__name__}: {error}"
        ) from None
    raise ConfigurationError(f"{where}: role must be user, assistant, tool or system, found {role!r}")


def _calls(entries: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The calls of a message, apart from those whose arguments can't be read."""
    good: list[Any] = []
    bad: list[Any] = []
    for entry in entries:
        function = entry["function"]
        raw = function.get("arguments") or "{}"
        call = {"name": function["name"], "id": entry.get("id")}
        try:
            arguments = json.loads(raw, strict=False)
        except ValueError:
            arguments = None
        if isinstance(arguments, dict):
            good.append({**call, "args": arguments, "type": "tool_call"})
        else:
            error = "the arguments are no JSON object"
            bad.append({**call, "args": raw, "error": error, "type": "invalid_tool_call"})
    return {"tool_calls": good, "invalid_tool_calls": bad}
