"""Streams: sending the frames of an answer, standing still or breaking off where the turn says so."""

from __future__ import annotations

import asyncio

from cleveractors.testing.provider.connection import Connection
from cleveractors.testing.provider.errors import error_json
from cleveractors.testing.provider.fault import DropFault, Point, StreamFault
from cleveractors.testing.provider.frames import Frame
from cleveractors.testing.provider.http1 import LAST_CHUNK
from cleveractors.testing.provider.ledger import Outcome, Usage
from cleveractors.testing.provider.meter import Meter
from cleveractors.testing.provider.sse import EventEncoder
from cleveractors.testing.provider.turn import Turn

_BATCH = 256


class AnswerStream:
    """Sends the frames of one answer.

    Args:
        turn: The turn the frames come from.
        frames: The frames.
        meter: Follows what is billed.

    Raises:
        ValueError: The turn names a place that this stream does not have.
    """

    def __init__(self, turn: Turn, frames: list[Frame], meter: Meter) -> None:
        self._turn = turn
        self._frames = frames
        self._meter = meter
        self._encoder = EventEncoder(turn.wire)
        self._events: list[bytes] = []
        self._generated = 0
        self._told: Usage | None = None
        self._hold_at = None if turn.hold_after_chunk is None else turn.hold_after_chunk[0]
        self._fault = turn.fault if isinstance(turn.fault, DropFault | StreamFault) else None
        self._fault_at = None if self._fault is None else self._fault.after
        self._check_points()

    async def send(self, connection: Connection, head: bytes) -> None:
        """Send the response, or as much of it as the turn allows.

        Args:
            connection: Where it goes.
            head: The response's head without transfer encoding.

        Raises:
            asyncio.CancelledError: The client has left.
        """
        self._connection = connection
        self._head = head[:-2] + b"transfer-encoding: chunked\r\n\r\n"
        for frame in self._frames:
            if frame.paced and self._turn.chunk_delay:
                await self._flush()
                await asyncio.sleep(self._turn.chunk_delay)
            self._events.append(self._encoder.event(frame.payload))
            self._generated = frame.generated
            self._told = frame.told or self._told
            if frame.points and await self._stop_at(frame.points):
                return
            if len(self._events) >= _BATCH:
                await self._flush()
        self._generated = self._meter.answer.usage.completion_tokens
        if self._turn.wire.done:
            self._events.append(self._encoder.event("[DONE]"))
        if self._turn.usage == "partial":
            self._meter.told_prompt = self._meter.answer.usage.prompt_tokens
        await self._flush(LAST_CHUNK, "answered")

    async def _stop_at(self, points: tuple[Point, ...]) -> bool:
        hold = self._turn.hold_after_chunk
        if hold is not None and self._hold_at in points:
            await self._flush()
            await hold[1].stand()
        fault = self._fault
        if fault is None or self._fault_at not in points:
            return False
        if isinstance(fault, StreamFault):
            error = error_json(fault.message, "server_error", fault.code)
            self._events.append(self._encoder.event(error, "error" if fault.named else None))
            await self._flush(LAST_CHUNK, "spoiled", fault.message)
        elif fault.how == "end":
            await self._flush(LAST_CHUNK, "cut")
        else:
            await self._flush(b"", "cut")
            self._connection.drop(fault.how == "reset")
        return True

    async def _flush(self, end: bytes = b"", outcome: Outcome | None = None, reason: str = "") -> None:
        data = self._head + self._encoder.chunks(self._events) + end
        self._head = b""
        self._events.clear()
        meter, before = self._meter, self._meter.told
        meter.generated, meter.told = self._generated, self._told
        if outcome is not None:
            # Entered before the client can see the end, so that whoever has read it finds the ledger complete.
            meter.settle(outcome, reason)
        try:
            await self._connection.send(data)
        except asyncio.CancelledError:
            meter.told = before
            raise

    def _check_points(self) -> None:
        points = {point for frame in self._frames for point in frame.points}
        for point in (self._hold_at, self._fault_at):
            if point is not None and point not in points:
                count = sum(frame.paced for frame in self._frames)
                named = [name for name in ("finish", "usage") if name in points]
                places = ", ".join([f"0 to {count}", *named])
                raise ValueError(f"the turn names the place {point!r}, but its stream has only {places}")
