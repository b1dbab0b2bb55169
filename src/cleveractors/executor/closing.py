"""The end of an executor's runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress

from cleveractors.run import Run
from cleveractors.tasks import STOP_SECONDS

__all__ = ["end_runs", "wait_for_runs"]


async def wait_for_runs(runs: Sequence[Run], seconds: float) -> None:
    """Wait for runs, on whichever loops, so long at most."""
    # A loop that has ended can't end its runs any more.
    waits = [asyncio.wrap_future(run.over) for run in runs if not run.over.done() and not _is_lost(run)]
    if waits:
        await asyncio.wait(waits, timeout=max(seconds, 0))


async def end_runs(runs: Sequence[Run]) -> None:
    """Abort runs, and close their streams where nobody reads on."""
    left = [run for run in runs if not run.over.done()]
    for run in left:
        run.signal.abort("the executor was closed")
    await wait_for_runs(left, STOP_SECONDS)
    for run in left:
        if not run.over.done() and run.texts is not None:
            # A stream that is being read refuses; the abort ends it.
            with suppress(RuntimeError, TimeoutError):
                await _close_stream(run, run.texts)


async def _close_stream(run: Run, texts: AsyncGenerator[str, None]) -> None:
    """Close a stream on its own loop, where that still runs."""

    async def close() -> None:
        await texts.aclose()

    if run.loop is None or run.loop is asyncio.get_running_loop() or run.loop.is_closed():
        await close()
        return
    future = asyncio.run_coroutine_threadsafe(close(), run.loop)
    async with asyncio.timeout(STOP_SECONDS):
        await asyncio.wrap_future(future)


def _is_lost(run: Run) -> bool:
    return run.loop is not None and run.loop.is_closed()
