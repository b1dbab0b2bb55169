"""What a run asks its hooks, as the loop will."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any
from unittest.mock import patch

from cleveractors.hooks import PreToolCall
from cleveractors.hooks.facts import ToolRan
from cleveractors.hooks.merging import Allowed, Denied
from features.lib.hooks import HooksWorld, settle, widest_gap

__all__ = ["allowed", "call_tool", "denied"]


async def call_tool(story: HooksWorld, tool: str, arguments: Any) -> None:
    """Ask whether a tool may be called; `limit`, where there is one, has to be a number."""

    def validate(changed: dict[str, Any]) -> None:
        if not isinstance(changed.get("limit", 0), int):
            raise ValueError("limit must be an integer")

    began = time.monotonic()
    context = story.context.for_tool("call-1")
    story.outcome = await story.run_hooks.pre_tool_call(context, tool, arguments, "call-1", validate)
    story.seconds = time.monotonic() - began


async def call_many(story: HooksWorld, count: int, tool: str) -> None:
    """Ask about calls side by side; how they came out, and the longest silence of the loop."""

    async def work() -> None:
        story.outcome = await asyncio.gather(
            *(story.run_hooks.pre_tool_call(story.context, tool, {"n": n}, f"call-{n}") for n in range(count))
        )

    story.seconds = await widest_gap(work)


async def call_in_runs(story: HooksWorld, runs: int, tool: str) -> None:
    """Ask about one call in each of so many runs at once."""
    contexts = [story.begin() for _ in range(runs)]

    async def one(context: Any) -> object:
        hooks = story.hooks.for_run(context)
        return None if hooks is None else await hooks.pre_tool_call(context, tool, {}, "call-1")

    async def work() -> None:
        story.outcome = await asyncio.gather(*(one(context) for context in contexts))

    story.seconds = await widest_gap(work)


async def transform(story: HooksWorld, tool: str, result: str) -> None:
    """Ask for another result of a tool call, having told of it."""
    ran = ToolRan(tool, {"q": 1}, "call-1", result, 0.25, "ok")
    await story.run_hooks.post_tool_call(story.context, ran)
    story.outcome = await story.run_hooks.transform_tool_result(story.context, ran)


async def abort_meanwhile(story: HooksWorld, work: Callable[[], Awaitable[None]]) -> None:
    """Abort the run while a hook waits."""
    task = asyncio.ensure_future(work())
    async with asyncio.timeout(60):
        await story.entered.wait()
        story.context.abort_signal.abort("enough")
        await task


async def count_payloads(story: HooksWorld, tool: str) -> int:
    """How many payload objects a tool call makes."""
    made: list[int] = []
    original = PreToolCall.__init__

    def counting(self: PreToolCall, **values: Any) -> None:
        made.append(1)
        original(self, **values)

    with patch.object(PreToolCall, "__init__", counting):
        await call_tool(story, tool, {})
        await settle()
    return len(made)


def allowed(story: HooksWorld) -> Any:
    """The arguments that a call was allowed with."""
    assert isinstance(story.outcome, Allowed), story.outcome
    return story.outcome.arguments


def denied(story: HooksWorld) -> Denied:
    """The refusal."""
    assert isinstance(story.outcome, Denied), story.outcome
    return story.outcome
