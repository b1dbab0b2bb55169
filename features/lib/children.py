"""A family of agents on the loopback provider: who calls whom, what each was told, and one bill for all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

import yaml

from cleveractors import (
    AbortSignal,
    ActorResult,
    Budget,
    Credential,
    Executor,
    InvocationRecord,
    Limits,
    ReActEvent,
    ReactOutput,
    create_executor,
    is_event_yield,
    result_of,
)
from cleveractors.events.envelope import EventYield
from cleveractors.testing import Gate, RecordedRequest, ScriptedProvider
from features.lib.bench import NO_PAUSE, TOOLS
from features.lib.loop_books import check_books
from features.lib.loop_script import read_script
from features.lib.world import World

__all__ = ["Family", "family_of"]

AT_ONCE = 0.1
"""Seconds of loop time in which an ending has reached every level."""

Meanwhile = Callable[[asyncio.Task[Any]], Awaitable[None]]


@dataclass
class Family:
    """What one scenario about agents that call each other knows."""

    world: World
    provider: ScriptedProvider
    agents: dict[str, Any] = field(default_factory=dict[str, Any])
    tools: list[Any] = field(default_factory=list[Any])
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    run_options: dict[str, Any] = field(default_factory=dict[str, Any])
    gate: Gate = field(default_factory=Gate)
    told: list[InvocationRecord] = field(default_factory=list[InvocationRecord])
    """The rows as `on_usage` saw them."""
    outputs: list[ReactOutput] = field(default_factory=list[ReactOutput])
    results: list[ActorResult[Any]] = field(default_factory=list[ActorResult[Any]])
    notes: list[Any] = field(default_factory=list[Any])
    """Whatever the agents' and tools' own code remembers."""
    seconds: float = 0.0
    """Loop time from an ending to the run's end."""
    _script: list[Mapping[str, str]] = field(default_factory=list[Mapping[str, str]])
    _executor: Executor | None = None

    def start_over(self) -> None:
        """Forget what has come of it, and play the same again."""
        self.provider, self.gate = self.world.use(ScriptedProvider()), Gate()
        self.world.defer(self.gate.open)
        self.options["budgets"] = [Budget(max_tokens=budget.max_tokens) for budget in self.budgets]
        self._executor = None
        self.told, self.results = [], []
        self.says(self._script)

    def declare(self, text: str) -> None:
        """Take the agents as an actor's file writes them; each one's model has its name."""
        for name, keys in yaml.safe_load(text).items():
            custom = keys.get("type", "llm") != "llm"
            self.agents[name] = keys if custom else {"model": name, "retry": NO_PAUSE, **keys}

    def use_tools(self, names: str) -> None:
        """Give the host tools by name."""
        self.tools += [TOOLS[name.strip()] for name in names.split(",")]

    def use_key(self, provider: str) -> None:
        """Give the house keys for its own provider and for another of the same address."""
        key = Credential("sk-house", self.provider.base_url)
        self.options["credentials"] = {"openai": key, provider: key}

    def says(self, rows: Iterable[Mapping[str, str]]) -> None:
        """Add to what each agent's model will answer."""
        self._script = list(rows)
        for row in self._script:
            for said in read_script([row]):
                turn = said.turn(self.gate, honour_cap=True, usage=True)
                self.provider.script(turn, model=row.get("model") or row["agent"])

    def make(self) -> Executor:
        """An executor of the actor that is closed with the scenario."""
        options = dict(self.options)
        if "limits" in options:
            options["limits"] = Limits(**options["limits"])
        executor = create_executor(
            {"name": "family", "entry": "boss", "agents": self.agents},
            tools=self.tools,
            credentials=options.pop("credentials", {"openai": Credential("sk-house", self.provider.base_url)}),
            on_usage=self._note_row,
            **options,
        )
        self.world.defer(executor.aclose)
        return executor

    def _note_row(self, row: InvocationRecord) -> None:
        self.told.append(row)

    @property
    def executor(self) -> Executor:
        """The one executor of the scenario."""
        if self._executor is None:
            self._executor = self.make()
        return self._executor

    async def ask(self, meanwhile: Meanwhile | None = None, **options: Any) -> None:
        """Ask, do something while the run runs, and hold the bill against all that must be so on every ending."""
        work = self._noted(self.executor.execute("Go.", **{**self.run_options, **options}))
        task = asyncio.ensure_future(work)
        if meanwhile is not None:
            began = await _timed(meanwhile, task)
            with suppress(asyncio.CancelledError):
                await asyncio.wait([task])
            self.seconds = asyncio.get_running_loop().time() - began
        with suppress(asyncio.CancelledError):
            await task
        self.check()

    async def _noted(self, work: Awaitable[ActorResult[Any]]) -> None:
        with self.world.catching():
            try:
                self.results.append(await work)
            except BaseException as error:
                self._keep(error)
                raise

    def _keep(self, error: BaseException) -> None:
        result = result_of(error)
        if result is not None:
            self.results.append(result)

    async def listen(self, on_event: Callable[[EventYield], object] | None = None, **options: Any) -> None:
        """Ask, and read everything that happens."""
        stream = self.executor.execute_events("Go.", **{**self.run_options, **options})
        with self.world.catching():
            async for output in stream:
                self.outputs.append(output)
                if on_event is not None and is_event_yield(output):
                    on_event(output)
        assert stream.result is not None
        self.results.append(stream.result)
        self.check()

    def check(self) -> None:
        """Hold every bill against the provider's ledger, and every history against the checker."""
        check_books(self.results, self.provider, self.budgets, self.told)

    @property
    def budgets(self) -> list[Budget]:
        """The purses that are shared."""
        return cast("list[Budget]", self.options.get("budgets", []))

    @property
    def result(self) -> ActorResult[Any]:
        """The last bill."""
        assert self.results, f"there is no result: {self.world.error!r}"
        return self.results[-1]

    # What the models saw

    def requests(self, agent: str) -> list[RecordedRequest]:
        """What an agent's model was sent."""
        return [one for one in self.provider.requests if one.model == agent]

    def answers(self, agent: str) -> list[str]:
        """What an agent's tools told its model, by its last request."""
        return [str(one["content"]) for one in self.requests(agent)[-1].messages if one["role"] == "tool"]

    def lines(self, agent: str, number: int) -> list[list[str]]:
        """A request of an agent's model as a table writes it."""
        return [[one["role"], str(one.get("content") or "")] for one in self.requests(agent)[number - 1].messages]

    # What was told

    @property
    def events(self) -> list[EventYield]:
        """All events."""
        return [one for one in self.outputs if is_event_yield(one)]

    def of_kind(self, *kinds: type[ReActEvent]) -> list[EventYield]:
        """The events of some kinds."""
        return [one for one in self.events if isinstance(one.event, kinds)]

    def parents(self) -> dict[str, str]:
        """Run → the agent whose run called it."""
        agents = {row.run_id: row.agent for row in self.result.invocations}
        return {row.run_id: agents.get(row.parent_run_id or "", "") for row in self.result.invocations}


