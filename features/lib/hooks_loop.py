"""The story of one scenario about hooks in whole runs: a loop whose executor has them, and the moments they saw."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from langchain_core.messages import BaseMessage

from cleveractors import (
    Credential,
    Executor,
    Limits,
    ResponseYield,
    create_executor,
    is_event_yield,
)
from cleveractors.hooks import display
from cleveractors.hooks.asking import Asking
from cleveractors.hooks.display import Display
from cleveractors.hooks.points import POINTS
from cleveractors.testing import Call, RecordedRequest, ScriptedChatModel, Turn, call
from features.lib.hooks import HooksWorld, hooks_of
from features.lib.hooks_agents import AGENTS, idle_of
from features.lib.loop import MODEL, LoopWorld

__all__ = ["HookedLoop", "hooked_of"]

STREAMS = {"answer": "answer", "tokens": "tokens"}


@dataclass
class HookedLoop(LoopWorld):
    """What one scenario about hooks in whole runs knows."""

    story: HooksWorld = field(kw_only=True)
    agents: dict[str, Any] = field(default_factory=dict[str, Any])
    """The actor's other agents."""
    house: dict[str, Any] = field(default_factory=dict[str, Any])
    """More of the executor's options."""
    moments: list[str] = field(default_factory=list[str])
    """What came, in order: hooks, and what a host sees beside them."""
    told_of: dict[str, list[Any]] = field(default_factory=dict[str, list[Any]])
    """Event → its payloads."""
    events: list[Any] = field(default_factory=list[Any])
    outputs: list[Any] = field(default_factory=list[Any])
    asks_for_keys: bool = False
    """Whether a function gives the key, another each time."""
    made: list[str] = field(default_factory=list[str])
    """Events of the payloads that were made, where they are counted."""
    _renewed: int = 0

    def watch(self, events: Mapping[str, Any] = POINTS) -> None:
        """Look on at these moments."""
        for event in events:
            options = {"observe": True} if event in ("transform_llm_output", "stop") else {}
            on: Any = self.story.hooks.on
            on(event, **options)(self._watcher(event))

    def _watcher(self, event: str) -> Any:
        async def watch(payload: Any) -> None:
            self.told_of.setdefault(event, []).append(payload)
            if event != "message_display" or payload.is_final:
                self.moments.append(" ".join([event, *_details(payload)]))

        return watch

    def _made(self) -> Executor:
        agent = {"tools": self.tools, **self.settings}
        if self.settings.get("type") not in ("calling", "idle", "speaking"):
            agent["model"] = MODEL
        if self.settings.get("type") == "asking":
            del agent["tools"]
        if self.model is not None:
            agent["provider"] = "house"
        named = {name for one in (agent, *self.agents.values()) for name in one.get("tools", ())}
        return create_executor(
            {"name": "looping", "agents": {"main": agent, **self.agents}},
            tools=self.bench.pick(sorted(named - self.agents.keys())),
            agent_types={**AGENTS, "idle": idle_of(self.bench.entered)},
            credentials=self._keys if self.asks_for_keys else {"openai": self._key("sk-loop")},
            models={} if self.model is None else {"house": self.model},
            limits=Limits(**self.limits),
            on_usage=self.told.append,
            on_result=lambda result: self.moments.append("on_result"),
            hooks=self.story.hooks,
            **self.house,
        )

    def _key(self, key: str) -> Credential:
        return Credential(key, base_url=self.provider.base_url)

    def _keys(self, provider: str, context: object) -> Credential:
        self._renewed += 1
        return self._key(f"sk-{self._renewed}")

    async def ask_as(self, question: str, way: str) -> None:
        """Ask in one of the ways that there are."""
        if way in ("events", "streamed events"):
            await self._follow(question, stream=way == "streamed events")
        else:
            await self.ask(question, streaming=STREAMS.get(way, ""))

    async def _follow(self, question: str, *, stream: bool) -> None:
        outputs = self.executor.execute_events(question, stream=stream, **self.options)
        try:
            async for output in outputs:
                self._take(output)
        except Exception as error:
            self._keep(error)
        else:
            assert outputs.result is not None
            self.results.append(outputs.result)
        self.check()

    def _take(self, output: Any) -> None:
        if isinstance(output, ResponseYield):
            self.outputs.append(output.response)
            self.moments.append("ResponseYield")
        elif is_event_yield(output):
            self.events.append(output.event)
            if output.event.event_type == "react_end":
                self.moments.append("ReactEnd")

    async def ask_many(self, count: int) -> None:
        """Ask so many times at once."""
        await asyncio.gather(*(self.executor.execute(f"Question {one}") for one in range(count)))

    async def ask_timed(self, question: str) -> None:
        """Ask, and measure."""
        began = time.monotonic()
        await self.ask(question)
        self.story.seconds = time.monotonic() - began

    async def ask_and_cancel_in_hook(self, question: str) -> None:
        """Ask, and cancel when a hook hangs."""

        async def act(task: asyncio.Task[Any]) -> None:
            async with asyncio.timeout(60):
                await self.story.entered.wait()
            task.cancel()

        await self.ask_and(question, act)

    async def _abort_in_hook(self, task: asyncio.Future[Any]) -> None:
        async with asyncio.timeout(60):
            await self.story.entered.wait()
        self.signal.abort("enough")

    async def ask_and_abort_in_hook(self, question: str) -> None:
        """Ask, and abort when a hook hangs."""
        await self.ask_and(question, self._abort_in_hook)

    async def follow_and_abort_in_hook(self, question: str) -> None:
        """The same, with the events read."""
        self.options["abort_signal"] = self.signal
        task = asyncio.ensure_future(self._follow(question, stream=True))
        await self._abort_in_hook(task)
        await task

    def shorten_drain(self, seconds: float) -> None:
        """Let runs wait less for displays."""
        self.story.world.use(patch.object(Display.__init__, "__defaults__", (time.monotonic, seconds)))

    def show_all(self) -> None:
        """Display every piece of text as it comes."""
        self.story.world.use(patch.object(display, "DEBOUNCE", 0.0))

    def count_payloads(self) -> None:
        """Count the payloads that are made."""
        made, make = self.made, Asking.payload

        def payload(asking: Asking, kind: Any, context: Any, **own: Any) -> Any:
            made.append(kind.hook_event_name)
            return make(asking, kind, context, **own)

        self.story.world.use(patch.object(Asking, "payload", payload))

    def be(self, kind: str) -> None:
        """The entry agent is of a type of its own."""
        self.settings["type"] = kind

    def use_scripted(self) -> None:
        """A model within the process, which calls echo once."""
        self.model = ScriptedChatModel(_call_once)

    def answer_each(self) -> None:
        """Every agent calls each of its tools once, then says that it has helped."""
        self.provider.respond(_call_each)

    def shown(self) -> list[tuple[Any, ...]]:
        """What displays were shown: attempt, text, whether it was the last, its outcome."""
        told = self.told_of.get("message_display", [])
        return [(one.attempt, one.displayed_text, one.is_final, one.outcome) for one in told]


