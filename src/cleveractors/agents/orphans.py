"""Child runs that nobody waits for: they end before the run that called them does."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from cleveractors.tasks import STOP_SECONDS, outlive

if TYPE_CHECKING:
    from cleveractors.run import Run

__all__ = ["end_orphans"]


async def end_orphans(run: Run) -> None:
    """Abort what is left of a run's children, and wait for it, however often the caller is cancelled meanwhile."""
    left = tuple(run.children)
    if not left:
        return
    for child in left:
        child.signal.abort("the run that called it has ended")
    ends = [asyncio.wrap_future(child.end_of()) for child in left]
    with suppress(TimeoutError):
        await outlive(_ended(ends), STOP_SECONDS, f"children of run {run.run_id}")


async def _ended(ends: Collection[asyncio.Future[Any]]) -> None:
    await asyncio.wait(ends)
