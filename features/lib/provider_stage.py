"""A scripted provider on stage, its client, and what came of each request."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, cast

import cleveractors.testing as face
from cleveractors.testing import Gate, ScriptedProvider
from cleveractors.testing.provider import count_tokens
from features.lib.wire_client import Received, WireClient, request_bytes
from features.lib.world import World

__all__ = ["CHAT", "QUESTION", "Stage", "at", "failing", "stage", "transcript"]

STAGE = "provider_stage"
QUESTION: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}
CHAT = "/v1/chat/completions"


class BrokenGate(Gate):
    """A gate of a user's own, with a mistake in it."""

    async def stand(self) -> None:
        """Fail."""
        raise RuntimeError(self.name)


@dataclass
class Stage:
    """What a scenario knows of its provider."""

    world: World
    gates: dict[str, Gate] = field(default_factory=dict[str, Gate])
    received: list[Received] = field(default_factory=list[Received])
    clients: list[WireClient] = field(default_factory=list[WireClient])
    _provider: ScriptedProvider | None = None

    @property
    def provider(self) -> ScriptedProvider:
        """The provider, started when it is first asked for."""
        if self._provider is None:
            self._provider = self.world.use(ScriptedProvider())
        return self._provider

    def make(self, arguments: str) -> None:
        """Start the provider, with these arguments as Python has them."""
        self._provider = self.world.use(self.value(f"ScriptedProvider({arguments})"))

    @property
    def last(self) -> Received:
        """The last response."""
        return self.received[-1]

    @property
    def client(self) -> WireClient:
        """The last client."""
        return self.clients[-1]

    def fail_gate(self, text: str) -> None:
        """Have a gate that can't be stood at."""
        self.gates["gate"] = BrokenGate(text)

    def gate(self, name: str) -> Gate:
        """The gate of this name."""
        return self.gates.setdefault(name, Gate(name))

    def value(self, text: str) -> Any:
        """The value of a Python expression, in which the names of the testing package are known."""
        words: dict[str, Any] = {name: getattr(face, name) for name in face.__all__}
        gates = {"gate": self.gate("gate"), "another_gate": self.gate("another gate")}
        times = {"datetime": datetime, "timedelta": timedelta, "timezone": timezone, "UTC": UTC}
        words |= {"QUESTION": json.dumps(QUESTION).encode(), "http": request_bytes, "post": _post}
        words |= {"chunked": _chunked, "chunk": _chunk, "fail": _fail}
        words |= {**gates, **times, "provider": self._provider, "count_tokens": count_tokens}
        return eval(text, words)

    def steps(self, text: str) -> tuple[Any, ...]:
        """The turns and faults of a script."""
        return cast("tuple[Any, ...]", self.value(f"({text},)"))

    async def connect(self, receive_buffer: int | None = None) -> WireClient:
        """A new client."""
        self.clients.append(WireClient(self.provider.port))
        self.world.defer(self.client.leave)
        return await self.client.open(receive_buffer)

    async def connected(self) -> WireClient:
        """The last client, or a new one where its connection is gone."""
        return await self.connect() if not self.clients or self.client.ended else self.client

    async def send_chat(self, more: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> WireClient:
        """Ask the provider, and don't read yet."""
        client = await self.connected()
        await client.send(request_bytes("POST", CHAT, {**QUESTION, **more}, headers))
        return client

    async def ask(self, more: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        """Ask the provider, and read its answer to the end."""
        client = await self.send_chat(more, headers)
        await self.read(client)

    async def read(self, client: WireClient) -> None:
        """Read a response; a connection that has ended is left."""
        received = await client.receive()
        self.received.append(received)
        if received.headers.get("connection") == "close" or received.ending != "complete":
            await client.wait_end()
        if client.ended:
            client.leave()

    async def send(self, data: bytes) -> None:
        """Send bytes on a connection, and read one response."""
        client = await self.connected()
        await client.send(data)
        await self.read(client)

    async def send_pieces(self, data: bytes, size: int) -> None:
        """Send bytes piece by piece, each when the one before was taken, and read one response."""
        client = await self.connected()
        for start in range(0, len(data), size):
            await client.send(data[start : start + size])
            await self.probe()
        await self.read(client)

    async def probe(self) -> None:
        """Have another client answered: what was sent before has been taken by then."""
        client = await WireClient(self.provider.port).open()
        try:
            await client.send(request_bytes("GET", "/v1/models"))
            assert (await client.receive()).status == 200
        finally:
            client.leave()

    async def ask_together(self, count: int, more: Mapping[str, Any]) -> None:
        """Ask on so many connections at once."""

        async def one(number: int) -> Received:
            client = await WireClient(self.provider.port).open()
            try:
                await client.send(request_bytes("POST", CHAT, {**QUESTION, **more, "user": str(number)}))
                return await client.receive()
            finally:
                client.leave()

        self.received += await asyncio.gather(*(one(number) for number in range(count)))


def stage(context: Any) -> Stage:
    """The scenario's stage."""
    if not hasattr(context, STAGE):
        setattr(context, STAGE, Stage(context.world))
    return cast("Stage", getattr(context, STAGE))


def at(value: Any, path: str) -> Any:
    """A value of a document: `choices.0.message`; `…` where there is none."""
    found: Any = value
    for part in path.split("."):
        try:
            found = found[int(part) if part.isdigit() else part]
        except (KeyError, IndexError, TypeError):
            return ...
    return found


def transcript(body: bytes) -> list[str]:
    """An event stream, one line an event: whose delta or end it is, and the usage it tells."""
    events = body.decode().replace("\r\n", "\n").split("\n\n")
    return [line for event in events if (line := _event_line(event.strip("\n")))]


def _fail(error: BaseException) -> None:
    raise error


def _post(body: bytes, headers: Mapping[str, str] | None = None) -> bytes:
    return request_bytes("POST", CHAT, body, headers)


def _chunked(body: bytes) -> bytes:
    return f"POST {CHAT} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n".encode() + body


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def _event_line(event: str) -> str:
    fields = [line.partition(":") for line in event.split("\n") if line and not line.startswith(":")]
    data = "".join(value.removeprefix(" ") for name, _, value in fields if name == "data")
    named = "".join(f"event {value.removeprefix(' ')} " for name, _, value in fields if name == "event")
    if not data.startswith("{"):
        return named + data
    try:
        document: dict[str, Any] = json.loads(data)
    except ValueError:
        return f"{named}broken"
    return named + " ".join(_chunk_words(document))


def _chunk_words(chunk: dict[str, Any]) -> Iterable[str]:
    if "error" in chunk:
        yield f"error {chunk['error']['message']}"
    if chunk.get("choices", ...) is None:
        yield "choices null"
    elif chunk.get("choices", ...) == [] and "usage" not in chunk:
        yield "no choices"
    for choice in chunk.get("choices") or ():
        yield str(choice["index"])
        if choice["delta"]:
            yield json.dumps(choice["delta"], ensure_ascii=False, separators=(",", ":"))
        if choice["finish_reason"] is not None:
            yield choice["finish_reason"]
    if "usage" in chunk:
        yield f"usage {_usage_words(chunk['usage'])}"


def _usage_words(usage: dict[str, Any] | None) -> str:
    if usage is None:
        return "null"
    return f"{usage['prompt_tokens']}+{usage['completion_tokens']}"


def failing(action: Callable[[], object]) -> BaseException:
    """The error of an action that has to fail."""
    try:
        done = action()
    except Exception as error:
        return error
    raise AssertionError(f"it gave {done!r}")
