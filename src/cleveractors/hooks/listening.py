"""Model calls as hooks see them: requests, and text while it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cleveractors.abort import Aborted
from cleveractors.exceptions import LimitReached
from cleveractors.hooks.display import Message
from cleveractors.hooks.payloads import DisplayOutcome
from cleveractors.hooks.run import RunHooks

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

    from cleveractors.context import RunContext
    from cleveractors.models.listener import Listener
    from cleveractors.usage import Attempt

__all__ = ["HookListener"]

CUT = ("length", "max_tokens")


class HookListener:
    """Tells hooks of the model calls of one conversation. A `Listener` of `models.listener`.

    Args:
        hooks: the run's.
        context: the run, as the conversation's agent sees it.
        messages: whether text of these calls is shown; that of passes is not.
    """

    committed = False
    issued: Mapping[int, str] = MappingProxyType({})

    def __init__(self, hooks: RunHooks, context: RunContext[Any], *, messages: bool = True) -> None:
        self._hooks = hooks
        self._context = context
        self._message: Message | None = None
        self._call: object = None
        self.wants_chunks = messages and hooks.wants("message_display")

    async def started(self, row: Attempt, view: Sequence[BaseMessage]) -> None:
        """An attempt begins; what came of an earlier one of the same call is void."""
        del view
        await self._hooks.pre_api_request(self._context, row)
        if not self.wants_chunks:
            return
        call = row.round, row.purpose
        if self._message is not None and call != self._call:
            self._close("error")
        if self._message is None:
            self._message, self._call = self._hooks.message(self._context), call
        if self._message is not None:
            self._message.start()

    async def chunk(self, chunk: AIMessageChunk | AIMessage) -> None:
        """A piece of the answer; reasoning and arguments are no text."""
        if self._message is not None:
            self._message.add(chunk.text)

    async def ended(self, row: Attempt, message: AIMessage) -> None:
        """The attempt has answered: its last payload goes out before anything else happens."""
        self._close("truncated" if message.response_metadata.get("finish_reason") in CUT else "complete")
        await self._hooks.post_api_request(self._context, row)

    async def failed(self, row: Attempt, error: BaseException, will_retry: bool) -> None:
        """The attempt has failed; another may follow, so that the message stays open."""
        if isinstance(error, Exception):
            await self._hooks.api_request_error(self._context, row, error, will_retry)

    def over(self, error: BaseException | None = None) -> None:
        """The conversation has ended: a message that is still open gets its last payload, on a cancellation none."""
        if isinstance(error, asyncio.CancelledError | GeneratorExit):
            self._hooks.drop_messages()
            self._message = None
            return
        stopped = isinstance(error, Aborted) or (isinstance(error, LimitReached) and error.reason == "aborted")
        self._close("aborted" if stopped or self._context.abort_signal.is_aborted else "error")

    def _close(self, outcome: DisplayOutcome) -> None:
        message, self._message = self._message, None
        if message is not None:
            message.close(outcome)


if TYPE_CHECKING:

    def _fits(listener: HookListener) -> Listener:  # pyright: ignore[reportUnusedFunction] - proves that it is one
        return listener
