"""Kernels as tools: cells that a model runs, what it is told, and what is heard meanwhile."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast
from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import ToolMessage

from cleveractors import (
    ActorPolicy,
    ActorResult,
    CustomEvent,
    EventOrigin,
    EventYield,
    Executor,
    ReActEvent,
    ScriptedChatModel,
    ToolCallEndEvent,
    ToolCallStartEvent,
    create_executor,
)
from cleveractors.testing import call
from cleveractors.tools import PythonRepl
from cleveractors.tools.repl.output import STDERR, STDOUT, Output, shortened
from features.lib.world import World

NAME = "repl_world"
KERNEL_EVENTS = (STDOUT, STDERR)


@dataclass
class ReplWorld:
    """What one scenario about kernels knows."""

    world: World
    tool: PythonRepl = field(default_factory=PythonRepl)
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    """Of the executor."""
    told: list[ToolMessage] = field(default_factory=list[ToolMessage])
    """What the model was told of its calls."""
    heard: list[EventYield] = field(default_factory=list[EventYield])
    found: list[str] = field(default_factory=list[str])
    notes: dict[str, Any] = field(default_factory=dict[str, Any])
    _executor: Executor | None = None

    def use(self, tool: PythonRepl) -> None:
        """The tool of the actor."""
        self.tool = tool
        self.world.defer(tool.aclose)

    @property
    def executor(self) -> Executor:
        """The one executor of most scenarios."""
        if self._executor is None:
            self._executor = self.make()
        return self._executor

    def make(self) -> Executor:
        """An executor whose actor has the tool."""
        executor = create_executor(
            {"provider": "house", "model": "any", "tools": ["python"], "tool_max_rounds": 50},
            models={"house": ScriptedChatModel()},
            policy=ActorPolicy(max_rounds=50),
            tools=[self.tool],
            **self.options,
        )
        self.world.defer(executor.aclose)
        return executor

    async def run(
        self, *cells: str, at_once: bool = False, executor: Executor | None = None, **options: Any
    ) -> ActorResult[Any]:
        """One run whose model calls the tool with each of the cells."""
        result = await (executor or self.executor).execute("go", model=model_of(cells, at_once=at_once), **options)
        self.told += _told(result)
        return result

    async def listen(self, cells: Sequence[str], **options: Any) -> None:
        """The same, with the events read."""
        stream = self.executor.execute_events("go", model=model_of(cells), **options)
        async for output in stream:
            if isinstance(output, EventYield):
                self.heard.append(output)
        assert stream.result is not None
        self.told += _told(stream.result)

    @property
    def results(self) -> list[str]:
        """What the model was told, as texts."""
        return [message.text for message in self.told]

    @property
    def kernel_events(self) -> list[CustomEvent]:
        """What was heard of kernels."""
        events = [output.event for output in self.heard]
        return [event for event in events if isinstance(event, CustomEvent) and event.event_name in KERNEL_EVENTS]


def _told(result: ActorResult[Any]) -> list[ToolMessage]:
    return [message for message in result.messages if isinstance(message, ToolMessage)]


def model_of(cells: Sequence[str], *, at_once: bool = False) -> ScriptedChatModel:
    """A model that runs the cells, each in a round of its own or all in one, and then answers."""
    calls = [call("python", code=cell) for cell in cells]
    rounds: list[Any] = [calls] if at_once else list(calls)
    return ScriptedChatModel([*rounds, "done"])


def lines(text: str) -> str:
    """A cell of a table, with its ends of lines."""
    return text.replace("⏎", "\n")


def long_cell(size: int) -> str:
    """A cell that tells how long a text in it is."""
    return f"len('{'x' * size}')"


def new_tool(settings: Mapping[str, Any]) -> PythonRepl:
    """A tool with settings of its own."""
    return PythonRepl(**settings)


def use_folder(world: ReplWorld, module: str) -> None:
    """A working directory with one module in it."""
    folder = Path(world.world.use(tempfile.TemporaryDirectory()))
    (folder / f"{module}.py").write_text("ANSWER = 42\n")
    world.use(PythonRepl(cwd=folder))


def set_variable(world: World, name: str, value: str) -> None:
    """In the host's environment, for the scenario."""
    world.use(mock.patch.dict(os.environ, {name: value}))


def repl_of(context: Any) -> ReplWorld:
    """Find the scenario's world of kernels, or begin one."""
    if not hasattr(context, NAME):
        setattr(context, NAME, ReplWorld(context.world))
    return cast("ReplWorld", getattr(context, NAME))


# What is told


