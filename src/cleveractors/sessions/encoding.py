"""Messages as lines of JSON: one OpenAI chat dict each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from cleveractors.exceptions import ConfigurationError
from cleveractors.history import dump_messages, load_messages
from cleveractors.sessions.store import StoredMessage

__all__ = ["decode", "encode"]


def encode(messages: Sequence[StoredMessage]) -> list[str]:
    """Write messages; what JSON has no word for is written as text."""
    # ASCII alone: half a surrogate pair, which a database refuses, survives as an escape.
    return [json.dumps(_as_dict(message), default=str) for message in messages]


def _as_dict(message: StoredMessage) -> Mapping[str, Any]:
    return message if isinstance(message, Mapping) else dump_messages([message])[0]


def decode(lines: Iterable[str]) -> list[StoredMessage]:
    """Read messages; a line that is none comes back as it stands, for whoever repairs the history."""
    return [_read(line) for line in lines]


def _read(line: str) -> StoredMessage:
    try:
        entry: object = json.loads(line)
    except ValueError:
        entry = line
    if not isinstance(entry, Mapping):
        return {"unreadable": str(cast("object", entry))}
    values = cast("Mapping[str, Any]", entry)
    try:
        return load_messages([values])[0]
    except ConfigurationError:
        return values
