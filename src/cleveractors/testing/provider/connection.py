"""Connections of the scripted provider: bytes in, bytes out, and noticing at once when the client leaves."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable
from typing import Protocol, cast

from cleveractors.testing.provider.http1 import HttpRequest, MalformedRequestError, RequestParser, response_head
from cleveractors.testing.provider.notice import Notice


class Service(Protocol):
    """What serves one request."""

    async def run(self) -> None:
        """Answer the request; cancelled when the client leaves."""

    def cut(self) -> None:
        """Account for a run that was cancelled."""


class House(Protocol):
    """Who owns the connections and knows how to serve a request."""

    def serve(self, request: HttpRequest, connection: Connection) -> Service:
        """Give the service of a request."""
        ...

    def report(self, problem: str) -> None:
        """Take note of a mistake in the script or of a malformed request."""


class ConnectionRegistry:
    """The open connections of a provider.

    Args:
        notice: Told of every change.

    Attributes:
        accepted: How many were opened so far.
        closing: Whether a connection that comes now is ended at once.
    """

    def __init__(self, notice: Notice) -> None:
        self._notice = notice
        self._open: set[Connection] = set()
        self.accepted = 0
        self.closing = False

    @property
    def count(self) -> int:
        """How many connections are open."""
        return len(self._open)

    def opened(self, connection: Connection) -> int:
        """Enter a connection and give its number."""
        self._open.add(connection)
        self.accepted += 1
        self._notice.check()
        return self.accepted

    def closed(self, connection: Connection) -> None:
        """Strike out a connection."""
        self._open.discard(connection)
        self._notice.check()

    async def close_all(self) -> None:
        """End every connection and wait until they are gone."""
        for connection in tuple(self._open):
            connection.abort()
        await self._notice.until(lambda: not self._open)


class Connection(asyncio.Protocol):
    """One client connection; serves one request after the other.

    Args:
        house: Serves the requests.
        registry: Counts the connection.

    Attributes:
        number: Its number among the provider's connections, from 1.
        keep_alive: Whether the client of the current request wants it kept.
    """

    def __init__(self, house: House, registry: ConnectionRegistry) -> None:
        self._house = house
        self._registry = registry
        self._parser = RequestParser()
        self._task: asyncio.Task[None] | None = None
        self._lost = False
        self._writable = asyncio.Event()
        self._writable.set()
        self.number = 0
        self.keep_alive = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport."""
        self._transport = cast("asyncio.Transport", transport)
        # With no high-water mark, "writable" means that the kernel has taken every byte.
        self._transport.set_write_buffer_limits(high=0)
        self.number = self._registry.opened(self)
        if self._registry.closing:
            self.abort()

    def data_received(self, data: bytes) -> None:
        """Take bytes and serve the request they complete."""
        self._parser.feed(data)
        if self._task is None:
            self._serve_next()

    def eof_received(self) -> None:
        """Treat the client's end of sending as its leaving, as HTTP servers do."""
        self.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop serving and strike out the connection."""
        self._lost = True
        self._writable.set()
        if self._task is None:
            self._registry.closed(self)
        else:
            # Struck out when its request is accounted for, so that whoever saw it close finds the ledger complete.
            self._task.cancel()

    def pause_writing(self) -> None:
        """Note that bytes wait to be taken by the kernel."""
        self._writable.clear()

    def resume_writing(self) -> None:
        """Note that the kernel has taken every byte."""
        self._writable.set()

    async def send(self, data: bytes) -> None:
        """Write bytes and wait until the kernel has taken them.

        Args:
            data: The bytes.

        Raises:
            asyncio.CancelledError: The client has left.
        """
        if self._transport.is_closing():
            raise asyncio.CancelledError
        self._transport.write(data)
        while not self._writable.is_set():
            await self._writable.wait()

    def close(self) -> None:
        """Close the connection once everything written is sent."""
        self._transport.close()

    def abort(self) -> None:
        """Close the connection at once."""
        self._transport.abort()

    def drop(self, reset: bool) -> None:
        """End the connection in the middle of a response.

        Args:
            reset: By a reset (RST) rather than an orderly close (FIN).
        """
        if reset:
            sock: socket.socket = self._transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._transport.abort()

    def _serve_next(self) -> None:
        try:
            request = self._parser.take()
        except MalformedRequestError as error:
            self._house.report(str(error))
            self._transport.write(response_head(400, {"content-length": "0", "connection": "close"}))
            self._transport.close()
            return
        if request is None:
            if self._parser.expects_continue():
                self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            return
        self.keep_alive = request.keep_alive
        service = self._house.serve(request, self)
        task = asyncio.get_running_loop().create_task(service.run())
        self._task = task
        task.add_done_callback(self._ender(service))

    def _ender(self, service: Service) -> Callable[[asyncio.Task[None]], None]:
        def end(task: asyncio.Task[None]) -> None:
            self._task = None
            error = None if task.cancelled() else task.exception()
            if task.cancelled() or error is not None:
                # In a callback rather than in the coroutine: a task cancelled before its first step never runs.
                service.cut()
                self.abort()
            if error is not None:
                self._house.report(f"the provider failed: {error!r}")
            if self._lost:
                self._registry.closed(self)
            elif not self._transport.is_closing():
                self._serve_next()

        return end
