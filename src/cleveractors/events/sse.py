"""Event streams as server-sent events."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Iterable
from contextlib import suppress
from types import TracebackType
from typing import Final, Literal, Protocol

from cleveractors.events.chat import INCLUDABLE, ChatFrames, Frame, error_frame
from cleveractors.events.envelope import ReactOutput, is_event_yield
from cleveractors.events.filters import close_stream
from cleveractors.events.wire import event_to_dict
from cleveractors.tasks import Background, Feed, stop

__all__ = ["SseFormat", "SseFrames", "sse_frames"]

SseFormat = Literal["chat", "events"]

PING: Final = b": ping\n\n"
WAITING: Final = 64
"""Frames that may wait for their reader before the run does."""
CLOSE_SECONDS: Final = 60.0
"""How long a run that is left may take to settle; its sinks have bounds of their own."""

_log = logging.getLogger("cleveractors")
_pumps = Background()


def sse_frames(
    stream: AsyncIterable[ReactOutput],
    format: SseFormat = "chat",
    include: Iterable[str] = (),
    ping: float | None = 15.0,
) -> SseFrames:
    """A run's events as the frames of `text/event-stream`; closing the frames closes the run.

    `chat` frames are safe for browsers: `start {run_id}`, `text {text}`, `reset {}` (forget the text of the
    model call that was being streamed), `tool_start {id, name}`, `tool_end {id, ok, seconds}`,
    `custom {name, data}`, `approval {calls}`, then `done {stop_reason}` or `error {code, message}`. Only the
    entry agent's text is in them. `events` frames hold what `event_to_dict` makes of each output, lean; they
    are for servers of your own. The `id` of a frame is its event's `event_seq`.

    Args:
        stream: of `execute_events`; nothing starts before the first frame is asked for.
        format: `chat` or `events`.
        include: what is shown besides, of `prompts`, `arguments`, `results`, `histories` and `usage`; of
            `events`, `prompts` or `histories` bring the lists of messages.
        ping: seconds of silence after which a comment is sent, so that proxies keep the connection; None or 0
            for never.

    Raises:
        ValueError: there is no such format, or nothing of that name to include.
    """
    named = frozenset([include] if isinstance(include, str) else include)
    if unknown := sorted(named - INCLUDABLE):
        raise ValueError(f"include={unknown[0]!r}: allowed are {', '.join(sorted(INCLUDABLE))}")
    if format not in ("chat", "events"):
        raise ValueError(f"format={format!r}: allowed are chat and events")
    writer = ChatFrames(named) if format == "chat" else _EventFrames(named)
    return SseFrames(aiter(stream), writer, ping or None)


class Writer(Protocol):
    """Says what there is to tell of a run."""

    def of(self, output: ReactOutput) -> Iterable[Frame]: ...
    def ended(self) -> Iterable[Frame]: ...


class _EventFrames:
    """Every output, as it is."""

    def __init__(self, include: frozenset[str]) -> None:
        self._lean = not include & {"prompts", "histories"}

    def of(self, output: ReactOutput) -> Iterable[Frame]:
        values = event_to_dict(output, lean=self._lean)
        if is_event_yield(output):
            return [Frame(values["event_type"], values, output.origin.event_seq)]
        return [Frame("response", values)]

    def ended(self) -> Iterable[Frame]:
        return ()


class SseFrames:
    """Frames of one run, as bytes; an async iterator that can be closed, and an async context manager."""

    def __init__(self, stream: AsyncIterator[ReactOutput], writer: Writer, ping: float | None) -> None:
        self._pump = _Pump(stream, writer, ping)
        self._task: asyncio.Task[None] | None = None
        self._frames: AsyncGenerator[bytes, None] | None = None
        self._closed = False

    @property
    def error(self) -> Exception | None:
        """What ended the run, where an `error` frame was sent."""
        return self._pump.error

    def __aiter__(self) -> SseFrames:
        return self

    async def __anext__(self) -> bytes:
        if self._closed:
            raise StopAsyncIteration
        if self._task is None:
            self._task = _pumps.start(self._pump.run(), "server-sent events")
        if self._frames is None:
            self._frames = self._pump.feed.follow(self._task)
        self._pump.waited_for = True
        try:
            return await self._frames.__anext__()
        except asyncio.CancelledError:
            # Whoever waited was cancelled, the run was not: the next wait goes on where this one stood.
            self._frames = None
            raise
        finally:
            self._pump.waited_for = False

    async def aclose(self) -> None:
        """Leave: the run is closed, and settled when this returns. Idempotent."""
        self._closed = True
        if self._task is None:
            await close_stream(self._pump.stream)
            return
        self._pump.feed.leave()
        await stop(self._task, seconds=CLOSE_SECONDS)
        if self._frames is not None and not self._pump.waited_for:
            await self._frames.aclose()

    async def __aenter__(self) -> SseFrames:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __del__(self) -> None:
        # Servers drop a body that they can't send.
        task = getattr(self, "_task", None)
        if task is not None and not task.done():
            with suppress(RuntimeError):  # its loop is closed
                task.get_loop().call_soon_threadsafe(task.cancel)


class _Pump:
    """Reads a run in a task of its own, so that a silence can be told of while it is waited for.

    It knows nothing of the frames' reader: one that is dropped is noticed.
    """

    def __init__(self, stream: AsyncIterator[ReactOutput], writer: Writer, ping: float | None) -> None:
        self.stream = stream
        self.feed: Feed[bytes] = Feed(WAITING)
        self.error: Exception | None = None
        self.waited_for = False
        self._writer = writer
        self._ping = ping
        self._last = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._sequence: int | None = None

    async def run(self) -> None:
        """Read to the end, or until cancelled; the stream is closed in any case."""
        self._last = asyncio.get_running_loop().time()
        self._arm()
        try:
            async for output in self.stream:
                if is_event_yield(output):
                    self._sequence = output.origin.event_seq
                await self._put(self._writer.of(output))
            await self._put(self._writer.ended())
        except Exception as error:
            self.error = error
            _log.error("a run that is streamed failed: %s", type(error).__name__)
            await self._put([error_frame(error, self._sequence)])
        finally:
            if self._timer is not None:
                self._timer.cancel()
            await self._close()

    async def _close(self) -> None:
        try:
            await close_stream(self.stream)
        except Exception as error:
            # All has been told; there is nobody left whom it could help.
            _log.error("a run that was streamed could not be closed: %s", type(error).__name__, exc_info=error)

    async def _put(self, frames: Iterable[Frame]) -> None:
        for frame in frames:
            self._last = asyncio.get_running_loop().time()
            if not self.feed.put_nowait(_bytes(frame)):
                await self.feed.wait_for_room()

    def _arm(self) -> None:
        if self._ping is not None:
            self._timer = asyncio.get_running_loop().call_at(self._last + self._ping, self._ring)

    def _ring(self) -> None:
        now = asyncio.get_running_loop().time()
        if self._ping is not None and now >= self._last + self._ping:
            self._last = now
            # Frames that wait for their reader are no silence.
            if self.waited_for:
                self.feed.put_nowait(PING)
        self._arm()


def _bytes(frame: Frame) -> bytes:
    number = "" if frame.sequence is None else f"id: {frame.sequence}\n"
    head = f"{number}event: {frame.name}\ndata: ".encode()
    text = json.dumps(frame.data, ensure_ascii=False, separators=(",", ":"))
    try:
        return b"%b%b\n\n" % (head, text.encode())
    except UnicodeEncodeError:
        # Half a surrogate pair, as of an emoji that was cut: escaped, the halves join again in a browser.
        return b"%b%b\n\n" % (head, json.dumps(frame.data, separators=(",", ":")).encode())
