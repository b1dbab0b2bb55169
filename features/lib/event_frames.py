"""Event streams and whoever reads them: filters, observers, frames, browsers."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import logging
from collections.abc import AsyncGenerator, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from cleveractors.events.envelope import EventOrigin, EventYield, ReactOutput
from cleveractors.events.observers import ObservedStream, Observer, with_event_observer
from cleveractors.events.sse import SseFrames, sse_frames
from features.lib import event_wire
from features.lib.tools import until

Json = dict[str, Any]
FOREVER = "forever"
WORLD = "frames_world"


class Script:
    """A stream of outputs, exceptions to raise, and gates to wait at; it says how it was left."""

    def __init__(self, *items: object) -> None:
        self._items = list(items)
        self.begun = False
        self.waiting = asyncio.Event()
        """Set while it waits for ever."""
        self.closed = asyncio.Event()
        """Set when it was closed, after a moment that nobody may cut short."""
        self.cancelled = 0
        self.taken = 0
        self.fault: Exception | None = None
        """What closing it raises."""

    def __aiter__(self) -> Script:
        return self

    async def __anext__(self) -> ReactOutput:
        self.begun = True
        if not self._items:
            raise StopAsyncIteration
        item = self._items.pop(0)
        self.taken += 1
        if isinstance(item, Exception):
            raise item
        if isinstance(item, asyncio.Event):
            await item.wait()
            return await self.__anext__()
        if item == FOREVER:
            await self._wait()
        return cast("ReactOutput", item)

    async def _wait(self) -> None:
        self.waiting.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise

    async def aclose(self) -> None:
        """Settle, which takes a moment."""
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        self._items.clear()
        self.closed.set()
        if self.fault is not None:
            raise self.fault


@dataclass
class FramesWorld:
    """What one scenario about event streams knows."""

    rows: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    script: Script = field(default_factory=Script)
    outputs: list[Any] = field(default_factory=list[Any])
    frames: list[bytes] = field(default_factory=list[bytes])
    reader: SseFrames | None = None
    told: list[Any] = field(default_factory=list[Any])
    logs: list[str] = field(default_factory=list[str])
    spec: str = "2.3"
    """The version of ASGI's HTTP part."""
    browser: Any = None
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    def begin(self, *items: object) -> None:
        """Make the stream of the table's outputs and of what comes after them."""
        self.script = Script(*outputs_of(self.rows), *items)

    async def read_frames(self, **options: Any) -> None:
        """Read all frames of the stream."""
        with logged(self.logs):
            await self._read_frames(**options)

    async def _read_frames(self, **options: Any) -> None:
        async with sse_frames(self.script, **options) as self.reader:
            self.frames = [frame async for frame in self.reader]

    async def read_slowly(self, count: int) -> None:
        """Read so many frames; let the run go as far as it gets; read the rest."""
        async with sse_frames(self.script, ping=None) as reader:
            self.frames = [await anext(reader) for _ in range(count)]
            for _ in range(1000):
                await asyncio.sleep(0)
            self.told.append(self.script.taken)
            self.frames += [frame async for frame in reader]

    async def read_through_silence(self, ping: float, comments: int) -> None:
        """Read until so many comments have come, then open the gate and read to the end."""
        async with sse_frames(self.script, ping=ping) as reader:
            async for frame in reader:
                self.frames.append(frame)
                if self.frames.count(b": ping\n\n") == comments:
                    self.gate.set()

    async def cancel_wait(self) -> None:
        """Read until the stream waits at its gate, cancel that wait, open the gate and read to the end."""
        async with sse_frames(self.script) as reader:
            reading = asyncio.create_task(self._read_on(reader))
            await until(lambda: self.script.taken > len(self.rows) and len(self.frames) == 9)
            reading.cancel()
            await asyncio.wait([reading])
            self.gate.set()
            await self._read_on(reader)

    async def _read_on(self, reader: SseFrames) -> None:
        async for frame in reader:
            self.frames.append(frame)

    async def leave(self, count: int, way: str) -> None:
        """Read so many frames and leave in one of the features' ways."""
        self.reader = sse_frames(self.script)
        self.frames = [await anext(self.reader) for _ in range(count)]
        waiting = asyncio.create_task(_next(self.reader)) if "wait" in way else None
        await asyncio.wait_for(self.script.waiting.wait(), 5)
        if "cancelled" in way and waiting is not None:
            waiting.cancel()
            await asyncio.wait([waiting])
            assert waiting.cancelled() and self.script.cancelled == 0
        if "dropped" in way:
            self.reader = None
            gc.collect()
            await asyncio.wait_for(self.script.closed.wait(), 5)
        else:
            await self.reader.aclose()
        if "while" in way and waiting is not None:
            assert await waiting is None

    def observed(self, fn: Observer) -> ObservedStream:
        """The stream, with an observer."""

        @with_event_observer(fn)
        async def outputs() -> AsyncGenerator[ReactOutput, None]:
            async for output in self.script:
                yield output

        return outputs()

    async def observe(self, fn: Observer) -> None:
        """Read all of the stream, with an observer."""
        self.outputs = [output async for output in self.observed(fn)]


async def _next(reader: SseFrames) -> bytes | None:
    return await anext(reader, None)


@contextlib.contextmanager
def logged(messages: list[str]) -> Generator[None]:
    """Keep what the library logs."""
    logger, handler = logging.getLogger("cleveractors"), logging.Handler()
    handler.emit = lambda record: messages.append(record.getMessage())
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


def stage(context: object) -> FramesWorld:
    """Find the scenario's, or begin one."""
    if not hasattr(context, WORLD):
        setattr(context, WORLD, FramesWorld())
    return getattr(context, WORLD)


def outputs_of(rows: Iterable[Mapping[str, str]]) -> list[object]:
    """Outputs of a table: an event, or an error, and the agent in which it arose; they are counted from 1."""
    made: list[object] = []
    for row in rows:
        output: Any = event_wire.event_of(row["event"])
        if isinstance(output, EventYield):
            parent = None if row.get("agent", "entry") == "entry" else "agent-1"
            number = 1 + sum(isinstance(one, EventYield) for one in made)
            output = EventYield(output.event, EventOrigin("s", "a", number, parent, run_id="run-1"))
        made.append(output)
    return made


def parsed(frame: bytes) -> tuple[str, str, Any]:
    """A frame's id, name and data, read as a browser does; a comment is its text."""
    lines = frame.decode().split("\n")
    assert lines[-2:] == ["", ""], frame
    if lines[0].startswith(":"):
        return "", lines[0], None
    fields = dict(line.split(": ", 1) for line in lines[:-2])
    return fields.get("id", ""), fields["event"], json.loads(fields["data"])


def names_of(frames: Iterable[bytes]) -> list[str]:
    """The names of frames."""
    return [parsed(frame)[1] for frame in frames]
