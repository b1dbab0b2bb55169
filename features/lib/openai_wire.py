"""The wire under the OpenAI models: a transport that records requests and answers with bytes cut as the test likes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import httpx2
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from cleveractors.models.openai import OpenAIClients, OpenAISettings, build_model
from cleveractors.models.slot import AttemptSlot, attempt_slot

URL = "http://wire.test/v1"
DIALECTS = Path(__file__).parent.parent / "data" / "dialects"


class Packets(httpx2.AsyncByteStream):
    """An answer's body, one packet at a time; then it fails, hangs or ends."""

    def __init__(self, packets: Sequence[bytes], failure: Exception | None, hangs: bool) -> None:
        self.packets, self.failure, self.hangs, self.closed = packets, failure, hangs, False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for packet in self.packets:
            yield packet
        if self.failure is not None:
            raise self.failure
        if self.hangs:
            await anyio.sleep_forever()

    async def aclose(self) -> None:
        self.closed = True


@dataclass
class Wire(httpx2.AsyncBaseTransport):
    """Answers every request alike, until told otherwise."""

    packets: Sequence[bytes] = ()
    content_type: str = "text/event-stream"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict[str, str])
    failure: Exception | None = None
    refusal: Exception | None = None
    hangs: bool = False
    requests: list[httpx2.Request] = field(default_factory=list[httpx2.Request])
    streams: list[Packets] = field(default_factory=list[Packets])

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        await request.aread()
        self.requests.append(request)
        if self.refusal is not None:
            raise self.refusal
        self.streams.append(Packets(self.packets, self.failure, self.hangs))
        headers = {"content-type": self.content_type, **self.headers}
        return httpx2.Response(self.status, headers=headers, stream=self.streams[-1])

    @property
    def bodies(self) -> list[Any]:
        return [json.loads(request.content) for request in self.requests]

    def answer_json(self, document: Any, status: int = 200) -> None:
        """Answer with one JSON document."""
        self.packets, self.content_type, self.status = [json.dumps(document).encode()], "application/json", status

    def answer_events(self, documents: Sequence[Any], done: bool = True) -> None:
        """Answer with a stream, one packet an event."""
        self.packets = [f"data: {json.dumps(document)}\n\n".encode() for document in documents]
        self.content_type = "text/event-stream"
        if done:
            self.packets = [*self.packets, b"data: [DONE]\n\n"]

    def client(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(transport=self, trust_env=False)


@dataclass
class Attempt:
    """What came of one call of a model."""

    slot: AttemptSlot
    message: AIMessage | None = None
    chunks: list[AIMessageChunk] = field(default_factory=list[AIMessageChunk])
    error: Exception | None = None


def plain(wire: Wire, **options: Any) -> ChatOpenAI:
    """LangChain's own model over the wire."""
    return ChatOpenAI(
        model="m",
        api_key=SecretStr("k"),
        base_url=URL,
        http_async_client=wire.client(),
        max_retries=0,
        stream_usage=True,
        **options,
    )


def ours(wire: Wire, *, url: str | None = URL, key: str = "sk-secret", **options: Any) -> BaseChatModel:
    """Our model over the wire, made in the running loop."""
    return build_model(OpenAISettings("m", key, url, **options), OpenAIClients(wire.client))


async def attempt(model: BaseChatModel, messages: Any = "hi", *, stream: bool = False, **kwargs: Any) -> Attempt:
    """Call a model and keep whatever comes of it."""
    done = Attempt(AttemptSlot())
    token = attempt_slot.set(done.slot)
    try:
        if stream:
            done.chunks = []
            async for chunk in model.astream(messages, **kwargs):
                done.chunks.append(chunk)
            done.message = done.chunks[0] + done.chunks[1:]
        else:
            done.message = await model.ainvoke(messages, **kwargs)
    except Exception as error:
        done.error = error
    finally:
        attempt_slot.reset(token)
    return done


def calls_of(message: AIMessage | None) -> list[tuple[Any, ...]]:
    """Each call of an answer as (id, name, arguments), a streamed one's arguments as text."""
    assert message is not None
    if isinstance(message, AIMessageChunk):
        return [(call["id"], call["name"], call["args"]) for call in message.tool_call_chunks]
    whole = [(call["id"], call["name"], call["args"]) for call in message.tool_calls]
    return whole + [(call["id"], call["name"], call["args"]) for call in message.invalid_tool_calls]


def facts_of(message: AIMessage | None) -> dict[str, Any]:
    """What two models must agree on."""
    assert message is not None
    told = message.response_metadata
    return {
        "content": message.content,
        "calls": calls_of(message),
        "usage": message.usage_metadata,
        "refusal": message.additional_kwargs.get("refusal"),
        **{name: told.get(name) for name in ("finish_reason", "model_name", "service_tier", "logprobs", "id")},
    }


def cut(data: bytes, places: Sequence[int]) -> list[bytes]:
    """Cut bytes into packets at these places."""
    ends = sorted({place for place in places if 0 < place < len(data)})
    return [data[start:end] for start, end in zip([0, *ends], [*ends, len(data)], strict=True)]


def dialect(name: str) -> bytes:
    """The bytes of a recorded stream."""
    return (DIALECTS / f"{name}.sse").read_bytes()


def every_way(data: bytes) -> list[list[bytes]]:
    """The same bytes in several packetings: whole, byte by byte, in odd pieces."""
    sizes = (len(data), 1, 7, 61)
    return [[data[start : start + size] for start in range(0, len(data), size)] for size in sizes]
