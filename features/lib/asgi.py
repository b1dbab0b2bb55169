"""A real uvicorn in a thread of its own, and clients that leave it."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

from cleveractors import Budget, Executor
from cleveractors.testing import Gate, RecordedRequest, Turn
from features.lib.bench import PATIENCE, Bench, soon

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Raising:
    """What an ASGI 2.4 server does: nobody is cancelled, `send` raises once the client is gone."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        gone = asyncio.Event()

        async def watch() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            gone.set()

        async def send_or_raise(message: MutableMapping[str, Any]) -> None:
            if gone.is_set():
                raise OSError("the client is gone")
            await send(message)

        watcher = asyncio.create_task(watch())
        scope = {**scope, "asgi": {"version": "3.0", "spec_version": "2.4"}}
        try:
            await self.app(scope, receive, send_or_raise)
        except ClientDisconnect:
            pass
        finally:
            watcher.cancel()


class Server:
    """One uvicorn that streams an executor's answers."""

    def __init__(self, bench: Bench, kind: str) -> None:
        self.bench = bench
        self.executor: Executor = bench.executor
        self.loop: asyncio.AbstractEventLoop | None = None
        app: Any = Starlette(routes=[Route("/", self.answer)], lifespan=self.lifespan)
        if kind == "raises in send":
            app = Raising(app)
        config = uvicorn.Config(app, log_level="error", lifespan="on", timeout_graceful_shutdown=5)
        self.server = uvicorn.Server(config)
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.socket.listen(64)
        self.port: int = self.socket.getsockname()[1]
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.socket]})
        self.books: list[tuple[int, int]] = []

    @asynccontextmanager
    async def lifespan(self, app: object) -> AsyncGenerator[None]:
        self.loop = asyncio.get_running_loop()
        async with self.executor:
            self.ready.set()
            yield

    async def answer(self, request: Request) -> StreamingResponse:
        return StreamingResponse(self.executor.execute_stream("rain?", streaming="tokens"), media_type="text/plain")

    def start(self) -> None:
        self.thread.start()
        assert self.ready.wait(PATIENCE)

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join()
        self.socket.close()

    def count(self) -> tuple[int, int]:
        """Tasks of the server's loop, and open files of the process."""
        assert self.loop is not None
        return len(asyncio.all_tasks(self.loop)), len(os.listdir("/proc/self/fd"))


def use_standing_provider(bench: Bench) -> None:
    """A provider whose streams stand still after a few pieces, each at a gate of its own."""

    def respond(request: RecordedRequest) -> Turn:
        if request.messages[-1]["role"] == "user":
            return Turn(calls=[("get_weather", {"city": "Paris"})], prompt_tokens=120, completion_tokens=18)
        gate = Gate()
        bench.notes.append(gate)
        return Turn("It rains, and rains, and rains. " * 20, chunks=20, hold_after_chunk=(3, gate))

    bench.provider.respond(respond)
    bench.options["budgets"] = [Budget(max_tokens=10_000_000, name="house")]
    bench.world.defer(lambda: [gate.open() for gate in bench.notes if isinstance(gate, Gate)])


def start_server(bench: Bench, kind: str) -> Server:
    """Start it; it ends with the scenario."""
    server = Server(bench, kind)
    server.start()
    bench.world.defer(lambda: asyncio.to_thread(server.stop))
    return server


async def visit(server: Server) -> None:
    """One client that asks, reads the first piece, and closes its connection."""
    bench = server.bench
    before = len(bench.bills)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
    await reader.readuntil(b"It rains")
    gate: Gate = bench.notes[-1]
    await gate.wait_reached_async()
    writer.close()
    await writer.wait_closed()
    if len(bench.bills) == before:
        # Where nobody is cancelled, the next piece finds out.
        await soon(lambda: len(bench.bills) > before or _left(server))
        gate.open()
    await soon(lambda: len(bench.bills) > before)
    # A stream that came to its end before anybody noticed leaves its connection for the next one.
    await bench.provider.wait_closed_async(remaining=1)


def _left(server: Server) -> bool:
    """Whether uvicorn has noticed that the client is gone."""
    return not server.server.server_state.connections


async def visit_often(server: Server, count: int) -> None:
    """So many clients, one after the other; the books are kept after the first and the last."""
    await visit(server)
    await soon(lambda: not server.server.server_state.tasks)
    server.books.append(server.count())
    for _ in range(count - 1):
        await visit(server)
    await soon(lambda: not server.server.server_state.tasks)
    await soon(lambda: server.count() <= server.books[0])
    server.books.append(server.count())


def check_bills(bench: Bench, count: int) -> None:
    """Each client's run has its bill."""
    assert len({bill.run_id for bill in bench.bills}) == len(bench.bills) == count
    for bill in bench.bills:
        states = [row.state for row in bill.invocations]
        assert states[0] == "settled" and states[1] in ("unmeasured", "settled") and len(states) == 2, states
        assert {row.run_id for row in bill.invocations} == {bill.run_id}
        assert bill.stop_reason == "cancelled" or states[1] == "settled", bill
