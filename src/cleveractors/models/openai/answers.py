"""A whole chat completion, made safe for LangChain's reading and completed after it."""

from __future__ import annotations

from typing import Any, cast

from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatResult

from cleveractors.exceptions import ModelOutputError
from cleveractors.models.openai.calls import read_calls
from cleveractors.models.openai.chunks import extras_of
from cleveractors.models.openai.json_values import is_object
from cleveractors.models.openai.notes import Notes, first_choice

__all__ = ["completed", "error_in", "message_of", "readable"]


def error_in(document: object) -> object:
    """Give the error that stands in an answer with a good status, as some proxies send it."""
    return document.get("error") if is_object(document) else None


def message_of(document: object) -> dict[str, Any]:
    """Give the message of the choice that counts.

    Raises:
        ModelOutputError: there is none.
    """
    choice = first_choice(document) if is_object(document) else None
    message = choice.get("message") if choice else None
    if not is_object(message):
        raise ModelOutputError("The provider answered without a choice that holds a message.")
    return message


def readable(document: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Give the answer with one choice, without calls, and with nothing in it that LangChain fails on.

    Raises:
        ModelOutputError: there is no choice with a message.
    """
    message, choice = message_of(document), first_choice(document) or {}
    kept = {name: message[name] for name in ("content", "audio") if message.get(name)}
    if isinstance(name := message.get("name"), str):
        kept["name"] = name
    return {
        "choices": [
            {
                "message": {"role": "assistant", "content": "", **kept},
                "finish_reason": choice.get("finish_reason"),
                "logprobs": choice.get("logprobs"),
            }
        ],
        "usage": notes.usage,
        "model": notes.slot.model,
        "system_fingerprint": notes.fingerprint,
        "service_tier": notes.tier,
        **({"id": document["id"]} if isinstance(document.get("id"), str) else {}),
    }


def completed(result: ChatResult, message: dict[str, Any], notes: Notes) -> ChatResult:
    """Put in what was kept back: strictly read calls, reasoning, a refusal, a usage that told too little."""
    answer = cast("AIMessage", result.generations[0].message)
    answer.tool_calls, answer.invalid_tool_calls = read_calls(message.get("tool_calls") or [])
    answer.additional_kwargs.update(extras_of(message))
    if answer.tool_calls and answer.invalid_tool_calls:
        # The two lists do not tell in which order they were asked for.
        answer.additional_kwargs["tool_calls"] = message["tool_calls"]
    if notes.usage is None and notes.partial_usage is not None and result.llm_output is not None:
        result.llm_output["token_usage"] = notes.partial_usage
    return result
