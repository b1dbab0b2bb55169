"""How runs in sessions end: by their own limits, left, dropped, beside others, and in the example's chat."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage, ToolMessage

from cleveractors import Limits
from cleveractors.testing import Turn
from features.lib.bench import PATIENCE
from features.lib.lives import SOURCE
from features.lib.session_stores import SESSION, new_folder
from features.lib.sessions import FACES, YES, Story

CHAT = Path(__file__).parents[2] / "examples" / "sessions" / "chat.py"
ASKS = Turn(calls=[("get_weather", {"city": "Paris"})], prompt_tokens=10, completion_tokens=2)


def lead_to(story: Story, ending: str) -> None:
    """A provider, and bounds, that bring this ending about."""
    bench = story.bench
    bench.declare(["get_weather"])
    scripts: dict[str, list[Turn]] = {
        "completed": [ASKS, YES],
        "length": [ASKS, Turn("Ye", finish_reason="length")],
        "refused": [Turn("No", finish_reason="content_filter")],
        "max_rounds": [ASKS, YES],
        "model_calls": [ASKS, YES],
        "token_budget": [ASKS, YES],
        "tool_only": [ASKS, Turn(""), YES],
        "timeout": [ASKS, Turn("Yes.", hold_before=bench.gate)],
    }
    bench.provider.script(*scripts[ending])
    if ending == "max_rounds":
        bench.keys["tool_max_rounds"] = 0
    elif ending == "model_calls":
        bench.run_options["limits"] = Limits(max_model_calls=2)
        bench.keys["tool_max_rounds"] = 5
        bench.provider.script(YES)
    elif ending == "token_budget":
        bench.keys["token_budget"] = 30
    elif ending == "timeout":
        bench.run_options["timeout"] = 0.3


async def leave_at(story: Story, face: str, left: str, call: int) -> None:
    """Abort or cancel the run while its provider stands at a gate."""
    given = {"session_id": SESSION, "run_id": "r1", **story.bench.run_options}
    executor = story.bench.executor
    task = story.start(FACES[face](executor, "question", given))
    await story.bench.gate.wait_reached_async()
    assert len(story.bench.provider.requests) == call
    if left == "aborted":
        executor.abort("r1")
    else:
        task.cancel()
    await asyncio.wait({task}, timeout=PATIENCE)


async def cancel_in_append(story: Story) -> None:
    """The append goes on, and the cancellation is raised after it."""
    task = story.start(story.bench.executor.execute("question", session_id=SESSION))
    await story.store.reached.wait()
    task.cancel()
    await asyncio.sleep(0)
    assert not task.done()
    story.store.may.set()
    await asyncio.wait({task}, timeout=PATIENCE)


async def leave_detached(story: Story) -> None:
    """The caller's task is cancelled; the run goes on."""
    executor = story.bench.executor
    task = story.start(executor.execute("question", session_id=SESSION, run_id="r1", on_disconnect="finish"))
    await story.bench.gate.wait_reached_async()
    task.cancel()
    await asyncio.wait({task}, timeout=PATIENCE)
    story.bench.gate.open()
    story.ended.append(await executor.wait("r1"))


async def drop_stream(story: Story) -> None:
    """Nobody holds the stream any more."""
    stream = story.bench.executor.execute_stream("question", session_id=SESSION, streaming="tokens")
    await anext(stream)
    await story.bench.gate.wait_reached_async()
    del stream
    story.bench.gate.open()


async def append_meanwhile(story: Story) -> None:
    """Somebody without our turns."""
    task = story.start(story.bench.executor.execute("question", session_id=SESSION))
    await story.bench.gate.wait_reached_async()
    await story.store.append(SESSION, [HumanMessage("faster")], position=0, run_id="other")
    story.bench.gate.open()
    await task


async def break_history(story: Story) -> None:
    """A call without result, a result without call, and an entry that is none."""
    call = {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}
    entries: list[Any] = [
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        ToolMessage("rain", tool_call_id="nobody"),
        {"unreadable": "{"},
    ]
    await story.store.append(SESSION, entries, position=0, run_id="before")


def run_chat(story: Story, talks: Sequence[str]) -> None:
    """The example, once for each talk, with the same file."""
    folder = new_folder(story.bench.world)
    for talk in talks:
        command = [sys.executable, str(CHAT), str(folder / "chat.sqlite"), "alice"]
        environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
        done = subprocess.run(command, input=talk, capture_output=True, text=True, env=environment, timeout=60)
        assert done.returncode == 0, done.stderr
        story.notes.append(re.sub(r"\d+ tokens", "N tokens", done.stdout))
