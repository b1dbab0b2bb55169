"""An actor on the loopback provider, the host's sinks around it, and what came of its runs."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import aiosqlite

from cleveractors import (
    ActorResult,
    ConfigurationError,
    Credential,
    Executor,
    FatalToolError,
    InvocationRecord,
    RunStream,
    TokenUsage,
    create_executor,
    last_token_usage_var,
    result_of,
)
from cleveractors.testing import BodyFault, Call, DropFault, Gate, ScriptedProvider, StatusFault, StreamFault, Turn
from features.lib.world import World

BENCH = "bench"
PATIENCE = 60.0
NO_PAUSE = {"attempts": 3, "initial": 0, "maximum": 0}

FAULTS = {
    "400": StatusFault(400),
    "401": StatusFault(401),
    "429": StatusFault(429, retry_after=0),
    "500": StatusFault(500),
    "html": BodyFault("html"),
    "dropped": DropFault(),
    "cut": DropFault(after=2),
    "error event": StreamFault(after=2),
}
ARGUMENTS: dict[str, Mapping[str, object] | str] = {"get_weather": {"city": "Paris"}, "broken": "{not json"}


class Odd(Exception):
    """Raised by samples; nothing else raises it."""


async def get_weather(city: str) -> str:
    """The weather of a city."""
    return f"rain in {city}"


async def broken(city: str) -> str:
    """A tool that always fails."""
    raise Odd(city)


async def fatal() -> str:
    """A tool that ends the run."""
    raise FatalToolError("the database is gone") from Odd("why")


async def misconfigured() -> str:
    """A tool that finds out too late that it can't work."""
    raise ConfigurationError("no database is configured")


TOOLS: dict[str, Callable[..., Any]] = {
    "get_weather": get_weather,
    "broken": broken,
    "fatal": fatal,
    "misconfigured": misconfigured,
}


@dataclass(frozen=True)
class Seen:
    """A row as `on_usage` saw it, and how many requests had arrived by then."""

    row: InvocationRecord
    arrived: int


@dataclass
class Ways:
    """What one ending showed on every way to the bill, read before anything else happened."""

    value: Any = None
    error: BaseException | None = None
    carried: ActorResult[Any] | None = None
    attribute: object = None
    last: ActorResult[Any] | None = None
    usage: TokenUsage | None = None
    billed: list[str] = field(default_factory=list[str])
    """The runs that the host's database knew of by then."""


