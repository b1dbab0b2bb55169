"""HTTP connections with a transport each, so that the price of a request does not grow with their number."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress
from typing import TypeAlias, cast

import httpx2

__all__ = ["Connections", "Origin"]

Origin: TypeAlias = tuple[bytes, bytes]
"""Scheme, and host with port."""

Lane: TypeAlias = httpx2.AsyncBaseTransport
"""A transport that holds one connection at most."""


class Connections(httpx2.AsyncBaseTransport):
    """The connections of one event loop.

    The HTTP library's own pool looks at every connection that it has at every request. Here the one used
    last is used first, in constant time, and those that the load no longer needs grow old and are closed.

    Args:
        make: makes a transport of one connection to an origin; it sees to reconnecting where the server has closed it.
        most: connections at a time, idle ones included; further requests wait for one.
        keep: seconds that an idle one is kept at least; it is closed before twice as many are over, if requests come.
    """

    def __init__(self, make: Callable[[Origin], Lane], most: int, keep: float) -> None:
        self._make = make
        self._most = most
        self._keep = keep
        self._busy: set[Lane] = set()
        self._idle: dict[Origin, deque[tuple[Lane, float]]] = {}
        self._idle_count = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._swept = 0.0
        self._closed = False

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request on a connection that nobody else uses until the response is closed."""
        url = request.url
        origin = url.raw_scheme, url.netloc
        lane = await self._take(origin)
        try:
            response = await lane.handle_async_request(request)
        except BaseException:
            await self._drop(lane)
            raise
        response.stream = _Held(cast("httpx2.AsyncByteStream", response.stream), self, origin, lane)
        return response

    async def aclose(self) -> None:
        """Close every connection, those too on which something is still being read."""
        self._closed = True
        lanes = [*self._busy, *(lane for stack in self._idle.values() for lane, _ in stack)]
        self._busy.clear()
        self._idle.clear()
        self._idle_count = 0
        while self._waiting:
            self._wake()
        await _close(lanes)

    async def give_back(self, origin: Origin, lane: Lane) -> None:
        """Keep a connection whose response was read or closed, for the next request."""
        if lane not in self._busy:
            return
        self._busy.discard(lane)
        now = asyncio.get_running_loop().time()
        self._idle.setdefault(origin, deque()).append((lane, now))
        self._idle_count += 1
        self._wake()
        if now - self._swept > self._keep:
            self._swept = now
            await _close(self._old(now - self._keep))

    async def discard(self, lane: Lane) -> None:
        """Close a connection of which nobody knows how far it was read."""
        await self._drop(lane)

    async def _take(self, origin: Origin) -> Lane:
        while not self._closed:
            if stack := self._idle.get(origin):
                self._idle_count -= 1
                return self._lend(stack.pop()[0])
            if len(self._busy) + self._idle_count < self._most:
                return self._lend(self._make(origin))
            if self._idle_count:
                await _close([self._oldest()])
            else:
                await self._room()
        raise httpx2.ConnectError("the HTTP client was closed")

    def _lend(self, lane: Lane) -> Lane:
        self._busy.add(lane)
        return lane

    async def _room(self) -> None:
        """Wait until a connection has been given back or closed."""
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            with suppress(ValueError):
                self._waiting.remove(waiter)
            if waiter.done() and not waiter.cancelled():
                # It was called and can't come: the next one can.
                self._wake()
            raise

    def _wake(self) -> None:
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return

    async def _drop(self, lane: Lane) -> None:
        self._busy.discard(lane)
        self._wake()
        await _close([lane])

    def _oldest(self) -> Lane:
        """Take out the connection that has been idle for longest."""
        stack = min((stack for stack in self._idle.values() if stack), key=lambda stack: stack[0][1])
        self._idle_count -= 1
        return stack.popleft()[0]

    def _old(self, before: float) -> list[Lane]:
        """Take out the connections that have been idle since before a moment, and forget origins without any."""
        old: list[Lane] = []
        for stack in self._idle.values():
            while stack and stack[0][1] < before:
                old.append(stack.popleft()[0])
        self._idle = {origin: stack for origin, stack in self._idle.items() if stack}
        self._idle_count -= len(old)
        return old


class _Held(httpx2.AsyncByteStream):
    """A response's bytes; its connection is free again when they are closed."""

    __slots__ = ("_closed", "_connections", "_lane", "_origin", "_stream")

    def __init__(self, stream: httpx2.AsyncByteStream, connections: Connections, origin: Origin, lane: Lane) -> None:
        self._stream = stream
        self._connections = connections
        self._origin = origin
        self._lane = lane
        self._closed = False

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._stream.__aiter__()

    async def aclose(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            await self._stream.aclose()
        except BaseException:
            await self._connections.discard(self._lane)
            raise
        await self._connections.give_back(self._origin, self._lane)


async def _close(lanes: Iterable[Lane]) -> None:
    for lane in lanes:
        # A connection that can't even be closed properly is gone all the same.
        with suppress(httpx2.HTTPError, OSError):
            await lane.aclose()
