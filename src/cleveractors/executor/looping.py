"""One long-lived event loop in a thread, for callers that have none."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import warnings
from collections.abc import Coroutine
from typing import Any, TypeVar

__all__ = ["run_in_loop_thread"]

T = TypeVar("T")

STOP_SECONDS = 15
"""How long an interrupted caller waits for its run to settle."""

_lock = threading.Lock()
_loops: dict[int, asyncio.AbstractEventLoop] = {}
"""By process: a forked child has its parent's loop, but not the thread that runs it."""


def run_in_loop_thread(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the loop thread and wait for it; an interrupt of the caller cancels it first.

    Within a running loop of the caller's it warns, at each place once: all of that loop's tasks stand still.

    Raises:
        RuntimeError: called on the loop thread itself, as from an async tool.
    """
    loop, running = _loop(), _running()
    if running is loop:
        work.close()
        raise RuntimeError("execute_sync can't be called on its own loop thread: await execute(…) in async tools")
    # A notebook's loop waits for the cell anyway.
    if running is not None and "ipykernel" not in sys.modules:
        text = "execute_sync holds up the event loop that runs here, with all its tasks: await execute(…) instead"
        try:
            warnings.warn(text, RuntimeWarning, stacklevel=3)
        except BaseException:
            # The host may have made errors of warnings.
            work.close()
            raise
    ended = threading.Event()
    future = asyncio.run_coroutine_threadsafe(_tracked(work, ended), loop)
    try:
        return future.result()
    except BaseException:
        if not future.done():
            future.cancel()
            ended.wait(STOP_SECONDS)
        raise


async def _tracked(work: Coroutine[Any, Any, T], ended: threading.Event) -> T:
    try:
        return await work
    finally:
        ended.set()


def _running() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _loop() -> asyncio.AbstractEventLoop:
    with _lock:
        loop = _loops.get(os.getpid())
        if loop is None or loop.is_closed():
            loop = _loops[os.getpid()] = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="cleveractors loop", daemon=True).start()
        return loop
