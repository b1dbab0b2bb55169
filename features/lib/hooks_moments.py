"""The other moments of a run, as the loop will come to them."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from typing import Any

from cleveractors.hooks.facts import ChildRan, SessionOver
from cleveractors.hooks.merging import Contexts
from cleveractors.hooks.points import POINTS
from cleveractors.hooks.wording import capped
from features.lib.hooks import HooksWorld, settle

__all__ = ["begin", "blocks"]

MODEL = "openai/gpt-4o-mini"


async def begin(story: HooksWorld, message: Any) -> None:
    """A run is about to begin with a user's message."""
    await story.run_hooks.session_start(story.context)
    story.outcome = await story.run_hooks.pre_llm_call(story.context, message, [], MODEL)


def blocks(story: HooksWorld) -> Sequence[str]:
    """What was put into the user's message."""
    assert isinstance(story.outcome, Contexts), story.outcome
    assert story.outcome.text == "\n\n".join(story.outcome.blocks)
    return story.outcome.blocks


async def stop_often(story: HooksWorld, times: int) -> None:
    """Ask so many times whether the run may end."""
    story.outcome = [await story.run_hooks.stop(story.context, "Done") for _ in range(times)]


async def answer(story: HooksWorld, text: str) -> None:
    """An answer is about to be delivered."""
    story.outcome = await story.run_hooks.transform_llm_output(story.context, text, MODEL)


async def end(story: HooksWorld, *, cancelled: bool = False) -> None:
    """The session is over; the caller may be cancelled while hooks are told, twice."""
    over = SessionOver("cancelled" if cancelled else "completed", completed=not cancelled, interrupted=cancelled)
    began = time.monotonic()
    task = asyncio.ensure_future(story.run_hooks.session_end(story.context, over))
    if cancelled:
        for _ in range(2):
            await settle()
            task.cancel()
    try:
        await task
    finally:
        story.seconds = time.monotonic() - began


async def child_interrupted(story: HooksWorld) -> None:
    """A child run was cut."""
    await story.run_hooks.subagent_stop(story.context, ChildRan("helper", "child-1", 0.1, "", "interrupted"))


async def in_child(story: HooksWorld) -> None:
    """Come to every moment in a child run."""
    hooks = story.run_hooks.child(story.begin(story.context))
    story.outcome = [event for event in POINTS if hooks.wants(event, "Edit")]


async def show(story: HooksWorld, text: str) -> None:
    """Show a message that is complete, and forget it."""
    message = story.run_hooks.message(story.context)
    assert message
    message.start()
    message.add(text)
    message.close("complete")
    await settle(1)


def history(messages: int, size: int, most: int) -> list[int]:
    """Which messages of a conversation are told, when each has so many bytes."""
    made = [{"role": "user", "content": f"{index} ".ljust(size)} for index in range(messages)]
    told = capped(made, most)
    assert len(json.dumps(told)) <= most + 100 * len(told)
    return [int(message["content"].split()[0]) for message in told]
