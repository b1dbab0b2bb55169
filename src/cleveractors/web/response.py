"""A run as the response to a request."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, Iterable
from typing import Final

import anyio
from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from cleveractors.events.envelope import ReactOutput
from cleveractors.events.sse import SseFormat, SseFrames, sse_frames
from cleveractors.tasks import Background, stop
from cleveractors.web.watching import until_disconnect

__all__ = ["SseResponse", "sse_response"]

HEADERS: Final = {
    "cache-control": "no-cache",
    # nginx would hold the frames back.
    "x-accel-buffering": "no",
}

_responses = Background()


def sse_response(
    stream: AsyncIterable[ReactOutput],
    format: SseFormat = "chat",
    include: Iterable[str] = (),
    ping: float | None = 15.0,
) -> SseResponse:
    """Answer a request with a run's events; the run ends when the client leaves, and is settled then.

        @app.post("/chat")
        async def chat(question: Question) -> Response:
            return sse_response(executor.execute_events(question.text, stream=True))

    Args:
        stream: of `execute_events`.
        format: as of `sse_frames`, like the others.
        include: what is shown besides.
        ping: seconds of silence after which a comment is sent.

    Raises:
        ValueError: there is no such format, or nothing of that name to include.
    """
    return SseResponse(sse_frames(stream, format, include, ping))


class SseResponse(StreamingResponse):
    """A streamed response that sees to its run itself: no server closes what it streams.

    Args:
        frames: of the run.
    """

    def __init__(self, frames: SseFrames) -> None:
        super().__init__(frames, headers=HEADERS, media_type="text/event-stream")
        self._frames = frames

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, as ASGI has it."""
        version = tuple(int(part) for part in scope.get("asgi", {}).get("spec_version", "2.0").split("."))
        try:
            if scope.get("method") == "HEAD":
                await self._head(send)
            elif version >= (2, 4):
                await self._answer(send)
            else:
                await self._answer_while_there(receive, send)
        finally:
            # Servers and frameworks cancel with scopes, which would cut every await from here on.
            with anyio.CancelScope(shield=True):
                await self._frames.aclose()
        if self.background is not None:
            await self.background()

    async def _head(self, send: Send) -> None:
        """Nobody will read: nothing is run."""
        await self._sent(send, self._start())
        await self._sent(send, {"type": "http.response.body", "body": b"", "more_body": False})

    async def _answer(self, send: Send) -> None:
        """Send until the end, or until the server says by an error that the client has left."""
        there = await self._sent(send, self._start())
        if there:
            async for frame in self._frames:
                if not await self._sent(send, {"type": "http.response.body", "body": frame, "more_body": True}):
                    return
            await self._sent(send, {"type": "http.response.body", "body": b"", "more_body": False})

    async def _answer_while_there(self, receive: Receive, send: Send) -> None:
        """Before ASGI 2.4 a server drops in silence what it can't send: the client is watched."""
        answer = _responses.start(self._answer(send), "answer to a request")
        watch = _responses.start(until_disconnect(receive), "client of a request")
        try:
            await asyncio.wait((answer, watch), return_when=asyncio.FIRST_COMPLETED)
        finally:
            await stop(answer, watch)
        for task in (answer, watch):
            if task.done() and not task.cancelled():
                task.result()

    def _start(self) -> Message:
        return {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}

    async def _sent(self, send: Send, message: Message) -> bool:
        """Whether there is still somebody to send to."""
        try:
            await send(message)
        except OSError:
            return False
        return True
