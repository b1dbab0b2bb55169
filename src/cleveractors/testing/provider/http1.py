"""Just enough of HTTP/1.1: reading requests, writing response heads and chunks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from http import HTTPStatus

_HEAD_LIMIT = 64 * 1024
_LINE_LIMIT = 4096
# Fifteen digits are more than any body has, and few enough to be read as a number at once.
_LENGTH = re.compile(r"[0-9]{1,15}")
_CHUNK_SIZE = re.compile(rb"[0-9A-Fa-f]{1,15}")


class MalformedRequestError(ValueError):
    """The bytes on a connection are no HTTP/1.1 request."""


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request as it came.

    Attributes:
        method: The method.
        path: The request target.
        headers: The headers, names in lower case.
        body: The body, transfer encoding removed.
        keep_alive: Whether the client wants the connection kept.
    """

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    keep_alive: bool


@dataclass(frozen=True, slots=True)
class _Head:
    method: str
    path: str
    version: str
    headers: dict[str, str]


class RequestParser:
    """Cuts the bytes of a connection into requests."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._head: _Head | None = None
        self._body = bytearray()

    def feed(self, data: bytes) -> None:
        """Take bytes from the connection."""
        self._buffer += data

    def take(self) -> HttpRequest | None:
        """Give the next request.

        Returns:
            The request, or `None` until it is complete.

        Raises:
            MalformedRequestError: The bytes are no HTTP/1.1 request.
        """
        if self._head is None:
            self._head = self._take_head()
        head = self._head
        body = None if head is None else self._take_body(head)
        if head is None or body is None:
            return None
        self._head = None
        wishes = {wish.strip() for wish in head.headers.get("connection", "").lower().split(",")}
        keep = "close" not in wishes and (head.version != "HTTP/1.0" or "keep-alive" in wishes)
        return HttpRequest(head.method, head.path, head.headers, body, keep)

    def expects_continue(self) -> bool:
        """Tell, once per request, whether the client waits for `100 Continue` before it sends the body."""
        if self._head is None or self._head.headers.get("expect", "").lower() != "100-continue":
            return False
        del self._head.headers["expect"]
        return True

    def _take_head(self) -> _Head | None:
        end = self._buffer.find(b"\r\n\r\n")
        if (len(self._buffer) if end < 0 else end) > _HEAD_LIMIT:
            raise MalformedRequestError("the head of the request is too long")
        if end < 0:
            return None
        first, *lines = self._buffer[:end].decode("latin-1").split("\r\n")
        del self._buffer[: end + 4]
        words = first.split(" ")
        if len(words) != 3 or not words[2].startswith("HTTP/1."):
            raise MalformedRequestError(f"no HTTP/1.1 request line: {first[:80]!r}")
        fields = [line.partition(":") for line in lines]
        if not all(colon for _, colon, _ in fields):
            raise MalformedRequestError("a header without a colon")
        return _Head(words[0], words[1], words[2], {name.strip().lower(): value.strip() for name, _, value in fields})

    def _take_body(self, head: _Head) -> bytes | None:
        if "chunked" in head.headers.get("transfer-encoding", "").lower():
            return self._take_chunks()
        length = head.headers.get("content-length", "0")
        if not _LENGTH.fullmatch(length):
            raise MalformedRequestError(f"no Content-Length: {length[:80]!r}")
        size = int(length)
        return self._cut(size) if len(self._buffer) >= size else None

    def _take_chunks(self) -> bytes | None:
        while True:
            end = self._buffer.find(b"\r\n")
            if end < 0 and len(self._buffer) <= _LINE_LIMIT:
                return None
            size = self._buffer[: max(end, 0)].partition(b";")[0].rstrip()
            if not _CHUNK_SIZE.fullmatch(size):
                raise MalformedRequestError("no size of a chunk")
            stop = end + 2 + int(size, 16)
            if stop == end + 2:
                return self._take_trailers(end)
            if len(self._buffer) < stop + 2:
                return None
            if not self._buffer.startswith(b"\r\n", stop):
                raise MalformedRequestError("a chunk is longer than its size")
            self._body += self._buffer[end + 2 : stop]
            self._cut(stop + 2)

    def _take_trailers(self, start: int) -> bytes | None:
        end = self._buffer.find(b"\r\n\r\n", start)
        if end < 0:
            return None
        self._cut(end + 4)
        body = bytes(self._body)
        self._body.clear()
        return body

    def _cut(self, size: int) -> bytes:
        part = bytes(self._buffer[:size])
        del self._buffer[:size]
        return part


def response_head(status: int, headers: Mapping[str, str]) -> bytes:
    """Write the head of a response.

    Args:
        status: The HTTP status.
        headers: The headers.

    Returns:
        The head's bytes, blank line included.
    """
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = "Unknown"
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} {phrase}\r\n{lines}\r\n".encode("latin-1")


def http_chunks(pieces: Iterable[bytes]) -> bytes:
    """Write pieces of a body as chunks of the chunked transfer encoding.

    Args:
        pieces: The pieces; each becomes a chunk of its own.

    Returns:
        The chunks, without the final empty one.
    """
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces if piece)


LAST_CHUNK = b"0\r\n\r\n"
