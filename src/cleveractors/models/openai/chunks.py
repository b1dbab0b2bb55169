"""One chunk of a chat completion stream, or a whole answer, as LangChain's objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import httpx2
import openai
from langchain_core.messages import AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk
from pydantic import ValidationError

from cleveractors.exceptions import ModelOutputError
from cleveractors.models.openai.calls import CallFragments
from cleveractors.models.openai.errors import answered_error
from cleveractors.models.openai.json_values import is_object
from cleveractors.models.openai.notes import Notes
from cleveractors.models.openai.payload import REASONING

__all__ = ["ChunkReader", "extras_of"]

_PROVIDER = {"model_provider": "openai"}
_NO_REQUEST = httpx2.Request("POST", "")
_BLANK = AIMessageChunk(content="")
_NOTHING = ChatGenerationChunk(message=_BLANK)


class ChunkReader:
    """Reads the documents of one stream.

    Usage and what the finish says are held back for one last chunk, so that servers which repeat
    them are not added up.
    """

    def __init__(self) -> None:
        self.notes = Notes()
        self.request = _NO_REQUEST
        """The request that is answered, for errors that stand in the answer."""
        self.answered = False
        """Whether any choice came."""
        self._calls = CallFragments()

    def read(self, documents: Sequence[object]) -> tuple[list[ChatGenerationChunk], Exception | None]:
        """Note everything that came, then give the chunks up to the first document that is none, and why.

        What is none: something else than an object, or an `openai.APIError` told in the stream.
        """
        noted = [(document, self.notes.read(document)) for document in documents]
        chunks: list[ChatGenerationChunk] = []
        try:
            for document, choice in noted:
                if (chunk := self._chunk(document, choice)) is not None:
                    chunks.append(chunk)
        except (ModelOutputError, openai.APIError) as error:
            return chunks, error
        return chunks, None

    def _chunk(self, document: object, choice: dict[str, Any] | None) -> ChatGenerationChunk | None:
        if not is_object(document):
            raise ModelOutputError("The provider sent a chunk that is no JSON object.")
        if error := document.get("error"):
            raise answered_error(error, self.request)
        if choice is None:
            return None
        self.answered = True
        delta = choice.get("delta") or choice.get("message")
        if not is_object(delta):
            return None
        logprobs = choice.get("logprobs")
        return self._generation(delta, {"logprobs": logprobs} if logprobs else None)

    def finish(self) -> dict[str, Any]:
        """Give what the stream told about its end, for the last chunk."""
        notes = self.notes
        if not notes.slot.finish_reason:
            return {}
        told = {
            "finish_reason": notes.slot.finish_reason,
            "model_name": notes.slot.model,
            "system_fingerprint": notes.fingerprint,
            "service_tier": notes.tier,
        }
        return {name: value for name, value in told.items() if value}

    def _generation(self, delta: dict[str, Any], info: dict[str, Any] | None) -> ChatGenerationChunk:
        content = delta.get("content")
        calls = delta.get("tool_calls")
        try:
            message = _message("" if content is None else content, extras_of(delta))
            if calls:
                # Set afterwards: the constructor would guess at the JSON of every fragment.
                message.tool_call_chunks = self._calls.read(calls)
            if isinstance(content, str):
                return _NOTHING.model_copy(update={"message": message, "text": content, "generation_info": info})
            return ChatGenerationChunk(message=message, generation_info=info)
        except ValidationError as error:
            raise ModelOutputError("The provider sent a chunk that is none of a chat completion.") from error


def _message(content: Any, extras: dict[str, Any]) -> AIMessageChunk:
    """Make a chunk's message: a copy where it is text, which needs no validation, and so costs a third."""
    metadata = _PROVIDER.copy()
    if not isinstance(content, str):
        return AIMessageChunk(content=content, additional_kwargs=extras, response_metadata=metadata)
    # Each copy has its own of everything that can be written into.
    fresh: dict[str, Any] = {
        "content": content,
        "additional_kwargs": extras,
        "response_metadata": metadata,
        "tool_calls": [],
        "invalid_tool_calls": [],
        "tool_call_chunks": [],
    }
    return _BLANK.model_copy(update=fresh)


def extras_of(message: dict[str, Any]) -> dict[str, Any]:
    """Give what a message or delta holds beside content and calls: reasoning, a refusal."""
    extras: dict[str, Any] = {}
    if isinstance(reasoning := message.get(REASONING) or message.get("reasoning"), str) and reasoning:
        extras[REASONING] = reasoning
    if isinstance(refusal := message.get("refusal"), str) and refusal:
        extras["refusal"] = refusal
    if is_object(call := message.get("function_call")):
        extras["function_call"] = dict(call)
    return extras
