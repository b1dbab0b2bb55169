"""What happens within a run, counted by function."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, cast

from behave.runner import Context
from langchain_core.language_models import BaseChatModel
from langchain_core.load.serializable import Serializable
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, SystemMessage, ToolMessage
from langchain_openai.chat_models.base import BaseChatOpenAI

import cleveractors
from cleveractors import Credential, create_executor
from cleveractors.models.estimate import measure
from cleveractors.models.openai.chunks import ChunkReader
from cleveractors.models.reading import read_stream
from cleveractors.testing import Call, RecordedRequest, ScriptedProvider, Turn
from cleveractors.usage import Attempt
from features.lib.world import World

__all__ = [
    "AGENERATE",
    "ATTEMPT",
    "BIND_TOOLS",
    "FREEZE",
    "READ_STREAM",
    "Census",
    "Counted",
    "counted",
    "shared_by_chunks",
]

_COUNTED = "counted_runs"

OURS = str(Path(cleveractors.__file__).parent)
ASIDE = (f"{OURS}/events/", f"{OURS}/hooks/")

ATTEMPT = Attempt.__init__.__code__
FREEZE = Attempt.freeze.__code__
READ_STREAM = read_stream.__code__
BIND_TOOLS = cast("Any", BaseChatOpenAI).bind_tools.__code__
AGENERATE = BaseChatModel.agenerate.__code__
_MEASURE = measure.__code__
_MERGE = AIMessageChunk.__add__.__code__
_TASK = asyncio.BaseEventLoop.create_task.__code__
_THREAD = threading.Thread.start.__code__
_TIMER = asyncio.BaseEventLoop.call_at.__code__
_TIMEOUTS = (OURS, asyncio.timeouts.__file__)
"""Who sets a timer in our name."""
_MADE = cast("Any", Serializable).__init__.__code__
_MESSAGES = (SystemMessage, HumanMessage, AIMessage, ToolMessage)

PROGRAM = """
import asyncio, sys
from cleveractors import Credential, create_executor

async def look(city: str) -> str:
    "Look out of the window."
    return "rain"

async def main(url):
    actor = {"model": "m", "system_prompt": "Help.", "tools": ["look"]}
    async with create_executor(actor, tools=[look], credentials={"openai": Credential("none", url)}) as executor:
        before = set(sys.modules)
        for _ in range(2):
            await executor.execute("Weather?")
        print(" ".join(sorted(set(sys.modules) - before)))

asyncio.run(main(sys.argv[1]))
"""


@dataclass
class Census:
    """How often functions were called, and by whom."""

    calls: Counter[CodeType] = field(default_factory=Counter[CodeType])
    aside: Counter[str] = field(default_factory=Counter[str])
    """Functions of the rooms that are only for listeners and hooks."""
    tasks: list[str] = field(default_factory=list[str])
    """Where our code has started tasks."""
    threads: int = 0
    timers: int = 0
    """Of the loop, set by us."""
    messages: int = 0
    """Made by anybody; the chunks of a stream are none."""
    measured: int = 0
    merges: int = 0
    """Of two chunks, by our code."""

    def of(self, code: CodeType) -> int:
        """Calls of a function."""
        return self.calls[code]

    def note(self, frame: FrameType, event: str, argument: object) -> None:
        """What `sys.setprofile` calls."""
        if event != "call":
            return
        code = frame.f_code
        caller = frame.f_back.f_code.co_filename if frame.f_back is not None else ""
        self.calls[code] += 1
        if code.co_filename.startswith(ASIDE):
            self.aside[code.co_qualname] += 1
        elif code is _MEASURE:
            self.measured += len(frame.f_locals["messages"])
        elif code is _TASK and caller.startswith(OURS):
            self.tasks.append(caller)
        elif code is _THREAD:
            self.threads += 1
        elif code is _TIMER and caller.startswith(_TIMEOUTS):
            self.timers += 1
        elif code is _MADE and type(frame.f_locals["self"]) in _MESSAGES:
            self.messages += 1
        elif code is _MERGE and caller.startswith(OURS):
            self.merges += 1


class Counted:
    """An executor whose runs are counted."""

    def __init__(self, world: World) -> None:
        self.census = Census()
        self.imported: list[str] = []
        provider = world.use(ScriptedProvider())
        provider.respond(_turn)
        self._url = provider.base_url
        self._executor = create_executor(
            {"model": "m", "system_prompt": "Help.", "tools": ["look"], "streaming": "tokens"},
            tools=[look],
            credentials={"openai": Credential("none", self._url)},
        )
        world.defer(self._executor.aclose)

    async def run(self, kind: str) -> None:
        """One run of one tool round."""
        if kind == "blocking":
            await self._executor.execute("Weather?")
            return
        async with self._executor.execute_stream("Weather?") as stream:
            assert "".join([piece async for piece in stream]) == "It rains in Paris."

    async def count(self, kind: str) -> None:
        """One run, counted."""
        outer = sys.getprofile()
        sys.setprofile(self.census.note)
        try:
            await self.run(kind)
        finally:
            sys.setprofile(outer)

    def imports(self) -> list[str]:
        """What the runs of a fresh process import."""
        done = subprocess.run([sys.executable, "-c", PROGRAM, self._url], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()


def counted(context: Context) -> Counted:
    """The scenario's executor, made at the first call."""
    if not hasattr(context, _COUNTED):
        setattr(context, _COUNTED, Counted(context.world))
    return getattr(context, _COUNTED)


async def look(city: str) -> str:
    """Look out of the window.

    Args:
        city: where
    """
    return f"rain in {city}"


def _turn(request: RecordedRequest) -> Turn:
    if request.messages[-1]["role"] == "tool":
        return Turn(text="It rains in Paris.", chunks=4)
    return Turn(calls=[Call("look", {"city": "Paris"})])


def shared_by_chunks() -> list[str]:
    """Fields of two chunks of a stream whose lists and mappings are one object."""
    documents = [{"choices": [{"index": 0, "delta": {"content": text}}]} for text in ("a", "b")]
    one, other = (dict(chunk.message) for chunk in ChunkReader().read(documents)[0])
    return [name for name, value in one.items() if isinstance(value, list | dict) and value is other[name]]
