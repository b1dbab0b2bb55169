"""Runs that go on after their caller has left, and their results while somebody may ask."""

from __future__ import annotations

import time
from asyncio import TimerHandle
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from cleveractors.options import OnDisconnect
from cleveractors.result import ActorResult
from cleveractors.run import Run

__all__ = ["Detachments"]

MAX_RUNNING = 100
"""Runs without a caller at a time; beyond it leaving ends a run."""
MAX_KEPT = 1_000
KEPT_SECONDS = 600


@dataclass(frozen=True, slots=True)
class _Kept:
    result: ActorResult[Any]
    until: float


class Detachments:
    """Which of an executor's runs nobody waits for."""

    def __init__(self) -> None:
        self._running: dict[str, Run] = {}
        self._clocks: dict[str, TimerHandle] = {}
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def detach(self, run: Run) -> bool:
        """Let a run go on without its caller; False where its policy or the bound says that it ends."""
        policy: OnDisconnect = run.options.get("on_disconnect", "cancel")
        if policy == "cancel" or len(self._running) >= MAX_RUNNING or run.over:
            return False
        self._running[run.run_id] = run
        if policy != "finish" and run.loop is not None:
            # A stream may be dropped in any thread.
            run.loop.call_soon_threadsafe(self._start_clock, run, policy)
        return True

    def _start_clock(self, run: Run, seconds: float) -> None:
        if run.run_id in self._running and run.loop is not None:
            why = f"its caller had left for {seconds:g} s"
            self._clocks[run.run_id] = run.loop.call_later(seconds, run.signal.abort, why)

    def ended(self, run: Run) -> None:
        """Keep the result of a run whose caller had left."""
        if (clock := self._clocks.pop(run.run_id, None)) is not None:
            clock.cancel()
        if self._running.pop(run.run_id, None) is None or run.result is None:
            return
        self._kept[run.run_id] = _Kept(run.result, time.monotonic() + KEPT_SECONDS)
        self._forget_old()

    def result(self, run_id: str) -> ActorResult[Any] | None:
        """The result of a run whose caller had left, while it is kept."""
        self._forget_old()
        kept = self._kept.get(run_id)
        return None if kept is None else kept.result

    def __contains__(self, run_id: str) -> bool:
        return run_id in self._running

    def _forget_old(self) -> None:
        now = time.monotonic()
        while self._kept:
            first = next(iter(self._kept.values()))
            if first.until > now and len(self._kept) <= MAX_KEPT:
                break
            self._kept.popitem(last=False)
