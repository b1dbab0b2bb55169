"""Turns that cost something, and what they come to."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from cleveractors import RunContext, ToldUsage
from cleveractors.testing import Turn
from features.lib.bench import Bench, soon

__all__ = ["ask_at_once", "silent_turn", "turn_of_tokens", "usage_of", "use_paying_tool"]


def turn_of_tokens(text: str, reasoning: int = 0) -> Turn:
    """A turn that bills `1000 prompt, 600 cached and 100 completion`."""
    figures = {name: int(figure) for figure, name in re.findall(r"(\d+) (\w+)", text)}
    return Turn(
        "It rains.",
        prompt_tokens=figures["prompt"],
        completion_tokens=figures["completion"],
        cached_tokens=figures.get("cached", 0),
        reasoning_tokens=reasoning,
    )


def use_paying_tool(bench: Bench, cost: str, model: str) -> None:
    """A tool that reports what it paid: money, or tokens as `-1 tokens`."""
    tokens, _, unit = cost.partition(" ")
    paid: dict[str, Any] = {"prompt_tokens": int(tokens)} if unit else {"cost": cost}

    async def spend(context: RunContext[Any]) -> str:
        """Spends."""
        context.report_usage(model=model, **paid)
        return "spent"

    bench.keys["tools"] = ["spend"]
    bench.tools.append(spend)


def silent_turn() -> Turn:
    """A turn whose provider tells nothing."""
    return Turn("It rains.", usage="never")


def usage_of(row: Any) -> ToldUsage:
    """A usage as a table writes it; what it leaves out is 0."""
    names = ("prompt", "completion", "cached", "cache_write", "reasoning")
    return ToldUsage(*(int(row[name]) if name in row.headings else 0 for name in names))


async def ask_at_once(bench: Bench, count: int) -> None:
    """So many runs at once; the gate is opened when all but those that stand there have ended."""
    _ = bench.executor
    runs = [asyncio.create_task(bench.ask()) for _ in range(count)]
    await bench.gate.wait_reached_async()
    await soon(lambda: sum(run.done() for run in runs) >= count - bench.gate.reached)
    bench.gate.open()
    await asyncio.gather(*runs)
