"""One attempt at a model call: how far it came, and what is done when it failed."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cleveractors.models.port import Port

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AIMessageChunk

__all__ = ["Again", "Flight"]


@dataclass(slots=True)
class Flight:
    """How far an attempt came."""

    began: float = field(default_factory=time.monotonic)
    sent: bool = False
    streamed: bool = False
    chunks: list[AIMessageChunk | AIMessage] = field(default_factory=list["AIMessageChunk | AIMessage"])


@dataclass(frozen=True, slots=True)
class Again:
    """The attempt failed and may be tried again."""

    error: Exception
    seconds: float
    renew: Callable[[], Awaitable[Port]] | None = None
    """Makes the port anew, with a key that the host is asked for again."""
