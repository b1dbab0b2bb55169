"""Whether a client is still there."""

from __future__ import annotations

import asyncio
from types import TracebackType

from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive

from cleveractors.abort import AbortSignal
from cleveractors.tasks import Background, stop

__all__ = ["abort_on_disconnect", "until_disconnect"]

_watches = Background()


async def until_disconnect(receive: Receive) -> None:
    """Return when the client has left; what is left of its request is not read."""
    while (await receive())["type"] != "http.disconnect":
        pass


class abort_on_disconnect:
    """Aborts when the client of a request leaves, for handlers that answer in one piece.

    The request's body is read first, so that it can be asked for inside as well:

        async with abort_on_disconnect(request) as abort_signal:
            result = await executor.execute(message, abort_signal=abort_signal)

    Args:
        request: Starlette's or FastAPI's.
    """

    def __init__(self, request: Request) -> None:
        self._request = request
        self._watch: asyncio.Task[None] | None = None
        self.signal = AbortSignal()

    async def __aenter__(self) -> AbortSignal:
        try:
            await self._request.body()
        except ClientDisconnect:
            self._abort()
        except RuntimeError:
            # The handler has read it as a stream.
            pass
        if not self.signal.is_aborted:
            self._watch = _watches.start(self._follow(), "client of a request")
        return self.signal

    async def _follow(self) -> None:
        await until_disconnect(self._request.receive)
        self._abort()

    def _abort(self) -> None:
        self.signal.abort("the client disconnected")

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._watch is not None:
            await stop(self._watch)
