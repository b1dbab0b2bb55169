"""`ChatOpenAI` that reads the wire itself, over public seams of LangChain and of the openai client only."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any, cast

import anyio
from langchain_core.language_models import LanguageModelInput

from cleveractors.models.openai.chunks import ChunkReader
from cleveractors.models.openai.json_values import load
from cleveractors.models.openai.notes import note_headers
from cleveractors.models.openai.payload import hand_over
from cleveractors.models.openai.sse import Events
from cleveractors.models.openai.stock import StockChatOpenAI

__all__ = ["LeanChatOpenAI"]

_AFTER_DONE = 0.3


class LeanChatOpenAI(StockChatOpenAI):
    """Sends what `ChatOpenAI` sends and answers what it answers, at a fraction of its cost.

    Messages and tools go out as they are instead of through the openai client's walk over types,
    and answers are read from the bytes instead of through its models.
    """

    def _get_request_payload(
        self, input_: LanguageModelInput, *, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        payload = super()._get_request_payload(input_, stop=stop, **kwargs)
        return payload if self._is_delegated(kwargs) else hand_over(payload)

    def _document(self, raw: Any) -> Any:
        return load(raw.content)

    async def _documents(self, payload: dict[str, Any], reader: ChunkReader) -> AsyncGenerator[list[object]]:
        async with self.async_client.with_streaming_response.create(**payload) as response:
            reader.request = response.http_request
            note_headers(response.headers)
            events = Events("json" in response.headers.get("content-type", ""))
            source = cast("AsyncGenerator[bytes]", response.iter_bytes())
            async for data in source:
                if documents := events.feed(data):
                    yield documents
                if events.done:
                    break
            # A connection is used again only if it was read to its end.
            late: list[object] = []
            with anyio.move_on_after(_AFTER_DONE):
                async for data in source:
                    late.extend(events.feed(data))
            yield [*late, *events.end()]
