"""Requests as the scripted provider recorded them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """One HTTP request the provider received.

    Attributes:
        order: Position among all requests of the provider, from 0, in order of arrival.
        method: HTTP method.
        path: Path with query as sent, e.g. `/v1/chat/completions`.
        headers: Headers, names in lower case.
        body: The parsed JSON object; empty when the body was no JSON object.
        raw: The body's bytes.
        arrived: `time.monotonic()` when the request was complete.
        connection: Number of the connection that carried it; equal numbers mean a reused connection.
    """

    order: int
    method: str
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    raw: bytes
    arrived: float
    connection: int

    @property
    def model(self) -> str:
        """The model asked for; empty when none."""
        return str(self.body.get("model") or "")

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation as sent; empty when missing."""
        return object_list(self.body.get("messages"))

    @property
    def tools(self) -> list[dict[str, Any]] | None:
        """The tools as sent; `None` when the request has no such key."""
        return None if self.body.get("tools") is None else object_list(self.body["tools"])

    @property
    def tool_choice(self) -> str | dict[str, Any] | None:
        """The tool choice as sent; `None` when the request has no such key."""
        return self.body.get("tool_choice")

    @property
    def streamed(self) -> bool:
        """Whether the request asks for a stream."""
        return self.body.get("stream") is True

    @property
    def wants_usage(self) -> bool:
        """Whether the request asks for usage at the end of a stream."""
        options = self.body.get("stream_options")
        return isinstance(options, dict) and cast("dict[str, Any]", options).get("include_usage") is True

    @property
    def token_cap(self) -> int | None:
        """The request's `max_completion_tokens` or else `max_tokens`; `None` when it sets neither."""
        cap = self.body.get("max_completion_tokens")
        return self.body.get("max_tokens") if cap is None else cap

    @property
    def api_key(self) -> str | None:
        """The key of `Authorization: Bearer KEY`; `None` when missing or blank."""
        scheme, _, key = self.headers.get("authorization", "").partition(" ")
        return key.strip() or None if scheme.lower() == "bearer" else None


def json_object(raw: bytes) -> dict[str, Any] | None:
    """Parse a JSON object.

    Args:
        raw: UTF-8 JSON.

    Returns:
        The object, or `None` when the bytes are anything else, nested too deep, or hold half a surrogate pair.
    """
    try:
        value: object = json.loads(raw.decode())
        if _SURROGATE.search(raw):
            json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def object_list(value: object) -> list[dict[str, Any]]:
    """Give the JSON objects in a list.

    Args:
        value: Any JSON value.

    Returns:
        The list's objects; empty when the value is no list.
    """
    if not isinstance(value, list):
        return []
    return [cast("dict[str, Any]", item) for item in cast("list[object]", value) if isinstance(item, dict)]
