"""Streams closed by several tasks, and bills that wait for nobody."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from typing import Any

from cleveractors import ActorResult, Budget, Credential, RunStream, create_executor, result_of
from cleveractors.testing import Gate, ScriptedChatModel, ScriptedProvider, Turn, call
from features.lib.world import World

__all__ = ["ACTOR", "Closing", "ask_half_a_character", "end_beside_tools"]

ACTOR: Mapping[str, Any] = {"model": "m"}


class Closing:
    """A stream held in the middle of its answer, and the tasks that close it."""

    def __init__(self, world: World) -> None:
        self.gate = Gate()
        self.provider = world.use(ScriptedProvider(Turn("a b c d", chunks=4, hold_after_chunk=(2, self.gate))))
        self.executor = create_executor(dict(ACTOR), credentials={"openai": Credential("k", self.provider.base_url)})
        world.defer(self.executor.aclose)
        self.stream: RunStream[str] = self.executor.execute_stream("Hello")
        self.seen: list[bool] = []

    async def read(self, *, waits: bool) -> asyncio.Future[Any] | None:
        """Read the beginning; with `waits` a task is left that waits for more."""
        await anext(self.stream)
        if not waits:
            return None
        reader = asyncio.gather(self._drain())
        await self.gate.wait_reached_async()
        return reader

    async def _drain(self) -> None:
        async for _ in self.stream:
            pass

    async def close_twice(self, reader: asyncio.Future[Any] | None) -> None:
        """Close it from two tasks at a time."""
        async with asyncio.timeout(60):
            await asyncio.gather(self._close(), self._close())
            if reader is not None:
                await reader

    async def _close(self) -> None:
        await self.stream.aclose()
        self.seen.append(self.stream.result is not None)


async def ask_half_a_character() -> tuple[ActorResult[Any] | None, Budget, int]:
    """The bill of a message that can't be written in UTF-8, its budget, and the requests that were made."""
    budget = Budget(max_tokens=100_000)
    with ScriptedProvider(Turn("Hello.")) as provider:
        keys = {"openai": Credential("k", provider.base_url)}
        async with create_executor(dict(ACTOR), credentials=keys, budgets=[budget]) as executor:
            try:
                result = await executor.execute("half \ud83d")
            except UnicodeEncodeError as error:
                return result_of(error), budget, len(provider.requests)
            return result, budget, len(provider.requests)


async def end_beside_tools() -> list[str]:
    """The ids of runs whose bills were delivered while sync tools held every thread."""
    held, free = threading.Barrier(3), threading.Event()
    delivered: list[str] = []

    def hold() -> str:
        """Hold a thread."""
        held.wait(10)
        free.wait(10)
        return "held"

    slow = ScriptedChatModel([call("hold"), call("hold"), "done", "done"])
    actor = {"provider": "house", "model": "m", "tools": ["hold"]}
    async with create_executor(
        actor,
        tools=[hold],
        models={"house": slow},
        max_threads=2,
        sink_timeout=5,
        on_result=lambda result: delivered.append(result.run_id),
    ) as executor:
        runs = asyncio.gather(*(executor.execute("Hold", run_id=f"slow{number}") for number in range(2)))
        await asyncio.to_thread(held.wait, 10)
        await executor.execute("Be quick", run_id="quick", model=ScriptedChatModel(["quick"]))
        before = list(delivered)
        free.set()
        await runs
    return before
