"""What happens to a run while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from features.lib.loop import LoopWorld
from features.lib.tools import until

__all__ = ["MEANWHILE", "ask_after_rejection"]

Meanwhile = Callable[[asyncio.Task[Any]], Awaitable[None]]
SECONDS = 60


def aborted_at_gate(loop: LoopWorld) -> Meanwhile:
    """Abort while the provider stands at the gate."""

    async def act(task: asyncio.Task[Any]) -> None:
        await loop.gate.wait_reached_async()
        loop.signal.abort("the user left")
        await asyncio.wait({task}, timeout=SECONDS)
        loop.gate.open()

    return act


def aborted_mid_stream(loop: LoopWorld) -> Meanwhile:
    """Abort when the first text has come."""

    async def act(task: asyncio.Task[Any]) -> None:
        await loop.gate.wait_reached_async()
        async with asyncio.timeout(SECONDS):
            await loop.heard.wait()
        loop.signal.abort("the user left")
        await asyncio.wait({task}, timeout=SECONDS)
        loop.gate.open()

    return act


def aborted_in_tool(loop: LoopWorld) -> Meanwhile:
    """Abort while the tool `waits` waits."""

    async def act(task: asyncio.Task[Any]) -> None:
        async with asyncio.timeout(SECONDS):
            await loop.bench.entered.wait()
        loop.signal.abort("the user left")

    return act


def cancelled_at_gate(loop: LoopWorld) -> Meanwhile:
    """Cancel the task while the provider stands at the gate."""

    async def act(task: asyncio.Task[Any]) -> None:
        await loop.gate.wait_reached_async()
        task.cancel()
        await asyncio.wait({task}, timeout=SECONDS)
        loop.gate.open()

    return act


def cancelled_in_tool(loop: LoopWorld) -> Meanwhile:
    """Cancel the task while the tool `waits` waits."""

    async def act(task: asyncio.Task[Any]) -> None:
        async with asyncio.timeout(SECONDS):
            await loop.bench.entered.wait()
        task.cancel()

    return act


def aborted_before(loop: LoopWorld) -> Meanwhile:
    """Abort before the run has begun."""

    async def act(task: asyncio.Task[Any]) -> None:
        loop.signal.abort("never mind")

    return act


def aborted_too_late(loop: LoopWorld) -> Meanwhile:
    """Abort when the run has ended by itself."""

    async def act(task: asyncio.Task[Any]) -> None:
        await asyncio.wait({task}, timeout=SECONDS)
        loop.signal.abort("never mind")

    return act


def aborted_in_wait(loop: LoopWorld) -> Meanwhile:
    """Abort when an attempt has been rejected, before the next."""

    async def act(task: asyncio.Task[Any]) -> None:
        await until(lambda: rejected(loop))
        loop.signal.abort("the user left")

    return act


async def ask_after_rejection(loop: LoopWorld) -> None:
    """Ask twice: the second time when the first run's attempt has been rejected."""
    first = asyncio.ensure_future(loop.ask_unchecked("First?"))
    await until(lambda: rejected(loop))
    await loop.ask_unchecked("Second?")
    await first
    loop.check()


def rejected(loop: LoopWorld) -> bool:
    """Whether the sink has been told of a rejected attempt."""
    return any(row.state == "rejected" for row in loop.told)


MEANWHILE: Mapping[tuple[str, str], Callable[[LoopWorld], Meanwhile]] = {
    ("aborted", "before it starts"): aborted_before,
    ("aborted", "in a model call"): aborted_at_gate,
    ("aborted", "mid-stream"): aborted_mid_stream,
    ("aborted", "in a tool"): aborted_in_tool,
    ("aborted", "in a wait"): aborted_in_wait,
    ("aborted", "too late"): aborted_too_late,
    ("cancelled", "in a model call"): cancelled_at_gate,
    ("cancelled", "in a tool"): cancelled_in_tool,
}
