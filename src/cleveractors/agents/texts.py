"""The answer as plain text, while the model writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from cleveractors.tasks import Feed
from cleveractors.usage import TokenUsage

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

    from cleveractors.usage import Attempt

__all__ = ["TextListener"]

PART = "\n\n"
"""Between the texts of two model calls."""


class TextListener:
    """Feeds the text of turns and wrap-ups to one consumer."""

    wants_chunks = True
    issued: Mapping[int, str] = MappingProxyType({})

    def __init__(self) -> None:
        self.feed: Feed[str] = Feed()
        self.usage = TokenUsage(0, 0)
        self._written = False
        self._current: list[str] = []
        self._blanks = ""

    @property
    def committed(self) -> bool:
        """Whether text of this attempt has been handed out: it can't be taken back."""
        return bool(self._current)

    async def started(self, row: Attempt, view: Sequence[BaseMessage]) -> None:
        """Text of another call begins."""
        del row, view
        self._current, self._blanks = [], ""

    async def chunk(self, chunk: AIMessageChunk | AIMessage) -> None:
        """Hand out what is new."""
        content = chunk.content
        text = content if isinstance(content, str) else str(chunk.text)
        part = ""
        if not self._current:
            text = self._blanks + text
            if not text.strip():
                # Blanks alone are no text: they wait for words.
                self._blanks = text
                return
            part = PART if self._written else ""
        if text:
            self._current.append(text)
            await self._put(part + text)

    async def ended(self, row: Attempt, message: AIMessage) -> None:
        """The call has answered."""

    async def failed(self, row: Attempt, error: BaseException, will_retry: bool) -> None:
        """The call has failed."""

    async def complete(self, answer: str) -> None:
        """Hand out what of the answer the model has not streamed, as a sentence of ours."""
        if answer.strip() and answer != "".join(self._current):
            await self._put(PART + answer if self._written else answer)

    async def _put(self, text: str) -> None:
        self._written = True
        if not self.feed.put_nowait(text):
            await self.feed.wait_for_room()
