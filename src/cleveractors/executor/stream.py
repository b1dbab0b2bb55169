"""A run as a stream of text that can be left at any moment."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar
from weakref import ReferenceType, ref

from cleveractors.run import Run

if TYPE_CHECKING:
    from cleveractors.result import ActorResult

__all__ = ["RunStream"]


T = TypeVar("T")


class Owner(Protocol):
    """The executor behind a stream."""

    def closed_beside(self, run: Run) -> None: ...
    def dropped(self, run: Run, pieces: AsyncGenerator[Any, None], *, here: bool) -> None: ...


class RunStream(Generic[T]):
    """What a run says as it comes, text or events, and the bill of exactly this run.

    Nothing starts before the first chunk is asked for, or the stream is entered. On every way out of it
    all is settled before control returns; a stream that is merely dropped settles at once too, and the
    executor sees to the rest.

        async with executor.execute_stream("…") as stream:
            async for text in stream:
                print(text, end="")
        print(stream.result.total_tokens)
    """

    def __init__(self, owner: Owner, run: Run, begin: Callable[[Run], AsyncGenerator[T, None]]) -> None:
        self._owner = owner
        self._run = run
        self._begin = begin
        self._pieces: AsyncGenerator[T, None] | None = None
        # Weak: a task that failed holds its frames, those hold the stream, and it would never be dropped.
        self._consumer: ReferenceType[asyncio.Task[Any]] | None = None
        self._busy = False
        self._ended = False
        self._rested: asyncio.Event | None = None
        self._closed: asyncio.Event | None = None

    @property
    def run_id(self) -> str:
        """The run's id, known before it starts."""
        return self._run.run_id

    @property
    def result(self) -> ActorResult[Any] | None:
        """The bill, from any task; None until the run has ended."""
        return self._run.left or self._run.result

    def abort(self, reason: str | None = None) -> None:
        """End the run where it stands; the stream ends with what there is. Safe from any thread."""
        self._run.signal.abort(reason)

    def __aiter__(self) -> RunStream[T]:
        return self

    async def __anext__(self) -> T:
        if self._busy:
            raise RuntimeError(f"the stream of run {self.run_id} is being read by another task")
        if self._ended:
            raise StopAsyncIteration
        if self._pieces is None:
            self._pieces = self._run.texts = self._begin(self._run)
        task = _current_task()
        self._consumer = None if task is None else ref(task)
        self._busy = True
        try:
            return await self._pieces.__anext__()
        except BaseException:
            self._ended = True
            raise
        finally:
            self._busy = False
            if self._rested is not None:
                self._rested.set()

    async def __aenter__(self) -> RunStream[T]:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Leave the stream: the run stops and all is settled when this returns, or it goes on as `on_disconnect` says.

        Idempotent, and safe while another task reads: its wait ends as at the stream's end.
        """
        while self._busy:
            # Another task waits for a chunk: its wait ends, then ours.
            if self._rested is None or self._rested.is_set():
                self._rested = asyncio.Event()
            self._owner.closed_beside(self._run)
            await self._rested.wait()
        if self._pieces is None or self._ended:
            self._ended = True
            if self._closed is not None:
                await self._closed.wait()
            return
        self._ended = True
        self._closed = asyncio.Event()
        try:
            await self._pieces.aclose()
        finally:
            self._closed.set()

    def __del__(self) -> None:
        pieces = getattr(self, "_pieces", None)
        # With the interpreter at its end nobody is left to be told, and nothing can be imported any more.
        if pieces is None or self._ended or sys.is_finalizing():
            return
        self._ended = True
        self._owner.dropped(self._run, pieces, here=self._is_consumers())

    def _is_consumers(self) -> bool:
        """Whether the task that reads it runs now: only its context may be written to."""
        task = _current_task()
        return task is not None and self._consumer is not None and self._consumer() is task

    def __repr__(self) -> str:
        state = self.result.stop_reason if self.result else ("running" if self._pieces else "not started")
        return f"<RunStream run_id={self.run_id!r} {state}>"


def _current_task() -> asyncio.Task[Any] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None
