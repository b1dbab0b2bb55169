"""Checks of a chat request, refusing what OpenAI refuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

from cleveractors.testing.provider.fault import StatusFault
from cleveractors.testing.provider.request import RecordedRequest, json_object, object_list

_EMPTY = "Invalid '{0}': empty array. Expected an array with minimum length 1, but got an empty array instead."
_ONLY_WITH_TOOLS = "Invalid value for '{0}': '{0}' is only allowed when 'tools' are specified."


def check_key(request: RecordedRequest, api_key: str | None) -> StatusFault | None:
    """Check the request's key.

    Args:
        request: The request.
        api_key: The only key accepted; `None` accepts any request.

    Returns:
        The rejection, or `None`.
    """
    if api_key is None or request.api_key == api_key:
        return None
    if request.api_key is None:
        return StatusFault(401, message="You didn't provide an API key.")
    return StatusFault(401, code="invalid_api_key", message="Incorrect API key provided.")


def check_chat(request: RecordedRequest, strict_history: bool) -> StatusFault | None:
    """Check the body of a chat request.

    Args:
        request: The request.
        strict_history: Whether each tool call must be answered by a tool message and the other way round.

    Returns:
        The rejection, or `None`.
    """
    if json_object(request.raw) is None:
        return StatusFault(400, message="We could not parse the JSON body of your request.")
    pairing = _pairing_problems(request.messages) if strict_history else ()
    return next(chain(_shape_problems(request), pairing), None)


def _shape_problems(request: RecordedRequest) -> Iterator[StatusFault]:
    body = request.body
    for name in ("model", "messages"):
        if body.get(name) is None:
            yield _invalid(f"Missing required parameter: '{name}'.", name, "missing_required_parameter")
    messages: object = body.get("messages")
    if not isinstance(messages, list) or len(request.messages) != len(body["messages"]):
        yield _invalid("Invalid type for 'messages': expected an array of objects.", "messages", "invalid_type")
    elif not messages:
        yield _invalid(_EMPTY.format("messages"), "messages", "empty_array")
    if body.get("tools") == []:
        yield _invalid(_EMPTY.format("tools"), "tools", "empty_array")
    for name in ("max_completion_tokens", "max_tokens"):
        cap: object = body.get(name)
        if cap is not None and (not isinstance(cap, int) or isinstance(cap, bool) or cap < 1):
            yield _invalid(f"Invalid value for '{name}': expected an integer above or equal to 1.", name)
    for name in ("tool_choice", "parallel_tool_calls"):
        if body.get(name) is not None and body.get("tools") is None:
            yield _invalid(_ONLY_WITH_TOOLS.format(name), name)
    if body.get("stream_options") is not None and not request.streamed:
        yield _invalid("The 'stream_options' parameter is only allowed when 'stream' is enabled.", "stream_options")


def _pairing_problems(messages: list[dict[str, Any]]) -> Iterator[StatusFault]:
    awaited: Counter[str] = Counter()
    in_block = False
    for position, message in enumerate(messages):
        if message.get("role") == "tool":
            yield from _stray(position, message, awaited, in_block)
            awaited[str(message.get("tool_call_id"))] -= 1
            continue
        yield from _unanswered(position, awaited)
        in_block = message.get("role") == "assistant" and message.get("tool_calls") is not None
        if in_block and not message["tool_calls"]:
            where = f"messages[{position}].tool_calls"
            yield _invalid(_EMPTY.format(where), where, "empty_array")
        awaited = Counter(str(call.get("id")) for call in object_list(message.get("tool_calls")))
    yield from _unanswered(len(messages), awaited)


def _stray(position: int, message: dict[str, Any], awaited: Counter[str], in_block: bool) -> Iterator[StatusFault]:
    if not in_block:
        yield _invalid(
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with "
            "'tool_calls'.",
            f"messages.[{position}].role",
        )
    call_id = message.get("tool_call_id")
    if call_id is None:
        where = f"messages[{position}].tool_call_id"
        yield _invalid(f"Missing required parameter: '{where}'.", where, "missing_required_parameter")
    if awaited[str(call_id)] < 1:
        yield _invalid(
            f"Invalid parameter: 'tool_call_id' of '{call_id}' not found in 'tool_calls' of previous message.",
            f"messages.[{position}].tool_call_id",
        )


def _unanswered(position: int, awaited: Counter[str]) -> Iterator[StatusFault]:
    missing = list((+awaited).elements())
    if missing:
        yield _invalid(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            f"'tool_call_id'. The following tool_call_ids did not have response messages: {', '.join(missing)}",
            f"messages.[{position}].role",
        )


def _invalid(message: str, param: str, code: str | None = None) -> StatusFault:
    return StatusFault(400, code=code, message=message, param=param)
