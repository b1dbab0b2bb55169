"""Observers: the host's functions that hear of events, and can't hurt what they observe."""

from __future__ import annotations

import asyncio
import functools
import inspect
import logging
from collections import deque
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable
from typing import Final, ParamSpec, TypeAlias, cast

from cleveractors.events.envelope import EventOrigin, ReactOutput, is_event_yield
from cleveractors.events.filters import FilteredStream
from cleveractors.events.types import ReActEvent
from cleveractors.tasks import Background, stop
from cleveractors.tools.threads import ToolThreads

__all__ = ["ObservedStream", "Observer", "Observers", "with_event_observer"]

Observer: TypeAlias = Callable[[ReActEvent, EventOrigin], "Awaitable[object] | object"]
P = ParamSpec("P")

MOST_WAITING: Final = 10_000
"""Events that may wait for an observer; then the oldest is dropped, so that the end is always told."""
DRAIN_SECONDS: Final = 1.0
"""How long the end of a decorated stream waits for its observer."""

_log = logging.getLogger("cleveractors")


class Observers:
    """Tells observers of the events of one run, each in order and at its own pace.

    Whoever notifies never waits; sync functions run in threads.

    Args:
        fns: the observers.
        threads: where sync ones run.
    """

    def __init__(self, fns: Iterable[Observer], threads: ToolThreads) -> None:
        self._background = Background()
        self._told = [_Told(fn, threads) for fn in fns]

    def notify(self, event: ReActEvent, origin: EventOrigin) -> None:
        """Have every observer told, soon; on the run's loop."""
        for told in self._told:
            if told.put(event, origin):
                told.pump = self._background.start(told.tell(), f"observer {told.name}")

    async def drain(self, seconds: float) -> None:
        """Give the observers so long to hear what waits for them, then stop; nothing is told after it."""
        try:
            await self._background.drain(seconds)
        finally:
            for told in self._told:
                told.close()
            # Where the wait was cancelled, they still run.
            await stop(*self._background.tasks)


class _Told:
    """One observer, what waits for it, and the task that tells it while there is something."""

    def __init__(self, fn: Observer, threads: ToolThreads) -> None:
        self._fn = fn
        self._threads = threads
        self._waiting: deque[tuple[ReActEvent, EventOrigin]] = deque(maxlen=MOST_WAITING)
        self._is_async = inspect.iscoroutinefunction(fn) or inspect.iscoroutinefunction(getattr(fn, "__call__", None))  # noqa: B004 - as in sinks
        self._closed = False
        self._said: set[str] = set()
        self.name = getattr(fn, "__qualname__", type(fn).__name__)
        self.pump: asyncio.Task[None] | None = None

    def put(self, event: ReActEvent, origin: EventOrigin) -> bool:
        """Let an event wait; whether a task has to be started for it."""
        if self._closed:
            return False
        if len(self._waiting) == MOST_WAITING:
            self._say_once("dropped", f"{MOST_WAITING:,} events wait for it: the oldest are dropped")
        self._waiting.append((event, origin))
        return self.pump is None or self.pump.done()

    def close(self) -> None:
        """Tell nothing more, in threads left behind neither."""
        self._closed = True
        self._waiting.clear()

    async def tell(self) -> None:
        """Tell what waits."""
        while self._waiting:
            try:
                answer = (
                    self._fn(*self._waiting.popleft()) if self._is_async else await self._threads.run(self._call_all)
                )
                if inspect.isawaitable(answer):
                    await answer
            except asyncio.CancelledError as error:
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise
                self._failed(error)
            except Exception as error:
                self._failed(error)

    def _call_all(self) -> object:
        """All that waits in one visit to a thread; up to an answer that has to be awaited."""
        while waiting := self._next():
            try:
                answer = self._fn(*waiting)
            except Exception as error:
                self._failed(error)
            else:
                if inspect.isawaitable(answer):
                    return cast("object", answer)
        return None

    def _next(self) -> tuple[ReActEvent, EventOrigin] | None:
        # A thread looks while the loop may clear it.
        try:
            return self._waiting.popleft()
        except IndexError:
            return None

    def _failed(self, error: BaseException) -> None:
        self._say_once("failed", f"it raised {type(error).__name__}; further errors of it are not logged", error)

    def _say_once(self, what: str, text: str, error: BaseException | None = None) -> None:
        if what not in self._said:
            self._said.add(what)
            _log.error("event observer %s: %s", self.name, text, exc_info=error)


class ObservedStream(FilteredStream[ReactOutput]):
    """All of another stream, with an observer told of its events."""

    def __init__(self, stream: AsyncIterable[ReactOutput], observers: Observers) -> None:
        super().__init__(stream, self._notify)
        self._observers = observers

    def _notify(self, output: ReactOutput) -> bool:
        if is_event_yield(output):
            self._observers.notify(output.event, output.origin)
        return True

    async def __anext__(self) -> ReactOutput:
        try:
            return await super().__anext__()
        except BaseException:
            await self._observers.drain(DRAIN_SECONDS)
            raise

    async def aclose(self) -> None:
        """Close the stream, and give its observer a moment."""
        try:
            await super().aclose()
        finally:
            await self._observers.drain(DRAIN_SECONDS)


def with_event_observer(
    fn: Observer,
) -> Callable[[Callable[P, AsyncIterable[ReactOutput]]], Callable[P, ObservedStream]]:
    """Decorate an async-generator function that yields `ReactOutput`: `fn(event, origin)` hears of each event.

    The observer may be sync (it runs in a thread) or async. It never holds the stream up, but for a moment
    at its end; what it raises is logged once and goes no further.
    """

    def decorate(function: Callable[P, AsyncIterable[ReactOutput]]) -> Callable[P, ObservedStream]:
        @functools.wraps(function)
        def observed(*args: P.args, **kwargs: P.kwargs) -> ObservedStream:
            return ObservedStream(function(*args, **kwargs), Observers([fn], _THREADS))

        return observed

    return decorate


_THREADS = ToolThreads()
