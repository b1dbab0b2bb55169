"""Faults: the ways in which a scripted answer goes wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

Point = int | Literal["finish", "usage"]
"""A place in a stream: after the k-th delta (0 = only the role event was sent), the finish chunk, the usage chunk."""


def check_point(name: str, point: object) -> None:
    """Check that a value is a place in a stream.

    Args:
        name: The field the value was given for.
        point: The value.

    Raises:
        ValueError: It is neither a count >= 0 nor `"finish"` nor `"usage"`.
    """
    counts = isinstance(point, int) and not isinstance(point, bool) and point >= 0
    if not counts and point not in ("finish", "usage"):
        raise ValueError(f"{name} is a number of chunks >= 0, 'finish' or 'usage', not {point!r}")


def check_headers(headers: Mapping[str, str]) -> None:
    """Check that headers can be sent.

    Args:
        headers: The headers.

    Raises:
        ValueError: A name or value has a line break or a character beyond Latin-1.
    """
    for name, value in headers.items():
        text = f"{name}: {value}"
        if "\r" in text or "\n" in text or any(ord(character) > 255 for character in text):
            raise ValueError(f"not a header that can be sent: {text!r}")


@dataclass(frozen=True, slots=True)
class StatusFault:
    """The provider rejects the request with an HTTP status and an error body shaped like OpenAI's.

    Attributes:
        status: HTTP status, 400 to 599.
        code: The error's `code`, e.g. `"context_length_exceeded"`; by default the usual one of the status.
        message: The error's `message`; by default the usual one of the code or status.
        retry_after: The `Retry-After` header: seconds, a moment (sent as HTTP date, must carry a time zone), or
            the header's text as it stands.
        param: The error's `param`; by default the usual one of the code.
        headers: Further response headers.
        billed: Whether the request is billed in full all the same, as can happen with 408, 502 and 504.
    """

    status: int
    code: str | None = None
    message: str | None = None
    retry_after: float | datetime | str | None = None
    param: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    billed: bool = False

    def __post_init__(self) -> None:
        if not 400 <= self.status <= 599:
            raise ValueError(f"the status of a fault is 400 to 599, not {self.status!r}")
        if isinstance(self.retry_after, datetime) and self.retry_after.tzinfo is None:
            raise ValueError("retry_after as a moment needs a time zone")
        check_headers({**self.headers, "retry-after": str(self.retry_after)})


@dataclass(frozen=True, slots=True)
class DropFault:
    """The provider ends the connection before the answer is complete.

    Attributes:
        after: `None`: after reading the request, before any byte of the response. For a stream: the place after
            which it ends (see `Point`). For a blocking answer: how many bytes of the body are sent under a
            `Content-Length` that promises more (a named place sends them all but one).
        how: `"close"`: the connection is closed (FIN) with the body unfinished; `"reset"`: it is reset (RST);
            `"end"`: the HTTP body ends cleanly, yet what it carries is cut off (needs `after`).
        billed: Whether the request is billed: a stream up to the place of the cut, a blocking answer in full.
    """

    after: Point | None = None
    how: Literal["close", "reset", "end"] = "close"
    billed: bool = True

    def __post_init__(self) -> None:
        if self.how not in ("close", "reset", "end"):
            raise ValueError(f"how is 'close', 'reset' or 'end', not {self.how!r}")
        if self.after is not None:
            check_point("after", self.after)
        elif self.how == "end":
            raise ValueError("DropFault(how='end') needs after=: where the body ends")


@dataclass(frozen=True, slots=True)
class BodyFault:
    """The provider answers 200 with a body that is no answer.

    Attributes:
        kind: `"html"`: an HTML page; `"empty"`: no body at all; `"invalid_json"`: cut-off JSON;
            `"error"`: a JSON body `{"error": ...}`; `"null_choices"` / `"no_choices"`: `choices` is
            `null` / `[]`. To a streaming request the last two and `"invalid_json"` come as one SSE event.
        billed: Whether the request is billed in full; `None`: yes for cut-off JSON and missing choices (the model
            had run), no for the others.
    """

    kind: Literal["html", "empty", "invalid_json", "error", "null_choices", "no_choices"]
    billed: bool | None = None

    def __post_init__(self) -> None:
        if self.kind not in ("html", "empty", "invalid_json", "error", "null_choices", "no_choices"):
            raise ValueError(f"unknown kind of body fault: {self.kind!r}")


@dataclass(frozen=True, slots=True)
class StreamFault:
    """The provider puts an error event into the stream and ends it there, without `[DONE]`.

    A blocking request gets a 200 with an error body instead and is billed in full.

    Attributes:
        after: The place in the stream after which the error comes (see `Point`).
        message: The error's message.
        code: The error's code.
        named: Send it as `event: error` rather than as a plain `data:` event.
        billed: Whether the request is billed up to the error.
    """

    after: Point = 0
    message: str = "The server had an error while processing your request. Sorry about that!"
    code: str | None = None
    named: bool = False
    billed: bool = True

    def __post_init__(self) -> None:
        check_point("after", self.after)


Fault = StatusFault | DropFault | BodyFault | StreamFault
"""What can go wrong with a turn; may stand in a script in place of a turn."""


def is_billed(fault: Fault | None) -> bool:
    """Tell whether the provider bills a request that meets this fault.

    Args:
        fault: The fault, `None` for a sound answer.

    Returns:
        True when it is billed.
    """
    if fault is None:
        return True
    if isinstance(fault, BodyFault) and fault.billed is None:
        return fault.kind in ("invalid_json", "null_choices", "no_choices")
    return bool(fault.billed)
