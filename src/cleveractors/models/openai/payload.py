"""The request's body: equal to stock as JSON, but spared the openai client's walk through every message."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from openai import omit
from openai.resources.chat.completions import AsyncCompletions

__all__ = ["REASONING", "hand_over", "replay_reasoning"]

REASONING = "reasoning_content"
"""Where a message keeps what the model thought aloud, and how it goes back to the server."""

_OPTIONS = frozenset({"self", "extra_headers", "extra_query", "extra_body", "timeout"})
# What the client does not know stays an argument, so that it is refused as ever.
_BODY = frozenset(inspect.signature(AsyncCompletions.create).parameters) - _OPTIONS


def replay_reasoning(messages: Sequence[BaseMessage], payload: dict[str, Any]) -> None:
    """Put the reasoning that assistant messages hold into the payload's messages, in place.

    Servers that think between tool calls refuse a conversation, or think anew, without it.
    """
    for message, sent in zip(messages, payload["messages"], strict=True):
        if isinstance(message, AIMessage) and (reasoning := message.additional_kwargs.get(REASONING)):
            sent[REASONING] = reasoning


def hand_over(payload: dict[str, Any]) -> dict[str, Any]:
    """Move the body to `extra_body`, which the client sends as it is.

    What the caller put into `extra_body` goes before, as it does in the client.
    """
    arguments: dict[str, Any] = {name: value for name, value in payload.items() if name not in _BODY}
    body = {name: value for name, value in payload.items() if name in _BODY}
    body.update(payload.get("extra_body") or {})
    # The client insists on these two, and leaves out what is omitted.
    arguments.update(model=omit, messages=omit, extra_body=body)
    return arguments