def check_told(world: ReplWorld, rows: Iterable[Mapping[str, str]], *, wholly: bool) -> None:
    """Each result in order, and whether it was a success."""
    expected = [(lines(row["result"]), row["ok"] == "yes") for row in rows]
    found = [(message.text, message.status == "success") for message in world.told]
    assert len(found) == len(expected), found
    for (text, ok), (wanted, wanted_ok) in zip(found, expected, strict=True):
        assert ok == wanted_ok, text
        assert text == wanted if wholly else wanted in text, f"{text!r}\nis not\n{wanted!r}"


def check_events(world: ReplWorld, rows: Iterable[Mapping[str, str]]) -> None:
    """What was heard, stream by stream: how it was cut is the system's."""
    merged: list[tuple[str, str]] = []
    for event in world.kernel_events:
        text: str = event.data["text"]
        if merged and merged[-1][0] == event.event_name:
            text = merged.pop()[1] + text
        merged.append((event.event_name, text))
    assert merged == [(row["name"], lines(row["text"])) for row in rows], merged


def check_within(world: ReplWorld) -> None:
    """Start, the kernel's events, end: all of one call."""
    kinds = (ToolCallStartEvent, CustomEvent, ToolCallEndEvent)
    inside = [output.event for output in world.heard if isinstance(output.event, kinds)]
    inside = [event for event in inside if not isinstance(event, CustomEvent) or event in world.kernel_events]
    first, *between, last = inside
    assert isinstance(first, ToolCallStartEvent) and isinstance(last, ToolCallEndEvent), inside
    assert between and all(isinstance(event, CustomEvent) for event in between), inside
    ids = {_call_of(event) for event in inside}
    assert len(ids) == 1 and None not in ids, ids


def _call_of(event: ReActEvent) -> str | None:
    return cast("str | None", getattr(event, "tool_call_id", None))


def check_sizes(world: ReplWorld, most: int) -> None:
    """Of the results, and of what was heard of each call."""
    assert world.results and all(len(text) <= most for text in world.results)
    sizes: dict[str | None, int] = {}
    for event in world.kernel_events:
        sizes[event.tool_call_id] = sizes.get(event.tool_call_id, 0) + len(event.data["text"])
    assert sizes and all(size <= most for size in sizes.values()), sizes


def check_ends(world: ReplWorld, begins: Sequence[str], ends: Sequence[str]) -> None:
    """How the results begin and end."""
    for text, begin, end in zip(world.results, begins, ends, strict=True):
        assert text.startswith(lines(begin)) and text.endswith(lines(end)), text


def check_no_own_files(world: ReplWorld) -> None:
    """A traceback shows the code's own frames alone."""
    (text,) = world.results
    assert "Traceback" in text and "child.py" not in text and text.count("File") == 2, text


# Told live


async def run_when_heard(world: ReplWorld) -> None:
    """The code waits until somebody who has heard its first line makes a file."""
    flag = Path(world.world.use(tempfile.TemporaryDirectory())) / "heard"
    code = (
        "import os, sys, time\nprint('first')\n"
        f"while not os.path.exists({str(flag)!r}):\n    time.sleep(0.001)\n"
        "print('go on', file=sys.stderr)\n7"
    )

    def hear(event: ReActEvent, origin: EventOrigin) -> None:
        del origin
        if isinstance(event, CustomEvent) and event.event_name == STDOUT:
            flag.touch()

    world.options["observers"] = [hear]
    await world.listen([code])


async def run_with_slow_listener(world: ReplWorld) -> None:
    """The reader of the events is behind, for longer than the code may take."""
    with mock.patch("cleveractors.events.emitter.ToolEventEmitter.emit", _slow_emit):
        await world.run("print('one')\nprint('two')")


async def _slow_emit(emitter: object, event: object, data: object = None) -> None:
    del emitter, event, data
    await asyncio.sleep(0.6)


def check_drawn_outputs(count: int) -> None:
    """Pieces of any text on both streams, with bounds of any size."""
    pieces = st.lists(st.tuples(st.sampled_from(KERNEL_EVENTS), st.text(max_size=60)), max_size=30)

    @settings(max_examples=count)
    @given(pieces, st.integers(60, 400))
    def hold(drawn: list[tuple[str, str]], limit: int) -> None:
        output = Output(limit)
        told = [output.take(stream, text.encode("utf-8", "replace")) for stream, text in drawn]
        whole = "".join(text.encode("utf-8", "replace").decode() for _, text in drawn)
        assert "".join(told) == whole[:limit] and output.size == len(whole)
        _check_shortened(whole, output.text, limit)

    hold()


def _check_shortened(whole: str, kept: str, limit: int) -> None:
    shown = shortened(kept, limit)
    assert len(shown) <= limit
    if len(whole) <= limit:
        assert shown == kept == whole
        return
    begin, _, rest = shown.partition("\n[… ")
    end = rest.partition("…]\n")[2] if rest else ""
    assert whole.startswith(begin) and whole.endswith(end), (shown, whole)
