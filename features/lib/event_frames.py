"""Event streams and whoever reads them: filters, observers, frames, browsers."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, cast
from unittest import mock

import anyio
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from cleveractors.events.envelope import EventOrigin, EventYield, ReactOutput
from cleveractors.events.observers import ObservedStream, Observer, with_event_observer
from cleveractors.events.sse import SseFrames, sse_frames
from cleveractors.web import abort_on_disconnect, sse_response
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

    def __aiter__(self) -> Script:
        return self

    async def __anext__(self) -> ReactOutput:
        self.begun = True
        if not self._items:
            raise StopAsyncIteration
        item = self._items.pop(0)
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
    client: Client | None = None
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    spec: str = "2.3"

    def begin(self, *items: object) -> None:
        """Make the stream of the table's outputs and of what comes after them."""
        self.script = Script(*outputs_of(self.rows), *items)

    async def read_frames(self, **options: Any) -> None:
        """Read all frames of the stream."""
        async with sse_frames(self.script, **options) as self.reader:
            self.frames = [frame async for frame in self.reader]

    async def read_through_silence(self, ping: float, comments: int) -> None:
        """Read until so many comments have come, then open the gate and read to the end."""
        async with sse_frames(self.script, ping=ping) as reader:
            async for frame in reader:
                self.frames.append(frame)
                if self.frames.count(b": ping\n\n") == comments:
                    self.gate.set()

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

    @property
    def browser(self) -> Client:
        """Who asked for the response."""
        assert self.client is not None
        return self.client

    async def answer(self, leaves_after: int | None = None, method: str = "GET", **options: Any) -> None:
        """Answer a browser that leaves after so many pieces of the body."""
        self.client = Client(self.spec, leaves_after, method)
        await self.client.ask(sse_response(self.script, **options))

    async def answer_in_scope(self) -> None:
        """Answer in a scope that the framework cancels once the stream waits."""
        self.client = Client(self.spec, None)
        async with anyio.create_task_group() as group:
            group.start_soon(self.client.ask, sse_response(self.script))
            await self.script.waiting.wait()
            group.cancel_scope.cancel()


async def _next(reader: SseFrames) -> bytes | None:
    return await anext(reader, None)


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


# Browsers


class Client:
    """A browser and its server, driven by hand; what the server sends is kept.

    Args:
        spec: the version of ASGI's HTTP part.
        leaves_after: pieces of the body, or None for never.
        method: of the request.
    """

    def __init__(self, spec: str, leaves_after: int | None, method: str = "GET") -> None:
        self.sent: list[Json] = []
        self._spec = spec
        self._leaves_after = leaves_after
        self._method = method
        self._left = asyncio.Event()

    async def ask(self, app: Callable[..., Any]) -> None:
        """Have an application, or a response, answer."""
        scope: Json = {"type": "http", "method": self._method, "path": "/", "headers": []}
        await app({**scope, "asgi": {"version": "3.0", "spec_version": self._spec}}, self._receive, self._send)

    async def _receive(self) -> Json:
        assert self._spec < "2.4", "from 2.4 on, sending tells"
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Json) -> None:
        if self._left.is_set() and self._spec >= "2.4":
            raise OSError("the connection is gone")
        self.sent.append(message)
        if len(self.bodies) == self._leaves_after:
            self._left.set()

    @property
    def bodies(self) -> list[bytes]:
        """The pieces of the body."""
        return [one["body"] for one in self.sent if one["type"] == "http.response.body" and one["body"]]

    @property
    def headers(self) -> dict[str, str]:
        """Of the response."""
        return {name.decode(): value.decode() for name, value in self.sent[0]["headers"]}


class _Server(uvicorn.Server):
    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]  # theirs is a generator's
        """The process is not the server's."""
        return nullcontext()


class Site:
    """A real server in this loop, with a page that streams a script and one that waits for the client to leave."""

    def __init__(self, script: Script) -> None:
        self.signal = asyncio.get_running_loop().create_future()

        async def stream(request: Request) -> Any:
            return sse_response(script)

        async def wait(request: Request) -> Any:
            async with abort_on_disconnect(request) as signal:
                script.waiting.set()
                await signal.wait()
            self.signal.set_result((signal.reason, await request.json()))
            return PlainTextResponse("late")

        routes = [Route("/stream", stream), Route("/wait", wait, methods=["POST"])]
        config = uvicorn.Config(Starlette(routes=routes), port=0, lifespan="off", log_level="error", ws="none")
        self._server = _Server(config)

    async def __aenter__(self) -> Site:
        self._serving = asyncio.create_task(self._server.serve())
        await until(lambda: self._server.started)
        return self

    async def __aexit__(self, *reason: object) -> None:
        self._server.should_exit = True
        await self._serving

    async def visit(self, request: bytes, until: bytes | asyncio.Event) -> bytes:
        """Send a request, and leave once the answer holds this, or it happened."""
        port = self._server.servers[0].sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request)
        try:
            if isinstance(until, bytes):
                return await asyncio.wait_for(reader.readuntil(until), 5)
            await asyncio.wait_for(until.wait(), 5)
            return b""
        finally:
            writer.close()


async def leave_stream(script: Script) -> bytes:
    """Visit the page that streams, and leave after its first text; returns when the run is closed."""
    async with Site(script) as site:
        answer = await site.visit(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n", b"event: text")
        await asyncio.wait_for(script.closed.wait(), 5)
    return answer


async def leave_handler(script: Script) -> Sequence[object]:
    """Visit the page that waits, and leave; what it heard, and the request's body."""
    async with Site(script) as site:
        body = b'POST /wait HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n{"a":1}'
        await site.visit(body, script.waiting)
        return await asyncio.wait_for(site.signal, 5)


async def signal_after(message: Json, streamed: bool) -> bool:
    """Whether the signal of a request whose body came so is aborted at once."""

    async def receive() -> Json:
        return message

    request = Request({"type": "http", "method": "POST", "headers": []}, receive)
    if streamed:
        assert [part async for part in request.stream()] == [b"x", b""]
        message = {"type": "http.disconnect"}
    async with abort_on_disconnect(request) as signal:
        return signal.is_aborted


def import_without(package: str) -> str:
    """What importing the web room says where a package is not installed."""
    rooms = [name for name in sys.modules if name.startswith(("cleveractors.web", package))]
    with mock.patch.dict(sys.modules):
        for name in rooms:
            del sys.modules[name]
        sys.modules[package] = cast("Any", None)
        try:
            import_module("cleveractors.web")
        except ModuleNotFoundError as error:
            return str(error)
    return ""
