"""What code has printed, within bounds: as text for the model, and piece by piece for who listens."""

from __future__ import annotations

import codecs
from collections import deque
from typing import Final

__all__ = ["STDERR", "STDOUT", "Output", "shortened"]

STDOUT: Final = "kernel_stdout"
STDERR: Final = "kernel_stderr"


class Output:
    """What one call has printed; of more than twice `limit` characters the middle is dropped.

    Args:
        limit: characters that are told live, and kept at least.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._decoders = {name: codecs.getincrementaldecoder("utf-8")("replace") for name in (STDOUT, STDERR)}
        self._head: list[str] = []
        self._room = limit
        self._tail: deque[str] = deque()
        self._tail_size = 0
        self.size = 0
        """Characters printed."""

    def take(self, stream: str, data: bytes) -> str:
        """Keep what has come; the part of it that is told live."""
        text = self._decoders[stream].decode(data)
        self.size += len(text)
        told, rest = text[: self._room], text[self._room :]
        self._room -= len(told)
        if told:
            self._head.append(told)
        if rest:
            self._tail.append(rest)
            self._tail_size += len(rest)
            while self._tail_size - len(self._tail[0]) >= self._limit:
                self._tail_size -= len(self._tail.popleft())
        return told

    @property
    def text(self) -> str:
        """What was printed, on both streams, in the order in which it came."""
        dropped = self.size - (self._limit - self._room) - self._tail_size
        gap = f"\n[… {dropped:,} characters left out …]\n" if dropped else ""
        return "".join(self._head) + gap + "".join(self._tail)


def shortened(text: str, limit: int) -> str:
    """The beginning and the end of a text, `limit` characters at most."""
    if len(text) <= limit:
        return text
    gap = f"\n[… {len(text) - limit:,} characters left out …]\n"
    room = max(limit - len(gap), 0)
    return text[: room - room // 2] + gap[: limit - room] + text[len(text) - room // 2 :]
