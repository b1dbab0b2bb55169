"""Whoever follows a model call while it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

    from cleveractors.usage import Attempt

__all__ = ["Listener", "compose"]


class Listener(Protocol):
    """Follows the attempts of one model call; where there is none, nothing is built for it."""

    @property
    def wants_chunks(self) -> bool:
        """Whether the call should be streamed for it."""
        ...

    @property
    def committed(self) -> bool:
        """Whether text of this attempt has gone where it can't be taken back: no retry then."""
        ...

    @property
    def issued(self) -> Mapping[int, str]:
        """Ids that it gave to calls, by place, whose provider had sent none when they began."""
        ...

    async def started(self, row: Attempt, view: Sequence[BaseMessage]) -> None:
        """An attempt begins, with these messages."""
        ...

    async def chunk(self, chunk: AIMessageChunk | AIMessage) -> None:
        """A piece of its answer."""
        ...

    async def ended(self, row: Attempt, message: AIMessage) -> None:
        """It answered; its row is settled."""
        ...

    async def failed(self, row: Attempt, error: BaseException, will_retry: bool) -> None:
        """It failed; its row is settled."""
        ...


class _Several:
    """Listeners of one call, told one after the other."""

    def __init__(self, listeners: Sequence[Listener]) -> None:
        self._listeners = listeners

    @property
    def wants_chunks(self) -> bool:
        return any(one.wants_chunks for one in self._listeners)

    @property
    def committed(self) -> bool:
        return any(one.committed for one in self._listeners)

    @property
    def issued(self) -> Mapping[int, str]:
        return {place: call_id for one in self._listeners for place, call_id in one.issued.items()}

    async def started(self, row: Attempt, view: Sequence[BaseMessage]) -> None:
        for one in self._listeners:
            await one.started(row, view)

    async def chunk(self, chunk: AIMessageChunk | AIMessage) -> None:
        for one in self._listeners:
            if one.wants_chunks:
                await one.chunk(chunk)

    async def ended(self, row: Attempt, message: AIMessage) -> None:
        for one in self._listeners:
            await one.ended(row, message)

    async def failed(self, row: Attempt, error: BaseException, will_retry: bool) -> None:
        for one in self._listeners:
            await one.failed(row, error, will_retry)


def compose(*listeners: Listener | None) -> Listener | None:
    """One listener out of those that are there; None where there is none."""
    there = [one for one in listeners if one is not None]
    return _Several(there) if len(there) > 1 else next(iter(there), None)