async def _timed(meanwhile: Meanwhile, task: asyncio.Task[Any]) -> float:
    await meanwhile(task)
    return asyncio.get_running_loop().time()


def family_of(context: Any) -> Family:
    """Find the scenario's, or begin one."""
    found = getattr(context, "family", None)
    if found is None:
        world = cast("World", context.world)
        context.family = found = Family(world, world.use(ScriptedProvider()))
        # An open gate frees the provider before it is closed.
        world.defer(found.gate.open)
    return cast("Family", found)


# Endings


async def end_by(family: Family, how: str, held: int) -> None:
    """End a run when so many of its requests stand at the gate: by `cancel`, `abort` or `timeout`."""
    await _end_by(family, how, held)
    for _ in range(2):
        # A machine that had no time for it proves nothing.
        if family.seconds > AT_ONCE:
            family.start_over()
            await _end_by(family, how, held)


async def _end_by(family: Family, how: str, held: int) -> None:
    signal, waited = AbortSignal(), 0.0

    async def end(task: asyncio.Task[Any]) -> None:
        nonlocal waited
        await family.gate.wait_reached_async(held)
        waited = family.executor.runs()[0].duration
        if how == "cancel":
            task.cancel()
        elif how == "abort":
            signal.abort("enough")

    options: dict[str, Any] = {"timeout": 1.0} if how == "timeout" else {}
    await family.ask(end, abort_signal=signal, **options)
    # The run's time goes on from when its requests are held.
    family.seconds -= max(options.get("timeout", 0.0) - waited, 0.0)


def check_at_once(family: Family) -> None:
    """The ending has reached every level within 100 ms."""
    assert family.seconds <= AT_ONCE, family.seconds
    assert not family.executor.runs()
