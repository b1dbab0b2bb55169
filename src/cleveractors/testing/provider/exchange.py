"""Exchanges: giving one answer, with the waits and faults its turn asks for."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from cleveractors.testing.provider.answer import Answer
from cleveractors.testing.provider.completion import chunk_frame, completion_json
from cleveractors.testing.provider.connection import Connection
from cleveractors.testing.provider.errors import error_json, error_message, status_body, status_headers
from cleveractors.testing.provider.fault import BodyFault, DropFault, StatusFault, StreamFault
from cleveractors.testing.provider.http1 import LAST_CHUNK, http_chunks, response_head
from cleveractors.testing.provider.meter import Meter
from cleveractors.testing.provider.sse import EventEncoder
from cleveractors.testing.provider.stream import AnswerStream
from cleveractors.testing.provider.turn import Turn

_JSON = "application/json"


class Reply:
    """A response that needs no turn.

    Args:
        connection: Where it goes.
        status: The HTTP status.
        headers: Its headers, `content-length` excepted.
        body: Its body.
    """

    def __init__(self, connection: Connection, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self._connection = connection
        self._closes = not connection.keep_alive
        extra = {"connection": "close"} if self._closes else {}
        self._head = response_head(status, {**headers, **extra, "content-length": str(len(body))})
        self._body = body

    async def run(self) -> None:
        """Send the response."""
        await self._connection.send(self._head + self._body)
        if self._closes:
            self._connection.close()

    def cut(self) -> None:
        """Nothing to account for."""


class Exchange:
    """Answers one chat request by a turn.

    Args:
        connection: Where the answer goes.
        turn: The turn.
        answer: The turn settled for the request.
        meter: Follows what is billed.
        stream: The stream to send; `None`: a blocking answer.
    """

    def __init__(
        self, connection: Connection, turn: Turn, answer: Answer, meter: Meter, stream: AnswerStream | None
    ) -> None:
        self._connection = connection
        self._turn = turn
        self._answer = answer
        self._meter = meter
        self._stream = stream
        self._closes = turn.wire.close or not connection.keep_alive

    async def run(self) -> None:
        """Give the answer; cancelled when the client leaves."""
        turn = self._turn
        if turn.delay:
            await asyncio.sleep(turn.delay)
        if turn.hold_before is not None:
            await turn.hold_before.stand()
        fault = turn.fault
        if isinstance(fault, StatusFault):
            await self._reject(fault)
        elif isinstance(fault, DropFault) and fault.after is None:
            self._drop(fault)
        elif isinstance(fault, BodyFault):
            await self._spoil(fault)
        elif self._stream is not None:
            await self._stream.send(self._connection, self._head({"content-type": "text/event-stream; charset=utf-8"}))
        elif isinstance(fault, DropFault):
            await self._break_off(fault)
        elif isinstance(fault, StreamFault):
            await self._send_error(error_json(fault.message, "server_error", fault.code))
        else:
            await self._complete()
        if self._closes:
            self._connection.close()

    def cut(self) -> None:
        """Enter the request as cut: a stream up to where it got, a blocking request in full."""
        if self._stream is None:
            self._generate_all()
        self._meter.settle("cut")

    async def _complete(self) -> None:
        mode = self._turn.usage
        body = completion_json(self._answer, mode).encode()
        self._generate_all()
        await self._deliver(body, tells=mode not in ("never", "null", "partial"))

    async def _deliver(self, body: bytes, tells: bool) -> None:
        meter = self._meter
        # Entered before the client can see the answer, so that whoever has read it finds the ledger complete.
        if tells:
            meter.told = self._answer.usage
        elif self._turn.usage == "partial":
            meter.told_prompt = self._answer.usage.prompt_tokens
        meter.settle("answered")
        try:
            await self._send_body(200, {"content-type": _JSON}, body)
        except asyncio.CancelledError:
            meter.told = meter.told_prompt = None
            raise

    async def _send_body(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        if self._turn.wire.chunked:
            middle = len(body) // 2
            head = self._head({**headers, "transfer-encoding": "chunked"}, status)
            await self._connection.send(head + http_chunks((body[:middle], body[middle:])) + LAST_CHUNK)
        else:
            await self._connection.send(self._head({**headers, "content-length": str(len(body))}, status) + body)

    async def _reject(self, fault: StatusFault) -> None:
        self._generate_all()
        self._meter.settle("rejected", error_message(fault))
        await self._send_body(fault.status, {"content-type": _JSON, **status_headers(fault)}, status_body(fault))

    def _drop(self, fault: DropFault) -> None:
        if self._stream is None:
            self._generate_all()
        self._meter.settle("cut")
        self._connection.drop(fault.how == "reset")

    async def _break_off(self, fault: DropFault) -> None:
        body = completion_json(self._answer, self._turn.usage).encode()
        sent = body[: fault.after if isinstance(fault.after, int) else -1]
        promised = len(sent) if fault.how == "end" else max(len(body), len(sent) + 1)
        self._generate_all()
        self._meter.settle("cut")
        await self._connection.send(self._head({"content-type": _JSON, "content-length": str(promised)}) + sent)
        if fault.how != "end":
            self._drop(fault)

    async def _spoil(self, fault: BodyFault) -> None:
        self._generate_all()
        if fault.kind in ("html", "empty"):
            page = b"<!DOCTYPE html><html><body><h1>Welcome</h1></body></html>" if fault.kind == "html" else b""
            self._meter.settle("spoiled")
            await self._send_body(200, {"content-type": "text/html; charset=utf-8"}, page)
        elif fault.kind == "error":
            await self._send_error(error_json("The server had an error.", "server_error", None))
        elif self._stream is not None:
            await self._spoil_stream(fault)
        else:
            await self._spoil_json(fault)

    async def _spoil_json(self, fault: BodyFault) -> None:
        mode = self._turn.usage
        if fault.kind == "invalid_json":
            body = completion_json(self._answer, mode)
            body = body[: len(body) // 2]
        else:
            body = completion_json(self._answer, mode, fault)
            if mode not in ("never", "null", "partial"):
                self._meter.told = self._answer.usage
        self._meter.settle("spoiled")
        await self._send_body(200, {"content-type": _JSON}, body.encode())

    async def _spoil_stream(self, fault: BodyFault) -> None:
        prefix, suffix = chunk_frame(self._answer)
        choices = {"null_choices": "null", "no_choices": "[]"}.get(fault.kind)
        payload = prefix if choices is None else f"{prefix}{choices}{suffix}}}"
        encoder = EventEncoder(self._turn.wire)
        events = encoder.chunks([encoder.event(payload), encoder.event("[DONE]")])
        head = self._head({"content-type": "text/event-stream; charset=utf-8", "transfer-encoding": "chunked"})
        self._meter.settle("spoiled")
        await self._connection.send(head + events + LAST_CHUNK)

    async def _send_error(self, body: str) -> None:
        self._generate_all()
        self._meter.settle("spoiled", body)
        await self._send_body(200, {"content-type": _JSON}, body.encode())

    def _generate_all(self) -> None:
        self._meter.generated = self._answer.usage.completion_tokens

    def _head(self, headers: Mapping[str, str], status: int = 200) -> bytes:
        extra = {"connection": "close"} if self._closes else {}
        own = {name.lower(): value for name, value in self._turn.headers.items()}
        common = {"x-request-id": self._answer.request_id, **own, **extra}
        return response_head(status, {**headers, **common})
