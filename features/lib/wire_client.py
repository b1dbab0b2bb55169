"""A client that sends any bytes to a server on loopback, and tells exactly what came back."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Received", "WireClient", "request_bytes"]

PATIENCE = 60.0  # seconds that one read may take before the test gives up


@dataclass(frozen=True)
class Received:
    """One response as the wire had it."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    packets: tuple[bytes, ...]
    """The chunks of the transfer encoding."""
    ending: str
    """`complete`, `closed` or `reset`: what came before the body was whole."""

    @property
    def document(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


def request_bytes(method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None) -> bytes:
    """A request with a JSON body; bytes are sent as they stand."""
    content = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    fields = {"host": "test", "content-length": str(len(content)), **(headers or {})}
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode("latin-1") + content


@dataclass
class WireClient:
    """One connection to a port."""

    port: int
    buffer: bytearray = field(default_factory=bytearray)
    _socket: socket.socket | None = None
    _ended: str = ""

    @property
    def ended(self) -> bool:
        """Whether the server has ended the connection, as far as it was read."""
        return bool(self._ended)

    async def open(self, receive_buffer: int | None = None) -> WireClient:
        """Connect; a small receive buffer makes the server wait for a client that does not read."""
        self._socket = socket.socket()
        self._socket.setblocking(False)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # every send is a packet of its own
        if receive_buffer is not None:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        await asyncio.get_running_loop().sock_connect(self._socket, ("127.0.0.1", self.port))
        return self

    async def send(self, data: bytes) -> None:
        """Send all of it."""
        async with asyncio.timeout(PATIENCE):
            await asyncio.get_running_loop().sock_sendall(self._connected, data)

    def finish_sending(self) -> None:
        """Say that nothing more will be sent, and stay to read."""
        self._connected.shutdown(socket.SHUT_WR)

    def leave(self, reset: bool = False) -> None:
        """Close the connection; does nothing twice."""
        if self._socket is not None:
            if reset:
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._socket.close()
            self._socket = None

    async def receive(self) -> Received:
        """The next response, as far as it comes."""
        head = await self._until(b"\r\n\r\n")
        if head is None:
            return Received(0, {}, b"", (), self._ended)
        first, *lines = head.decode("latin-1").split("\r\n")
        status, headers = int(first.split(" ")[1]), _headers(lines)
        if status == 100:
            return Received(status, headers, b"", (), "complete")
        if headers.get("transfer-encoding") == "chunked":
            packets, whole = await self._packets()
            return Received(status, headers, b"".join(packets), tuple(packets), "complete" if whole else self._ended)
        size = int(headers["content-length"])
        body = await self._exactly(size)
        return Received(status, headers, body, (), "complete" if len(body) == size else self._ended)

    async def receive_until(self, marker: bytes) -> bytes:
        """Read until the marker has come; all that has come, which stays to be received."""
        while marker not in self.buffer:
            assert await self._more(), f"{marker!r} is not in {bytes(self.buffer)!r}"
        return bytes(self.buffer)

    async def wait_readable(self) -> None:
        """Wait until something has come, and leave it there."""
        loop, readable = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._connected, readable.set)
        try:
            async with asyncio.timeout(PATIENCE):
                await readable.wait()
        finally:
            loop.remove_reader(self._connected)

    async def wait_end(self) -> str:
        """Read until the server ends the connection: `closed` or `reset`."""
        while await self._more():
            pass
        return self._ended

    @property
    def _connected(self) -> socket.socket:
        assert self._socket is not None, "the client is not connected"
        return self._socket

    async def _packets(self) -> tuple[list[bytes], bool]:
        packets: list[bytes] = []
        while (line := await self._until(b"\r\n")) is not None:
            size = int(line, 16)
            piece = await self._exactly(size + 2)
            if len(piece) < size + 2:
                break
            assert piece.endswith(b"\r\n"), piece
            if size == 0:
                return packets, True
            packets.append(piece[:-2])
        return packets, False

    async def _until(self, marker: bytes) -> bytes | None:
        while (end := self.buffer.find(marker)) < 0:
            if not await self._more():
                return None
        part = bytes(self.buffer[:end])
        del self.buffer[: end + len(marker)]
        return part

    async def _exactly(self, size: int) -> bytes:
        while len(self.buffer) < size and await self._more():
            pass
        part = bytes(self.buffer[:size])
        del self.buffer[:size]
        return part

    async def _more(self) -> bool:
        if self._ended:
            return False
        try:
            async with asyncio.timeout(PATIENCE):
                data = await asyncio.get_running_loop().sock_recv(self._connected, 1 << 18)
        except ConnectionResetError:
            self._ended = "reset"
            return False
        self.buffer += data
        self._ended = "" if data else "closed"
        return bool(data)


def _headers(lines: list[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(": ")
        assert name.lower() not in headers, f"the header {name!r} comes twice"
        headers[name.lower()] = value
    return headers
