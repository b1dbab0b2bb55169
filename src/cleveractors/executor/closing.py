"""The end of an executor's runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from cleveractors.executor.conclusion import OBSERVER_SECONDS, settle, summarise
from cleveractors.result import attach_result
from cleveractors.run import Run
from cleveractors.tasks import STOP_SECONDS, stop

__all__ = ["end_runs", "end_task", "wait_for_runs"]

BILL_DELIVERIES = 8
"""Times the sinks' timeout that the last rows and the bill may take."""


async def wait_for_runs(runs: Sequence[Run], seconds: float) -> None:
    """Wait for runs, on whichever loops, so long at most."""
    # A loop that has ended can't end its runs any more.
    waits = [asyncio.wrap_future(run.end_of()) for run in runs if not run.over and not _is_lost(run)]
    if waits:
        await asyncio.wait(waits, timeout=max(seconds, 0))


async def end_runs(runs: Sequence[Run]) -> None:
    """Abort runs, and close their streams where nobody reads on."""
    left = [run for run in runs if not run.over]
    for run in left:
        run.signal.abort("the executor was closed")
    await wait_for_runs(left, STOP_SECONDS)
    for run in left:
        if not run.over and run.texts is not None:
            # A stream that is being read refuses; the abort ends it.
            with suppress(RuntimeError, TimeoutError):
                await _close_stream(run, run.texts)


async def end_task(run: Run, task: asyncio.Task[Any], error: BaseException) -> None:
    """Stop a run in a task of its own whose caller leaves by `error`, and put the bill on that.

    The work has two seconds to stop. Once it has, the bill is delivered before the caller goes on.
    """
    try:
        await stop(task, seconds=STOP_SECONDS, more=partial(_delivering, run))
    except asyncio.CancelledError as again:
        _attach(run, again)
        raise
    finally:
        if run.result is None:
            settle(run)
            run.result = summarise(run, error)
        _attach(run, error)


def _delivering(run: Run) -> float:
    """Seconds more for a run that hands over a row, or its bill."""
    at_sinks = run.delivered or run.counters.deliveries > 0
    return BILL_DELIVERIES * run.services.sink_timeout + OBSERVER_SECONDS if at_sinks else 0


def _attach(run: Run, error: BaseException) -> None:
    if run.result is not None:
        attach_result(error, run.result)


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
