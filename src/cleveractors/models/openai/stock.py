"""`ChatOpenAI` on the openai client's own transport, filling the attempt's slot and reading without trust."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, suppress
from typing import Any

import anyio
import openai
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from pydantic import PrivateAttr, ValidationError, model_validator

from cleveractors.exceptions import ModelOutputError
from cleveractors.models.openai import delegated
from cleveractors.models.openai.answers import completed, error_in, message_of, readable
from cleveractors.models.openai.chunks import ChunkReader
from cleveractors.models.openai.errors import answered_error, http_errors, raise_known, translated_http
from cleveractors.models.openai.json_values import is_list, mended
from cleveractors.models.openai.notes import Notes, note_headers
from cleveractors.models.openai.payload import replay_reasoning

__all__ = ["StockChatOpenAI"]

_DRAIN = 2.0
_PARSED: Any = {"choices": {"__all__": {"message": {"parsed"}}}}


class StockChatOpenAI(ChatOpenAI):
    """`ChatOpenAI` whose attempts tell what they cost, whatever else goes wrong.

    Handed an `async_client`, it reads nothing from the environment and builds no client of its own.
    """

    parallel_tool_calls: bool | None = None
    """Sent only beside tools, where alone it is allowed."""
    replays_reasoning: bool = True
    """Whether assistant messages go back with the `reasoning_content` they hold."""
    _headers: dict[str, str] = PrivateAttr(default_factory=dict[str, str])

    @model_validator(mode="after")
    def validate_environment(self) -> StockChatOpenAI:
        """Leave the environment alone if a client was handed over: whoever did that has decided it all."""
        if self.async_client is not None:
            return self
        parent: Any = super()
        return parent.validate_environment()

    def use_headers(self, headers: Mapping[str, str]) -> None:
        """Send these headers with every request; they stay out of repr, traces and dumps."""
        self._headers = dict(headers)

    def _get_request_payload(
        self, input_: LanguageModelInput, *, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        parent: Any = super()
        payload: dict[str, Any] = parent._get_request_payload(input_, stop=stop, **kwargs)
        if self.parallel_tool_calls is not None and payload.get("tools"):
            payload.setdefault("parallel_tool_calls", self.parallel_tool_calls)
        if self._headers:
            payload["extra_headers"] = {**self._headers, **(payload.get("extra_headers") or {})}
        if self.replays_reasoning and "messages" in payload:
            replay_reasoning(input_ if is_list(input_) else self._convert_input(input_).to_messages(), payload)
        return payload

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        if self._is_delegated(kwargs):
            return await delegated.generate(super()._agenerate(messages, stop, run_manager, **kwargs))
        payload = self._get_request_payload(messages, stop=stop, **kwargs)
        try:
            raw = await self.async_client.with_raw_response.create(**payload)
        except openai.APIError as error:
            raise_known(error)
        note_headers(raw.headers)
        try:
            document = self._document(raw)
        except (ValueError, RecursionError) as error:
            raise ModelOutputError("The provider answered no JSON.") from error
        if error := error_in(document):
            Notes().read(document)
            raise answered_error(error, raw.http_request)
        return self._create_chat_result(document)

    def _document(self, raw: Any) -> Any:
        """Give the answer's JSON, or the client's object for it."""
        return raw.parse()

    def _create_chat_result(self, response: Any, generation_info: dict[str, Any] | None = None) -> ChatResult:
        parent: Any = super()
        document = response
        if isinstance(response, openai.BaseModel):
            document = mended(response.model_dump(exclude=_PARSED, warnings=False))
        notes = Notes()
        notes.read(document)
        message = message_of(document)
        if isinstance(response, openai.BaseModel) and _is_structured(response):
            return parent._create_chat_result(response, generation_info)
        try:
            result = parent._create_chat_result(readable(document, notes), generation_info)
            return completed(result, message, notes)
        except ValidationError as error:
            raise ModelOutputError("The provider's answer is no chat completion.") from error

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        *,
        stream_usage: bool | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        if self._is_delegated(kwargs):
            asked = {} if stream_usage is None else {"stream_usage": stream_usage}
            chunks = delegated.stream(super()._astream(messages, stop, run_manager, **asked, **kwargs))
        else:
            kwargs["stream"] = True
            if self._should_stream_usage(stream_usage, **kwargs):
                kwargs["stream_options"] = {"include_usage": True}
            chunks = self._chunks(self._get_request_payload(messages, stop=stop, **kwargs))
            chunks = _told(chunks, run_manager) if run_manager and run_manager.handlers else chunks
        async with aclosing(chunks):
            async for chunk in chunks:
                yield chunk

    def _is_delegated(self, kwargs: Mapping[str, Any]) -> bool:
        """Tell whether LangChain reads the answer itself."""
        model: Any = self
        given = {**self.model_kwargs, **kwargs}
        return "response_format" in given or model._use_responses_api(given)

    async def _chunks(self, payload: dict[str, Any]) -> AsyncGenerator[ChatGenerationChunk]:
        reader = ChunkReader()
        try:
            async with aclosing(self._documents(payload, reader)) as batches:
                async for batch in batches:
                    chunks, failure = reader.read(batch)
                    for chunk in chunks:
                        yield chunk
                    if failure is not None:
                        await _drain(batches, reader.notes)
                        raise failure
        except openai.APIError as error:
            raise_known(error)
        except http_errors() as error:
            # Once the finish was told the answer is whole, and paid: what was cut off is the good-bye.
            if not reader.notes.slot.finish_reason:
                raise translated_http(error, reader.request) from error
        if not reader.answered:
            raise ModelOutputError("The provider's stream held no choice.")
        yield self._last(reader)

    async def _documents(self, payload: dict[str, Any], reader: ChunkReader) -> AsyncGenerator[list[object]]:
        """Send the request and give the stream's JSON documents, as many at a time as came together."""
        stream = await self.async_client.create(**payload)
        async with stream:
            reader.request = stream.response.request
            note_headers(stream.response.headers)
            try:
                async for item in stream:
                    yield [mended(item.model_dump(warnings=False)) if isinstance(item, openai.BaseModel) else item]
            except ValueError as error:
                raise ModelOutputError("The provider sent a chunk that is no JSON.") from error

    def _last(self, reader: ChunkReader) -> ChatGenerationChunk:
        notes = reader.notes
        document: dict[str, Any] = {"choices": [], "usage": notes.usage, "service_tier": notes.tier}
        info = reader.finish()
        if notes.usage is None and notes.partial_usage is not None:
            info["token_usage"] = notes.partial_usage
        parent: Any = super()
        return parent._convert_chunk_to_generation_chunk(document, AIMessageChunk, info)

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        Notes().read(chunk.get("chunk") or chunk)
        parent: Any = super()
        return parent._convert_chunk_to_generation_chunk(chunk, default_chunk_class, base_generation_info)


def _is_structured(response: Any) -> bool:
    return hasattr(response.choices[0].message, "parsed")


async def _told(
    chunks: AsyncGenerator[ChatGenerationChunk], listener: AsyncCallbackManagerForLLMRun
) -> AsyncGenerator[ChatGenerationChunk]:
    async with aclosing(chunks):
        async for chunk in chunks:
            logprobs = (chunk.generation_info or {}).get("logprobs")
            await listener.on_llm_new_token(chunk.text, chunk=chunk, logprobs=logprobs)
            yield chunk


async def _drain(batches: AsyncIterator[list[object]], notes: Notes) -> None:
    """Read on for what the stream may still tell about its cost; a stream that failed is short, or soon given up."""
    with suppress(ModelOutputError, openai.APIError, *http_errors()), anyio.move_on_after(_DRAIN):
        async for batch in batches:
            for document in batch:
                notes.read(document)
