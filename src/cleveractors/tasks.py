"""The only room that starts tasks: owned, named, awaited on the way out."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from typing import Any, Generic, TypeVar

import anyio

__all__ = ["STOP_SECONDS", "Background", "Feed", "forget", "outlive", "run_all", "stop"]

T = TypeVar("T")
_log = logging.getLogger("cleveractors")

STOP_SECONDS = 2.0
"""How long cancelled work may take to stop."""


class Background:
    """Tasks that outlive whoever started them, kept until they end or the owner closes."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
        """Run a coroutine in a task of its own on the running loop."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    @property
    def tasks(self) -> frozenset[asyncio.Task[Any]]:
        """What runs now."""
        return frozenset(self._tasks)

    async def drain(self, seconds: float) -> None:
        """Wait for this loop's tasks, then cancel what is left."""
        loop = asyncio.get_running_loop()
        mine = {task for task in self._tasks if task.get_loop() is loop}
        if mine:
            _, pending = await asyncio.wait(mine, timeout=seconds)
            await stop(*pending)


async def outlive(work: Coroutine[Any, Any, T], seconds: float, name: str) -> T:
    """Await work that a cancellation of the caller must not end; the cancellation is raised after it.

    Raises:
        TimeoutError: the work did not end in time; it was cancelled.
    """
    task = asyncio.get_running_loop().create_task(work, name=name)
    cancelled = await _ride_out({task}, seconds)
    if not task.done():
        task.cancel()
        cancelled = await _ride_out({task}, STOP_SECONDS) or cancelled
    if cancelled is not None:
        if task.done() and not task.cancelled():
            task.exception()
        raise cancelled
    if not task.done() or task.cancelled():
        raise TimeoutError(f"{name} did not end within {seconds} s")
    return task.result()


async def stop(
    *tasks: asyncio.Task[Any], seconds: float = STOP_SECONDS, more: Callable[[], float] | None = None
) -> None:
    """Cancel tasks and wait for their end, however often the caller is cancelled meanwhile.

    Args:
        tasks: what is to end.
        seconds: how long is waited.
        more: asked when they are over: seconds that are waited in addition.
    """
    forget(*tasks)
    running = {task for task in tasks if not task.done()}
    if not running:
        return
    for task in running:
        task.cancel()
    cancelled = await _ride_out(running, seconds)
    if more is not None and (extra := more()) > 0:
        cancelled = await _ride_out(running, extra) or cancelled
    for task in running:
        if not task.done():
            _log.warning("%s did not stop within %s s", task.get_name(), seconds)
    if cancelled is not None:
        raise cancelled


def forget(*tasks: asyncio.Task[Any]) -> None:
    """Nobody will ask what became of tasks: asyncio would log an error that nobody has fetched."""
    for task in tasks:
        task.add_done_callback(_fetch_error)


def _fetch_error(task: asyncio.Task[Any]) -> None:
    if not task.cancelled():
        task.exception()


async def _ride_out(tasks: set[asyncio.Task[Any]], seconds: float) -> asyncio.CancelledError | None:
    """Wait for tasks; return the cancellation that came meanwhile instead of raising it."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    try:
        await asyncio.wait(tasks, timeout=seconds)
    except asyncio.CancelledError as error:
        cancelled = error
    else:
        return None
    # An anyio scope cancels again at every await that is not shielded.
    with anyio.CancelScope(shield=True):
        while not all(task.done() for task in tasks) and (left := deadline - loop.time()) > 0:
            try:
                await asyncio.wait(tasks, timeout=left)
            except asyncio.CancelledError as error:
                cancelled = error
    return cancelled


async def run_all(works: Sequence[Callable[[], Awaitable[T]]], limit: int, name: str) -> list[T]:
    """Run works side by side, at most `limit` at a time; results come in the order given.

    One alone runs in the caller's task. A work that raises lets the others finish, then its error is
    raised. On cancellation all are cancelled and waited for.
    """
    if len(works) == 1:
        return [await works[0]()]
    queue = deque(enumerate(works))
    results: dict[int, T] = {}

    async def worker() -> None:
        while queue:
            index, work = queue.popleft()
            results[index] = await work()

    loop = asyncio.get_running_loop()
    tasks = [loop.create_task(worker(), name=f"{name}[{index}]") for index in range(min(limit, len(works)))]
    try:
        await asyncio.wait(tasks)
    finally:
        await stop(*tasks)
    for task in tasks:
        task.result()
    return [results[index] for index in range(len(works))]


class Feed(Generic[T]):
    """What a task hands to one consumer, live: a bounded buffer and one future.

    Args:
        size: items that may wait before the producer does.
    """

    __slots__ = ("_items", "_left", "_size", "_waiting", "_wake")

    def __init__(self, size: int = 256) -> None:
        self._items: deque[T] = deque()
        self._size = size
        self._left = False
        self._wake: asyncio.Future[None] | None = None
        self._waiting: set[asyncio.Future[None]] = set()

    def put_nowait(self, item: T) -> bool:
        """Hand over an item; False when the buffer is full now and the producer should wait."""
        if self._left:
            return True
        self._items.append(item)
        _set(self._wake)
        return len(self._items) < self._size

    async def wait_for_room(self) -> None:
        """Wait until the consumer has taken some; several may wait, each by itself."""
        while len(self._items) >= self._size:
            room = asyncio.get_running_loop().create_future()
            self._waiting.add(room)
            try:
                await room
            finally:
                self._waiting.discard(room)

    def leave(self) -> None:
        """Nobody reads any more: what is put is dropped, and nobody waits for room."""
        self._left = True
        self._items.clear()
        self._tell_room()
        _set(self._wake)

    async def follow(self, task: asyncio.Task[Any], *, stopping: bool = False) -> AsyncGenerator[T, None]:
        """Yield the items until the task has ended and all are taken.

        Args:
            task: whose items they are.
            stopping: whether leaving stops the task, rather than to let it go on.

        Raises:
            BaseException: whatever the task raised.
        """
        task.add_done_callback(self._ended)
        try:
            while True:
                while self._items:
                    yield self._items.popleft()
                    if self._waiting:
                        self._tell_room()
                if self._left:
                    return
                if task.done():
                    break
                self._wake = asyncio.get_running_loop().create_future()
                await self._wake
            task.result()
        finally:
            if stopping:
                await stop(task)

    def _ended(self, _task: object) -> None:
        _set(self._wake)

    def _tell_room(self) -> None:
        for room in self._waiting:
            _set(room)


def _set(future: asyncio.Future[None] | None) -> None:
    if future is not None and not future.done():
        future.set_result(None)
