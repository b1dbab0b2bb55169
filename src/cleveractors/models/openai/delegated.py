"""Answers that LangChain reads itself, the Responses API's and structured ones: what they told, for the slot."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable
from contextlib import aclosing
from typing import Any, cast

import openai
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult

from cleveractors.exceptions import ModelOutputError
from cleveractors.models.openai.errors import raise_known
from cleveractors.models.openai.json_values import is_object
from cleveractors.models.openai.notes import Notes
from cleveractors.models.openai.usage import told_usage
from cleveractors.models.slot import AttemptSlot, ToldUsage, attempt_slot

__all__ = ["generate", "stream"]

_FINISHES = {"max_output_tokens": "length", "content_filter": "content_filter"}


async def generate(answer: Awaitable[ChatResult]) -> ChatResult:
    """Await a whole answer and note what it told, also when LangChain refuses it.

    Raises:
        ModelOutputError: LangChain could not read the answer.
    """
    slot = attempt_slot.get() or AttemptSlot()
    try:
        result = await answer
    except openai.LengthFinishReasonError as error:
        Notes().read(error.completion.model_dump(warnings=False))
        raise
    except openai.APIError as error:
        raise_known(error)
    except (ValueError, AttributeError) as error:
        response: Any = getattr(error, "response", None)
        if response is None:
            raise
        _note_body(response, slot)
        raise ModelOutputError(f"The provider's answer is none ({type(error).__name__}).") from error
    for generation in result.generations:
        _note_message(cast("AIMessage", generation.message), slot)
    return result


async def stream(chunks: AsyncIterator[ChatGenerationChunk]) -> AsyncGenerator[ChatGenerationChunk]:
    """Hand on a stream's chunks and note what they told.

    Raises:
        ModelOutputError: LangChain could not read the stream.
    """
    slot = attempt_slot.get() or AttemptSlot()
    try:
        async with aclosing(cast("AsyncGenerator[ChatGenerationChunk]", chunks)) as told:
            async for chunk in told:
                _note_message(cast("AIMessage", chunk.message), slot)
                yield chunk
    except openai.APIError as error:
        raise_known(error)
    except ValueError as error:
        raise ModelOutputError(f"The provider's stream is none ({type(error).__name__}).") from error


def _note_message(message: AIMessage, slot: AttemptSlot) -> None:
    if (usage := message.usage_metadata) is not None:
        of_prompt, of_completion = usage.get("input_token_details", {}), usage.get("output_token_details", {})
        slot.usage = ToldUsage(
            usage["input_tokens"],
            usage["output_tokens"],
            _ending_with(of_prompt, "cache_read"),
            _ending_with(of_prompt, "cache_creation"),
            _ending_with(of_completion, "reasoning"),
        )
    told = cast("dict[str, Any]", message.response_metadata)
    if reason := told.get("finish_reason") or _finish_of(told, bool(message.tool_calls)):
        slot.finish_reason = reason
    if model := told.get("model_name"):
        slot.model = model
    if slot.request_id is None and (answer_id := told.get("id")):
        slot.request_id = answer_id


def _finish_of(told: dict[str, Any], has_calls: bool) -> str | None:
    """Give a Responses API's status in the words of chat completions."""
    match told.get("status"):
        case "completed":
            return "tool_calls" if has_calls else "stop"
        case "incomplete":
            why = cast("dict[str, Any]", told.get("incomplete_details") or {}).get("reason")
            return _FINISHES.get(str(why), "length")
        case _:
            return None


def _note_body(response: Any, slot: AttemptSlot) -> None:
    """Note the usage of an answer that LangChain refused; the Responses API has other names for the counts."""
    try:
        body = json.loads(response.content)
    except ValueError:
        return
    if is_object(body) and is_object(usage := body.get("usage")):
        names = {"prompt_tokens": usage.get("input_tokens"), "completion_tokens": usage.get("output_tokens")}
        slot.usage = told_usage({**names, **usage}) or slot.usage


def _ending_with(details: Any, name: str) -> int:
    # Service tiers put their name before.
    return sum(count for key, count in cast("dict[str, int]", details).items() if key.endswith(name) and count)
