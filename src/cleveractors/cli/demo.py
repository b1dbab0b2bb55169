"""`cleveractors demo`: a run to look at, with two tools side by side, a budget and a bill, without key or network."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Mapping
from typing import Any

from cleveractors import ActorPolicy, Budget, Executor, create_executor
from cleveractors.cli.events import AnswerText
from cleveractors.cli.reporting import Ending, report
from cleveractors.cli.signals import Interruption
from cleveractors.cli.tables import bill_table
from cleveractors.cli.terminal import Output, say
from cleveractors.events.envelope import ReactOutput, is_event_yield
from cleveractors.events.types import LLMChunkArriveEvent, ToolCallEndEvent, ToolCallStartEvent

__all__ = ["show_demo"]

QUESTION = "I am in Paris today: what is the weather, and when does my train leave?"
ANSWER = "Paris has 14 °C and light rain, so take an umbrella. Your train to Rome leaves at 18:42 from platform 7."
ACTOR: Mapping[str, Any] = {
    "name": "demo",
    "agents": {
        "assistant": {
            "provider": "scripted",
            "model": "demo",
            "system_prompt": "You help people who travel.",
            "tools": ["get_weather", "find_train"],
            "script": [
                {
                    "calls": [
                        {"name": "get_weather", "arguments": {"city": "Paris"}},
                        {"name": "find_train", "arguments": {"start": "Paris"}},
                    ]
                },
                ANSWER,
            ],
        }
    },
}
PRICES = {"demo": {"prompt": "0.15", "completion": "0.60"}}
CEILING = 5_000
READING = 0.04
"""Seconds between two pieces of text on a terminal, as a model would write them."""


async def get_weather(city: str) -> str:
    """Tell today's weather.

    Args:
        city: its name.
    """
    await asyncio.sleep(0.4)
    return f"{city} has 14 °C and light rain."


async def find_train(start: str) -> str:
    """Find the next train that is booked.

    Args:
        start: the city it leaves from.
    """
    await asyncio.sleep(0.8)
    return f"18:42 from {start} to Rome, platform 7."


class Story:
    """Tells a run line by line: when each tool begins and ends, and the answer while it comes."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._text = AnswerText(output)
        self._began = time.monotonic()

    def __call__(self, output: ReactOutput) -> None:
        """One more output of the run."""
        event = output.event if is_event_yield(output) else None
        if isinstance(event, ToolCallStartEvent):
            self._line(f"→ {event.tool_name} {json.dumps(event.arguments, ensure_ascii=False)}")
        elif isinstance(event, ToolCallEndEvent):
            self._line(f"← {event.tool_name}: {event.result} ({event.execution_time:.1f} s)")
        self._text(output)

    def _line(self, text: str) -> None:
        self._output.write(f"{time.monotonic() - self._began:4.1f} s  {text}\n")


def show_demo(*, as_json: bool) -> int:
    """Run the demo.

    Args:
        as_json: whether the whole result is printed in place of the story.

    Returns:
        The exit status, as that of `run`.
    """
    purse = Budget(max_tokens=CEILING, name="demo")
    tools = [get_weather, find_train]
    executor = create_executor(
        ACTOR, tools=tools, policy=ActorPolicy(scripted=True), prices=PRICES, budgets=[purse], platform="cli"
    )
    output, interruption = Output(), Interruption()
    caught: BaseException | None = None
    try:
        asyncio.run(_run(executor, output, interruption, silent=as_json))
        if not as_json:
            output.write(_summary(executor, purse))
    except (Exception, asyncio.CancelledError, KeyboardInterrupt) as error:
        caught = error
    status = report(Ending(executor.last_result, caught, interruption.number), output, as_json=as_json, debug=False)
    if status == 0:
        say("next: `cleveractors init DIR` writes an actor of your own, with tools, tests and a web server")
    return status


async def _run(executor: Executor, output: Output, interruption: Interruption, *, silent: bool) -> None:
    task = asyncio.current_task()
    assert task is not None
    interruption.watch(task)
    async with executor:
        if silent:
            await executor.execute(QUESTION)
            return
        output.write(f"an actor with two tools and a budget of {CEILING:,} tokens is asked:\n{QUESTION}\n\n")
        story, pause = Story(output), READING if sys.stdout.isatty() else 0.0
        async with executor.execute_events(QUESTION, stream=True) as stream:
            async for one in stream:
                story(one)
                if is_event_yield(one) and isinstance(one.event, LLMChunkArriveEvent) and one.event.text:
                    await asyncio.sleep(pause)


def _summary(executor: Executor, purse: Budget) -> str:
    result = executor.last_result
    assert result is not None
    spent = f"the budget: {purse.spent:,} of {CEILING:,} tokens are spent, {purse.remaining:,} are left"
    return f"\n\n{bill_table(result)}\n{spent}; the prices are made up\n"