def _call_once(messages: Sequence[BaseMessage]) -> Any:
    asked = messages[-1].type == "human"
    return call("echo", text="a") if asked else "Done."


def _call_each(request: RecordedRequest) -> Turn:
    if request.messages[-1]["role"] == "tool":
        return Turn("helped")
    offered = [one["function"] for one in request.tools or ()]
    task = '{"task": "help"}'
    # A child, a fork too, is asked for help; it calls its plain tools alone.
    child = request.messages[-1]["content"] == "help"
    names = [one["name"] for one in offered if not child or one["name"] in BENCH]
    return Turn(calls=[Call(name, "{}" if name in BENCH else task) for name in names])


BENCH = ("echo", "waits", "fatal")


def _details(payload: Any) -> list[str]:
    names = ("tool_name", "status", "outcome", "reason", "child_role", "child_status", "will_retry")
    found = [getattr(payload, name, None) for name in names]
    return [str(one) for one in found if one is not None]


def hooked_of(context: object) -> HookedLoop:
    """Find the scenario's, or begin one; the steps about loops find it too."""
    found = getattr(context, "loop_world", None)
    if found is None:
        story = hooks_of(context)
        found = HookedLoop(story.world, story=story)
        setattr(context, "loop_world", found)  # noqa: B010 - behave's context has no types
    assert isinstance(found, HookedLoop), "say first that it is a loop with hooks"
    return found
