"""Conversations as lists of messages: read in from the host, paired, written out again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from cleveractors.exceptions import ConfigurationError
from cleveractors.identifiers import new_call_id

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

INTERRUPTED = "interrupted: the run ended before this tool had answered"


def read_message(message: object) -> HumanMessage:
    """A user's message as LangChain has it.

    Args:
        message: text, a `HumanMessage`, or a list of content parts.

    Raises:
        ConfigurationError: it is none of these, or empty.
    """
    from langchain_core.messages import HumanMessage

    if isinstance(message, HumanMessage):
        return message
    if isinstance(message, str):
        return HumanMessage(message)
    parts = _parts(message)
    if parts and all(isinstance(part, Mapping | str) for part in parts):
        return HumanMessage(content=parts)
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
    from langchain_core.messages import AIMessage, SystemMessage, ToolMessage

    if history is None:
        return [], []
    messages = [_message(one, index) for index, one in enumerate(history)]
    repairs: list[str] = []
    results = _results_by_call(messages, repairs)
    paired: list[BaseMessage] = []
    for index, message in enumerate(messages):
        if isinstance(message, ToolMessage):
            continue
        if isinstance(message, SystemMessage):
            repairs.append(f"message {index}: a system message was left out; the agent has its own prompt")
            continue
        if not isinstance(message, AIMessage):
            paired.append(message)
            continue
        whole = _whole(message, index, repairs)
        paired.append(whole)
        paired += _answers(whole, index, results, repairs)
    return paired, repairs


def _message(entry: object, index: int) -> BaseMessage:
    from langchain_core.messages import BaseMessage

    return entry if isinstance(entry, BaseMessage) else _from_dict(entry, index)


def _whole(message: AIMessage, index: int, repairs: list[str]) -> AIMessage:
    """The message with ids on all its calls, and without calls that could not be read."""
    if message.invalid_tool_calls:
        repairs.append(f"message {index}: calls whose arguments can't be read were left out")
        message = message.model_copy(update={"invalid_tool_calls": []})
    if all(call["id"] for call in message.tool_calls):
        return message
    repairs.append(f"message {index}: a tool call had no id")
    calls = [{**call, "id": call["id"] or new_call_id()} for call in message.tool_calls]
    return message.model_copy(update={"tool_calls": calls})


def _results_by_call(messages: Sequence[BaseMessage], repairs: list[str]) -> dict[tuple[int, str], BaseMessage]:
    """Each tool result under the index of the message that asked for it, and the call's id."""
    from langchain_core.messages import AIMessage, ToolMessage

    asked: dict[str, int] = {}
    found: dict[tuple[int, str], BaseMessage] = {}
    for index, message in enumerate(messages):
        if isinstance(message, AIMessage):
            asked.update({call["id"]: index for call in message.tool_calls if call["id"]})
        elif isinstance(message, ToolMessage):
            asker = asked.get(message.tool_call_id)
            if asker is None or (asker, message.tool_call_id) in found:
                repairs.append(
                    f"message {index}: a result of {message.tool_call_id!r}, which nobody asked for, was dropped"
                )
            else:
                found[asker, message.tool_call_id] = message
    return found


def _answers(
    message: AIMessage, index: int, results: Mapping[tuple[int, str], BaseMessage], repairs: list[str]
) -> list[BaseMessage]:
    answers: list[BaseMessage] = []
    for call in message.tool_calls:
        answer = results.get((index, cast("str", call["id"])))
        if answer is None:
            repairs.append(f"message {index}: call {call['id']!r} had no result; it is answered as interrupted")
            answer = _result(cast("str", call["id"]), call["name"], INTERRUPTED)
        answers.append(answer)
    return answers


def _result(call_id: str, name: str, text: str) -> BaseMessage:
    from langchain_core.messages import ToolMessage

    return ToolMessage(content=text, tool_call_id=call_id, name=name, status="error")


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
    messages += [_result(call["id"], call["name"], text) for call in calls]
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
    if isinstance(message, AIMessage) and message.tool_calls:
        entry["tool_calls"] = [
            {
                "id": call["id"],
                "type": "function",
                "function": {"name": call["name"], "arguments": json.dumps(call["args"], ensure_ascii=False)},
            }
            for call in message.tool_calls
        ]
    if isinstance(message, ToolMessage):
        entry["tool_call_id"] = message.tool_call_id
        if message.status == "error":
            entry["status"] = "error"
    return entry


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
            return AIMessage(**common, tool_calls=[_call(call) for call in values.get("tool_calls") or ()])
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


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    function = call["function"]
    arguments = json.loads(function.get("arguments") or "{}", strict=False)
    if not isinstance(arguments, dict):
        raise ValueError("the arguments of a tool call must be a JSON object")
    return {"name": function["name"], "args": arguments, "id": call.get("id"), "type": "tool_call"}
