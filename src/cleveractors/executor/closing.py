"""The end of an executor's runs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from cleveractors.run import Run
from cleveractors.tasks import STOP_SECONDS

__all__ = ["finish_runs"]


async def finish_runs(runs: Sequence[Run], grace: float) -> None:
    """Wait for runs, abort those that are left, and close streams that nobody reads on.

    Args:
        runs: on whichever loops.
        grace: seconds to wait before they are aborted.
    """
    await _wait(runs, grace)
    left = [run for run in runs if not run.over.done()]
    for run in left:
        run.signal.abort("the executor was closed")
    await _wait(left, STOP_SECONDS)
    for run in left:
        if not run.over.done() and run.texts is not None and run.loop is asyncio.get_running_loop():
            # A stream that is being read refuses; the abort ends it.
            with suppress(RuntimeError):
                await run.texts.aclose()


async def _wait(runs: Sequence[Run], seconds: float) -> None:
    waits = [asyncio.wrap_future(run.over) for run in runs if not run.over.done()]
    if waits:
        await asyncio.wait(waits, timeout=max(seconds, 0))
