"""Connections without a network: transports that count, and answer when they are told to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx2
from behave.runner import Context

from cleveractors.models.openai.connections import Connections, Origin
from cleveractors.models.openai.sending import SendingClient

__all__ = ["ConnectionsWorld", "begin", "get_page", "world"]

_WORLD = "connections_world"


class Body(httpx2.AsyncByteStream):
    """A response's bytes, which may refuse to be closed."""

    def __init__(self, stuck: bool) -> None:
        self._stuck = stuck

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"answer"

    async def aclose(self) -> None:
        if self._stuck:
            raise httpx2.ReadError("the socket is gone")


@dataclass(eq=False)
class Lane(httpx2.AsyncBaseTransport):
    """One connection."""

    owner: ConnectionsWorld
    origin: Origin
    served: int = 0
    closed: bool = False

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        await self.owner.gate.wait()
        if self.owner.failing:
            raise httpx2.ConnectError("no way")
        self.served += 1
        return httpx2.Response(200, stream=Body(self.owner.stuck))

    async def aclose(self) -> None:
        self.closed = True


@dataclass
class ConnectionsWorld:
    """Hangs on `context.connections_world`."""

    most: int
    keep: float
    lanes: list[Lane] = field(default_factory=list[Lane])
    statuses: list[int] = field(default_factory=list[int])
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    failing: bool = False
    stuck: bool = False
    connections: Connections = field(init=False)
    _waiting: asyncio.Task[int] | None = None

    def __post_init__(self) -> None:
        self.connections = Connections(self._open, self.most, self.keep)
        self.gate.set()

    def _open(self, origin: Origin) -> Lane:
        self.lanes.append(Lane(self, origin))
        return self.lanes[-1]

    async def ask(self, host: str = "one") -> int:
        """One request, read to its end."""
        response = await self.connections.handle_async_request(httpx2.Request("POST", f"https://{host}.example/"))
        assert await response.aread() == b"answer"
        return response.status_code

    async def one_by_one(self, hosts: Sequence[str]) -> None:
        """Requests that follow each other."""
        for host in hosts:
            assert await self.ask(host) == 200

    async def at_a_time(self, count: int) -> None:
        """Requests that are all on their way before the first is answered."""
        await self._settle(self._held(count))

    async def fail(self) -> None:
        """A request that no server takes."""
        self.failing = True
        await _expect(self.ask(), httpx2.ConnectError)
        self.failing = False

    async def stick(self) -> None:
        """A response whose connection breaks as it is closed."""
        self.stuck = True
        await _expect(self.ask(), httpx2.ReadError)
        self.stuck = False

    async def later(self, count: int, seconds: float) -> None:
        """Requests after a while, by the loop's clock."""
        loop = asyncio.get_running_loop()
        clock = loop.time
        loop.time = lambda: clock() + seconds
        try:
            await self.one_by_one(["one"] * count)
        finally:
            loop.time = clock

    async def close_twice(self) -> None:
        """One response, closed by two."""
        response = await self.connections.handle_async_request(httpx2.Request("POST", "https://one.example/"))
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        await response.stream.aclose()
        await response.stream.aclose()

    async def cancel_one(self, when: str = "") -> None:
        """All connections busy, two wait; the first of them is called and cancelled in the same moment.

        Or it is cancelled `before`, so that it has gone, or `and then` a connection becomes free, before it has gone.
        """
        request = httpx2.Request("POST", "https://one.example/")
        busy = [await self.connections.handle_async_request(request) for _ in range(self.most)]
        first, second = (asyncio.create_task(self.ask()) for _ in range(2))
        await asyncio.sleep(0)
        if when:
            first.cancel()
        if when.startswith("before"):
            await asyncio.wait([first])
        await busy.pop().aclose()
        first.cancel()
        await asyncio.wait([first, second])
        assert first.cancelled()
        self.statuses = [second.result()]
        for response in busy:
            await response.aclose()

    async def close_busy(self) -> None:
        """Close while a connection is in use."""
        response = await self.connections.handle_async_request(httpx2.Request("POST", "https://one.example/"))
        await self.connections.aclose()
        await response.aclose()

    async def close_waiting(self) -> None:
        """Close while all connections are in use, and one request waits."""
        busy = self._held(self.most)
        self._waiting = asyncio.create_task(self.ask())
        await asyncio.sleep(0)
        await self.connections.aclose()
        await self._settle(busy)

    async def refusal(self) -> str:
        """What a request is told that is not answered."""
        return str(await _expect(self._waiting or self.ask(), httpx2.ConnectError))

    def _held(self, count: int) -> list[asyncio.Task[int]]:
        self.gate.clear()
        return [asyncio.create_task(self.ask()) for _ in range(count)]

    async def _settle(self, held: list[asyncio.Task[int]]) -> None:
        await asyncio.sleep(0)
        self.gate.set()
        assert await asyncio.gather(*held) == [200] * len(held)


async def get_page(url: str) -> httpx2.Request:
    """What a client of the models sends that is used as any other."""
    async with SendingClient(httpx2.AsyncHTTPTransport(), httpx2.Timeout(60)) as client:
        response = await client.get(f"{url}/page", params={"a": "1"}, auth=("user", "password"))
    return response.request


async def _expect(work: Any, kind: type[Exception]) -> Exception:
    try:
        await work
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}")


def begin(context: Context, most: int, seconds: float) -> None:
    """Connections for the scenario."""
    setattr(context, _WORLD, ConnectionsWorld(most, seconds))


def world(context: Context) -> ConnectionsWorld:
    """The scenario's connections."""
    return getattr(context, _WORLD)
