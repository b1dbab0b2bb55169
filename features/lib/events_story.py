"""The story of one event stream: an agent, what its model says, and all that was told of its run."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from cleveractors import (
    AbortSignal,
    ActorResult,
    EventOrigin,
    EventYield,
    Executor,
    Limits,
    ReActEvent,
    ReactOutput,
    create_executor,
    result_of,
)
from cleveractors.testing import ScriptedChatModel
from features.lib.events_rules import check_order, check_stream
from features.lib.events_script import read_turns
from features.lib.events_shown import Row, rows_of
from features.lib.events_tools import EventTools
from features.lib.world import World

__all__ = ["EventStory", "story_of"]


@dataclass
class EventStory:
    """What one scenario about event streams knows."""

    world: World
    tools: EventTools = field(default_factory=EventTools)
    names: list[str] = field(default_factory=list[str])
    settings: dict[str, Any] = field(default_factory=dict[str, Any])
    limits: dict[str, Any] = field(default_factory=dict[str, Any])
    others: dict[str, Any] = field(default_factory=dict[str, Any])
    """Agents beside the entry agent, which may call them."""
    models: dict[str, Any] = field(default_factory=dict[str, Any])
    extra: list[Any] = field(default_factory=list[Any])
    """Tools of the scenario's own."""
    house: dict[str, Any] = field(default_factory=dict[str, Any])
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    signal: AbortSignal = field(default_factory=AbortSignal)
    model: ScriptedChatModel = field(default_factory=ScriptedChatModel)
    outputs: list[ReactOutput] = field(default_factory=list[ReactOutput])
    observed: list[EventYield] = field(default_factory=list[EventYield])
    """What an observer heard."""
    result: ActorResult[Any] | None = None
    stream: Any = None
    behind: Any = None
    """The reader, where it is behind."""
    counted: Counter[str] = field(default_factory=Counter[str])
    """Events that were built."""
    streamed: bool = False
    _executor: Executor | None = None

    def says(self, rows: Iterable[Mapping[str, str]]) -> None:
        """What the model will say."""
        self.model = ScriptedChatModel(read_turns(rows, self.signal))

    @property
    def executor(self) -> Executor:
        """The executor; it is made when it is first asked for."""
        if self._executor is None:
            self._executor = create_executor(
                {"name": "story", "entry": "main", "agents": {"main": self._main(), **self.others}},
                tools=[*self.tools.pick(self.names), *self.extra],
                models={"house": self.model, **self.models},
                limits=Limits(**self.limits),
                **self.house,
            )
            self.world.defer(self._executor.aclose)
        return self._executor

    def _main(self) -> dict[str, Any]:
        if "type" in self.settings:
            return self.settings
        names = [*self.names, *self.others, *(tool.__name__ for tool in self.extra)]
        retry = {"attempts": 2, "initial": 0}
        return {"provider": "house", "model": "scripted", "tools": names, "retry": retry, **self.settings}

    def watch(self) -> None:
        """Have an observer hear of everything."""

        async def observe(event: ReActEvent, origin: EventOrigin) -> None:
            self.observed.append(EventYield(event, origin))

        self.house["observers"] = [*self.house.get("observers", ()), observe]

    def begin(self, *, streamed: bool, **options: Any) -> Any:
        """Open the stream, and read nothing yet."""
        given: dict[str, Any] = {"abort_signal": self.signal, **self.options, **options}
        self.stream = self.executor.execute_events("What is a word?", stream=streamed, **given)
        return self.stream

    async def read(self, *, streamed: bool, **options: Any) -> None:
        """Read to the end, keep what came, and hold it against the rules."""
        stream = self.begin(streamed=streamed, **options)
        try:
            async for output in stream:
                self.outputs.append(output)
        except Exception as error:
            self.world.keep_error(error)
            assert result_of(error) is stream.result
        self.result = stream.result
        check_stream(self.outputs, self.result)

    async def leave_at(self, kind: str, *, streamed: bool) -> None:
        """Read until an event of this kind has come, then leave the stream."""
        async with self.begin(streamed=streamed) as stream:
            async for output in stream:
                self.outputs.append(output)
                if self.rows[-1][0] == kind:
                    break
        self.result = stream.result

    async def cancel_at(self, kind: str, *, streamed: bool) -> None:
        """Read until an event of this kind has come, then cancel the reading task."""
        reading = asyncio.ensure_future(self._keep_reading(kind, streamed))
        with suppress(asyncio.CancelledError):
            await reading
        self.result = self.stream.result
        check_order(self.observed)

    async def _keep_reading(self, kind: str, streamed: bool) -> None:
        task = asyncio.current_task()
        assert task is not None
        async for output in self.begin(streamed=streamed):
            self.outputs.append(output)
            if self.rows[-1][0] == kind:
                task.cancel()

    @property
    def rows(self) -> list[Row]:
        """What came, as a table has it."""
        return rows_of(self.outputs)

    def check(self, expected: Iterable[tuple[str, str]], *, streamed: bool) -> None:
        """What came is this; rows that begin with `~` come only from a streamed run."""
        came = [(kind, told.strip()) for kind, told in self.rows]
        wanted = [(kind.lstrip("~ "), told) for kind, told in expected if streamed or not kind.startswith("~")]
        shown = "\n".join(f"| {kind} | {told} |" for kind, told in came)
        assert came == wanted, shown

    def place_of(self, row: str) -> int:
        """Where among the outputs the one of this row is."""
        return next(
            place for place, one in enumerate(self.outputs) if [" ".join(told) for told in rows_of([one])] == [row]
        )

    def steps(self) -> dict[str, list[Any]]:
        """The steps that tools told, by call."""
        steps: dict[str, list[Any]] = {}
        for event in self.events:
            if getattr(event, "event_name", "") == "progress":
                steps.setdefault(event.tool_call_id, []).append(event.data["step"])
        return steps

    @property
    def events(self) -> list[Any]:
        """The events that came."""
        return [one.event for one in self.outputs if isinstance(one, EventYield)]


def story_of(context: object) -> EventStory:
    """Find the scenario's, or begin one."""
    found = getattr(context, "event_story", None)
    if found is None:
        found = EventStory(getattr(context, "world"))  # noqa: B009 - behave's context has no types
        setattr(context, "event_story", found)  # noqa: B010 - likewise
    return found
