"""Where the bill goes while it is written: the host's functions, called so that they can't hurt a run."""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from inspect import isawaitable, iscoroutinefunction
from typing import TYPE_CHECKING, Any, Protocol, cast

from cleveractors.tasks import outlive
from cleveractors.usage import InvocationRecord

if TYPE_CHECKING:
    from cleveractors.result import ActorResult
    from cleveractors.tools.threads import ToolThreads

__all__ = ["Required", "ResultSink", "Sink", "UsageSink"]

_log = logging.getLogger("cleveractors")

Sink = Callable[[Any], "Awaitable[object] | object"]

ATTEMPTS = 3
PAUSE = 0.1


@dataclass(frozen=True, slots=True)
class Required:
    """A usage sink without which nothing may be spent: where it fails on an open row, the request is refused."""

    sink: Sink

    def __call__(self, row: InvocationRecord) -> Awaitable[object] | object:
        """Hand the row on."""
        return self.sink(row)


class Labelled(Protocol):
    """What the host calls a run."""

    @property
    def tenant(self) -> str | None: ...


class Deliveries(Protocol):
    """How many rows of a tree of runs are being handed over."""

    deliveries: int


class Payer(Protocol):
    """The run whose rows are handed over."""

    @property
    def run_id(self) -> str: ...
    @property
    def late_rows(self) -> list[InvocationRecord]: ...
    @property
    def labels(self) -> Labelled: ...
    @property
    def counters(self) -> Deliveries: ...
    @property
    def undelivered(self) -> list[str]: ...


class _Caller:
    """Calls a host's function, async or sync, in a task that a cancellation does not end."""

    def __init__(self, fn: Sink, seconds: float, threads: ToolThreads) -> None:
        self._fn = fn
        self._seconds = seconds
        self._threads = threads
        self._is_async = iscoroutinefunction(fn) or iscoroutinefunction(getattr(fn, "__call__", None))  # noqa: B004

    async def call(self, value: object) -> None:
        answer = self._fn(value) if self._is_async else await self._threads.run(partial(self._fn, value))
        if isawaitable(answer):
            await cast("Awaitable[object]", answer)


class UsageSink(_Caller):
    """`on_usage`: each row when it opens and when it has its final state.

    Args:
        fn: the host's function, or `Required` around it.
        seconds: how long one delivery may take.
        threads: where a sync function runs.
    """

    def __init__(self, fn: Sink, seconds: float, threads: ToolThreads) -> None:
        inner = fn.sink if isinstance(fn, Required) else fn
        super().__init__(inner, seconds, threads)
        self.required = isinstance(fn, Required)
        self._told = False

    async def deliver(self, row: InvocationRecord, run: Payer) -> None:
        """Hand over one row, after those that had to wait; a failure is logged once and stands in `undelivered`.

        Raises:
            Exception: what a `Required` sink raised on an open row.
        """
        cancelled: asyncio.CancelledError | None = None
        try:
            await self.flush(run)
        except asyncio.CancelledError as error:
            cancelled = error
        await self._hand_over(row, run)
        if cancelled is not None:
            raise cancelled

    async def flush(self, run: Payer, seconds: float = math.inf) -> None:
        """Hand over the rows that changed where nothing could be awaited; a cancellation is raised after all.

        Args:
            run: whose rows they are.
            seconds: how long rows are begun with; those that are left then stand in `undelivered`.
        """
        cancelled: asyncio.CancelledError | None = None
        until = asyncio.get_running_loop().time() + seconds
        while run.late_rows:
            if asyncio.get_running_loop().time() > until:
                run.undelivered.extend(row.id for row in run.late_rows)
                run.late_rows.clear()
                break
            try:
                await self._hand_over(run.late_rows.pop(0), run)
            except asyncio.CancelledError as error:
                cancelled = error
        if cancelled is not None:
            raise cancelled

    async def _hand_over(self, row: InvocationRecord, run: Payer) -> None:
        taken = False

        async def call() -> None:
            nonlocal taken
            await self.call(row)
            taken = True

        run.counters.deliveries += 1
        try:
            await outlive(call(), self._seconds, f"on_usage of run {run.run_id}")
        except (Exception, asyncio.CancelledError) as error:
            # A cancellation of the run hides what the sink raised meanwhile.
            if not taken:
                self._missed(row, run, error)
            if isinstance(error, asyncio.CancelledError) or (self.required and row.state == "open"):
                raise
        finally:
            run.counters.deliveries -= 1

    def _missed(self, row: InvocationRecord, run: Payer, error: BaseException) -> None:
        run.undelivered.append(row.id)
        if not self._told:
            self._told = True
            _log.error(
                "on_usage failed; further failures are only listed in result.undelivered",
                exc_info=error,
                extra={"run_id": run.run_id, "tenant": run.labels.tenant},
            )


class ResultSink(_Caller):
    """`on_result`: each run's bill, once, before anybody sees the run's end."""

    async def deliver(self, result: ActorResult[Any]) -> None:
        """Hand over the result; tried again where it raises, and written to the log as a last resort."""
        try:
            await outlive(self._persist(result), self._seconds, f"on_result of run {result.run_id}")
        except Exception as error:
            labels = {"run_id": result.run_id, "tenant": result.tenant}
            _log.error("on_result failed: %s", _as_line(result), exc_info=error, extra=labels)

    async def _persist(self, result: ActorResult[Any]) -> None:
        for _ in range(ATTEMPTS - 1):
            try:
                return await self.call(result)
            except Exception:
                await asyncio.sleep(PAUSE)
        await self.call(result)


def _as_line(result: ActorResult[Any]) -> str:
    """What a bill can be made good from; no content."""
    return json.dumps(
        {
            "run_id": result.run_id,
            "session_id": result.session_id,
            "tenant": result.tenant,
            "metadata": dict(result.metadata),
            "prompt_tokens": result.prompt_tokens,
            "completion_tokens": result.completion_tokens,
            "cached_tokens": result.cached_tokens,
            "reasoning_tokens": result.reasoning_tokens,
            "estimated_prompt_tokens": result.estimated_prompt_tokens,
            "estimated_completion_tokens": result.estimated_completion_tokens,
            "unmeasured_calls": result.unmeasured_calls,
            "cost": None if result.cost is None else str(result.cost),
            "estimated_cost": None if result.estimated_cost is None else str(result.estimated_cost),
            "unpriced_calls": result.unpriced_calls,
            "stop_reason": result.stop_reason,
        }
    )
