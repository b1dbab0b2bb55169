"""Browsers and servers, by hand and real: what the steps about responses need."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any, cast
from unittest import mock

import anyio
import uvicorn
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from cleveractors.web import abort_on_disconnect, sse_response
from features.lib.event_frames import Script
from features.lib.tools import until

Json = dict[str, Any]


async def answer(spec: str, script: Script, leaves_after: int | None = None, method: str = "GET", **how: Any) -> Client:
    """Answer a browser that leaves after so many pieces of the body."""
    client = Client(spec, leaves_after, method)
    response = sse_response(script, **how)
    response.background = BackgroundTask(client.note_background)
    await client.ask(response)
    return client


async def answer_in_scope(spec: str, script: Script) -> None:
    """Answer in a scope that the framework cancels once the stream waits."""
    async with anyio.create_task_group() as group:
        group.start_soon(Client(spec, None).ask, sse_response(script))
        await script.waiting.wait()
        group.cancel_scope.cancel()


async def cancel_early(spec: str, script: Script) -> None:
    """Cancel the scope of a response while the server has not taken its first message."""
    client = Client(spec, None)
    client.takes = asyncio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(client.ask, sse_response(script))
        await client.asked.wait()
        group.cancel_scope.cancel()


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
        self.background_ran = False
        self.asked = asyncio.Event()
        self.takes: asyncio.Event | None = None
        """What the server waits for before it takes anything."""

    async def ask(self, app: Callable[..., Any]) -> None:
        """Have an application, or a response, answer."""
        scope: Json = {"type": "http", "method": self._method, "path": "/", "headers": []}
        await app({**scope, "asgi": {"version": "3.0", "spec_version": self._spec}}, self._receive, self._send)

    async def note_background(self) -> None:
        """What a framework hangs on a response, to run behind it."""
        self.background_ran = True

    async def _receive(self) -> Json:
        assert self._spec < "2.4", "from 2.4 on, sending tells"
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Json) -> None:
        self.asked.set()
        if self.takes is not None:
            await self.takes.wait()
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
