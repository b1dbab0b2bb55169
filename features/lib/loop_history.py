"""Histories of scenarios about the loop: given, left behind, and looked at while a loop runs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from cleveractors import ScriptedChatModel, dump_messages, load_messages
from features.lib.loop_direct import LoneAgent
from features.lib.loop_script import read_script
from features.lib.loop_tools import Bench
from features.lib.pairing import check_pairing
from features.lib.world import World

__all__ = ["abort", "cancel", "draw_ends", "sent_lengths", "through_json", "watch_steps", "with_call"]

SCRIPT = (
    {"calls": 'echo & crowd & echo {"'},
    {"says": "Let me look.", "calls": "crowd & fails & crowd & shout & cancels"},
    {"calls": "echo#x & echo#x", "finish": "length"},
    {"calls": 'crowd & threaded & big {"size": 3000}'},
    {"says": ""},
    {"says": "Done."},
)
RULES = {"pruning": {"trigger_tokens": 50, "mode": "truncate"}, "max_parallel_tools": 2}
TOOLS = ["echo", "crowd", "fails", "cancels", "big", "threaded"]


def with_call(call_id: str) -> list[BaseMessage]:
    """A conversation in which `echo` was called once."""
    return [
        HumanMessage("Hi"),
        AIMessage("", tool_calls=[{"name": "echo", "args": {}, "id": call_id, "type": "tool_call"}]),
        ToolMessage("echo", tool_call_id=call_id, name="echo"),
        AIMessage("Hello"),
    ]


def through_json(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Write a history down and read it again; nothing may be lost on the way."""
    written = json.dumps(dump_messages(messages))
    read = load_messages(json.loads(written))
    assert json.dumps(dump_messages(read)) == written
    return read


def sent_lengths(messages: Sequence[dict[str, Any]]) -> str:
    """The lengths of the results in a request; "" where there are none."""
    return ", ".join(str(len(one["content"])) for one in messages if one["role"] == "tool")


def eventful() -> LoneAgent:
    """An agent to which much happens in few rounds."""
    model = ScriptedChatModel([one.scripted() for one in read_script(SCRIPT)])
    return LoneAgent(Bench(), TOOLS, dict(RULES), model)


async def watch_steps() -> int:
    """Look at a loop's list whenever the event loop gets a turn; give how often."""
    agent = eventful()
    task, looks = asyncio.ensure_future(agent.run("Go")), 0
    before: list[BaseMessage] = []
    while not task.done():
        check_pairing(agent.messages)
        assert [one.id or one.type for one in agent.messages[: len(before)]] == [one.id or one.type for one in before]
        before = list(agent.messages)
        looks += 1
        await asyncio.sleep(0)
    await task
    check_pairing(agent.messages)
    return looks


async def _end_after(steps: int, end: Callable[[LoneAgent, asyncio.Task[Any]], object]) -> None:
    agent = eventful()
    task = asyncio.ensure_future(agent.run("Go"))
    for _ in range(steps):
        await asyncio.sleep(0)
    end(agent, task)
    await asyncio.wait({task})
    check_pairing(agent.messages)
    run = agent.context.run
    assert not run.live and all(row.state != "open" for row in run.ledger.rows), run.ledger.rows


def cancel(agent: LoneAgent, task: asyncio.Task[Any]) -> None:
    """End a run from outside."""
    task.cancel()


def abort(agent: LoneAgent, task: asyncio.Task[Any]) -> None:
    """End a run by its signal."""
    agent.context.abort_signal.abort("enough")


def draw_ends(world: World, count: int, end: Callable[[LoneAgent, asyncio.Task[Any]], object]) -> None:
    """End runs after any number of turns of the event loop."""

    def run(steps: int) -> None:
        world.run(_end_after(steps, end))

    settings(max_examples=count)(given(st.integers(0, 160))(run))()
