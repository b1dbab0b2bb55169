"""Laying events on the wire as server-sent events."""

from __future__ import annotations

from cleveractors.testing.provider.http1 import http_chunks
from cleveractors.testing.provider.wire import Wire


class EventEncoder:
    """Turns payloads into the bytes of an event stream, the way a `Wire` says.

    Args:
        wire: The form of the response.
    """

    def __init__(self, wire: Wire) -> None:
        newline = wire.newline.encode()
        before = b": keep-alive" + newline * 2 if wire.comments else b""
        self._before = before + newline * wire.blank_lines
        self._data = b"data: " if wire.space else b"data:"
        self._newline = newline
        self._after = newline * 2
        self._packet = wire.packet

    def event(self, payload: str, name: str | None = None) -> bytes:
        """Write one event.

        Args:
            payload: The data, one line.
            name: The event's name.

        Returns:
            Its bytes.
        """
        named = b"" if name is None else b"event: " + name.encode() + self._newline
        return b"".join((self._before, named, self._data, payload.encode(), self._after))

    def chunks(self, events: list[bytes]) -> bytes:
        """Cut events into HTTP chunks.

        Args:
            events: Events that are sent together.

        Returns:
            Chunks of one event each, or of the wire's packet size.
        """
        size = self._packet
        if size is None:
            return http_chunks(events)
        data = b"".join(events)
        return http_chunks(data[start : start + size] for start in range(0, len(data), size))
