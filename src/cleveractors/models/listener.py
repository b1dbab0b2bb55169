"""Whoever follows a model call while it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AIMessageChunk

    from cleveractors.usage import Attempt

__all__ = ["Listener"]


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

    async def started(self, row: Attempt) -> None:
        """An attempt begins."""
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