class Bench:
    """One actor, and what a scenario does with it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.provider = world.use(ScriptedProvider())
        self.keys: dict[str, Any] = {"model": "gpt-4o-mini", "retry": NO_PAUSE}
        self.tools: list[Any] = []
        self.options: dict[str, Any] = {"on_usage": self.note_row, "on_result": self.note_bill}
        self.run_options: dict[str, Any] = {}
        self.gate = Gate()
        self.seen: list[Seen] = []
        self.bills: list[ActorResult[Any]] = []
        self.results: list[ActorResult[Any]] = []
        self.texts: list[str] = []
        self.notes: list[Any] = []
        """Whatever a story wants remembered."""
        self.stories: list[Any] = []
        """What a story keeps of its own, beside what it notes."""
        self.ways = Ways()
        self.stream: RunStream[str] | None = None
        self.run_id = ""
        """The run that somebody has left."""
        self.database: Database | None = None
        self._executor: Executor | None = None
        # An open gate frees the provider before it is closed.
        world.defer(self.gate.open)

    # The actor

    def declare(self, names: Sequence[str]) -> None:
        """Give the agent tools by name."""
        self.keys["tools"] = list(names)
        self.tools += [TOOLS[name] for name in names]

    def make(self, **options: Any) -> Executor:
        """An executor of this actor that is closed with the scenario."""
        actor = {"name": "bench", "agents": {"main": self.keys}}
        given: dict[str, Any] = {
            "tools": self.tools,
            "credentials": {"openai": Credential("sk-secret", self.provider.base_url)},
            **self.options,
            **options,
        }
        executor = create_executor(given.pop("actor", actor), **given)
        self.world.defer(executor.aclose)
        return executor

    @property
    def executor(self) -> Executor:
        """The one executor of most scenarios."""
        if self._executor is None:
            self._executor = self.make()
        return self._executor

    # The sinks

    def note_row(self, row: InvocationRecord) -> None:
        self.seen.append(Seen(row, len(self.provider.requests)))

    def note_bill(self, result: ActorResult[Any]) -> None:
        self.bills.append(result)

    async def with_database(self) -> Database:
        """Have `on_result` insert into a real database."""
        self.database = await Database.open(self.world)
        self.options["on_result"] = self.database.insert
        return self.database

    @property
    def billed(self) -> list[str]:
        """The runs whose bill was delivered."""
        if self.database is not None:
            return list(self.database.inserted)
        return [bill.run_id for bill in self.bills]

    # Runs

    async def ask(self, message: str = "What should I wear?", **options: Any) -> ActorResult[Any]:
        """One blocking run."""
        result = await self.executor.execute(message, **{**self.run_options, **options})
        self.results.append(result)
        return result

    def open_stream(self, message: str = "What should I wear?", **options: Any) -> RunStream[str]:
        """One stream, not begun."""
        self.stream = self.executor.execute_stream(message, **{**self.run_options, **options})
        return self.stream

    async def read(self, stream: RunStream[str] | None = None) -> ActorResult[Any]:
        """A stream read to its end."""
        stream = stream or self.open_stream()
        async for text in stream:
            self.texts.append(text)
        assert stream.result is not None
        self.results.append(stream.result)
        return stream.result

    async def observe(self, work: Callable[[], Awaitable[Any]]) -> Ways:
        """Run something and read every way to the bill at its end, without an await in between."""
        ways = self.ways = Ways()
        try:
            ways.value = await work()
        except BaseException as error:
            ways.error = error
            ways.carried, ways.attribute = result_of(error), getattr(error, "result", None)
        ways.last, ways.usage = self.executor.last_result, last_token_usage_var.get()
        ways.billed = self.billed
        return ways

    @property
    def result(self) -> ActorResult[Any]:
        """The last result of the scenario, on whichever way it came."""
        found = self.results[-1] if self.results else self.ways.carried or self.ways.last
        if found is None and self.stream is not None:
            found = self.stream.result
        assert found is not None, "there is no result"
        return found

    @property
    def rows(self) -> list[InvocationRecord]:
        """The last state of every row that `on_usage` saw."""
        last = {seen.row.id: seen.row for seen in self.seen}
        return list(last.values())


class Database:
    """A real database of bills."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection
        self.inserted: list[str] = []
        """Runs whose row is committed."""

    @classmethod
    async def open(cls, world: World) -> Database:
        folder = world.use(tempfile.TemporaryDirectory())
        connection = await aiosqlite.connect(Path(folder, "bills.sqlite"))
        world.defer(connection.close)
        await connection.execute("CREATE TABLE bills (run_id TEXT PRIMARY KEY, prompt INT, completion INT, stop TEXT)")
        return cls(connection)

    async def insert(self, result: ActorResult[Any]) -> None:
        """`on_result`."""
        values = (result.run_id, result.prompt_tokens, result.completion_tokens, result.stop_reason)
        await self._connection.execute("INSERT INTO bills VALUES (?, ?, ?, ?)", values)
        await self._connection.commit()
        self.inserted.append(result.run_id)

    async def rows(self) -> list[tuple[Any, ...]]:
        """What the table holds."""
        async with self._connection.execute("SELECT * FROM bills") as cursor:
            return [tuple(row) for row in await cursor.fetchall()]


def bench(context: Any) -> Bench:
    """Find the scenario's bench, or set one up."""
    if not hasattr(context, BENCH):
        setattr(context, BENCH, Bench(context.world))
    return cast("Bench", getattr(context, BENCH))


def turn_of(row: Mapping[str, str], gate: Gate | None = None) -> Turn:
    """A turn of the provider as a table writes it."""
    cells = {name: value for name, value in row.items() if value}
    fields: dict[str, Any] = {"text": cells.get("text")}
    if "calls" in cells:
        names = [name.strip() for name in cells["calls"].split(",")]
        fields["calls"] = [Call(_named(name), ARGUMENTS.get(name, {})) for name in names]
    for column, name in (("prompt", "prompt_tokens"), ("completion", "completion_tokens"), ("chunks", "chunks")):
        if column in cells:
            fields[name] = int(cells[column])
    if "fault" in cells:
        fields["fault"] = FAULTS[cells["fault"]]
    if "usage" in cells:
        fields["usage"] = cells["usage"]
    if "held" in cells:
        place = cells["held"]
        fields |= (
            {"hold_before": gate}
            if place == "before"
            else {"hold_after_chunk": (int(place) if place.isdigit() else place, gate)}
        )
    return Turn(**fields)


def _named(name: str) -> str:
    return "get_weather" if name == "broken" else name


def turns_of(table: Any, gate: Gate | None = None) -> list[Turn]:
    """The turns of a whole table."""
    return [turn_of(dict(row.items()), gate) for row in table]


async def soon(condition: Callable[[], bool]) -> None:
    """Let the loop go round until something holds; it must not depend on time."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - what is waited for is not ours, and tells nobody
            await asyncio.sleep(0)


def as_json(text: str) -> Any:
    """A cell that is written as JSON."""
    return json.loads(text)
