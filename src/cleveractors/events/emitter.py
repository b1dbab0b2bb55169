"""Tools that talk: events of their own, live, while they run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cleveractors.ambient import peek
from cleveractors.events.types import CustomEvent

if TYPE_CHECKING:
    from cleveractors.events.speech import Speech

__all__ = ["NoOpEventEmitter", "ToolEventEmitter"]


class ToolEventEmitter:
    """Emits custom events of the tool call that runs.

    A tool gets one by a parameter so annotated, as `context.emitter`, or by making one: built inside a
    tool it belongs to the call that runs; outside one, or where nobody listens, it does nothing.

    Args:
        speech: the call's; default: the one that this code runs in.
    """

    __slots__ = ("_speech",)

    def __init__(self, speech: Speech | None = None) -> None:
        self._speech: Speech | None = speech if speech is not None else getattr(peek(), "speech", None)

    async def emit(self, event: CustomEvent | str, data: dict[str, Any] | None = None) -> None:
        """Emit an event, or one of this name and data; waits where the reader is behind.

        Raises:
            RuntimeError: the call has ended.
            ValueError: the event names another tool call.
        """
        if self._speech is not None:
            await self._speech.tell(_event(event, data))

    def emit_sync(self, event: CustomEvent | str, data: dict[str, Any] | None = None) -> None:
        """Emit from a sync tool, from any thread; never waits. Arguments and errors as `emit`."""
        if self._speech is not None:
            self._speech.say_from_thread(_event(event, data))


class NoOpEventEmitter:
    """The same, for code that runs without events."""

    async def emit(self, event: CustomEvent | str, data: dict[str, Any] | None = None) -> None:
        """Does nothing."""

    def emit_sync(self, event: CustomEvent | str, data: dict[str, Any] | None = None) -> None:
        """Does nothing."""


def _event(event: CustomEvent | str, data: dict[str, Any] | None) -> CustomEvent:
    return CustomEvent(event, data or {}) if isinstance(event, str) else event
