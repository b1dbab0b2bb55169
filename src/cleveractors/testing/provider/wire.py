"""How an answer is laid on the wire: the peculiarities of OpenAI-compatible servers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Placing = Literal["first", "every", "blank", "late"]
"""Which deltas of a tool call carry a field: the first, all, the first with `""` in the later ones, the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """The form of a response; the default is what OpenAI sends.

    Attributes:
        packet: Re-cut a stream into HTTP chunks of this many bytes, regardless of events and UTF-8 sequences
            (1 splits everything, a large number puts many events into one); `None`: one chunk per event.
        newline: Line end inside the event stream.
        space: Whether a space follows `data:`.
        comments: Put an SSE comment before each event.
        blank_lines: Extra blank lines before each event.
        done: End a stream with `data: [DONE]`.
        repeat_finish: Send the finish chunk twice.
        ids: Which deltas carry a tool call's id.
        names: Which deltas carry a tool call's name.
        interleave: Mix the deltas of several calls and choices instead of sending one after the other.
        chunked: Send a blocking answer with chunked transfer encoding instead of a `Content-Length`.
        close: Close the connection after the answer (`Connection: close`).
    """

    packet: int | None = None
    newline: Literal["\n", "\r\n"] = "\n"
    space: bool = True
    comments: bool = False
    blank_lines: int = 0
    done: bool = True
    repeat_finish: bool = False
    ids: Placing = "first"
    names: Placing = "first"
    interleave: bool = False
    chunked: bool = False
    close: bool = False

    def __post_init__(self) -> None:
        if self.packet is not None and self.packet < 1:
            raise ValueError(f"packet is a number of bytes >= 1, not {self.packet!r}")
        if self.newline not in ("\n", "\r\n"):
            raise ValueError(f"newline is '\\n' or '\\r\\n', not {self.newline!r}")
        if self.blank_lines < 0:
            raise ValueError(f"blank_lines is >= 0, not {self.blank_lines!r}")
        for name in ("ids", "names"):
            if getattr(self, name) not in ("first", "every", "blank", "late"):
                raise ValueError(f"{name} is 'first', 'every', 'blank' or 'late', not {getattr(self, name)!r}")
