"""The story of one scenario about tools, and what its steps need."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import json
import logging
import threading
from collections import deque
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar, cast
from unittest import mock
from uuid import UUID

import jsonschema
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import BaseTool
from pydantic import BaseModel

from cleveractors.abort import AbortSignal
from cleveractors.tools import Tool, ToolOptions, Toolset, ToolThreads, as_tool, render
from features.lib.tool_samples import Unit

if TYPE_CHECKING:
    from cleveractors.context import RunContext

E = TypeVar("E", bound=Exception)
WORLD = "tools_world"


class StandIn:
    """As much of a RunContext as a tool needs."""

    tool_call_id = "call_1"

    def __init__(self, threads: ToolThreads | None = None) -> None:
        self.abort_signal = AbortSignal()
        self.threads = threads


@dataclass
class ToolsWorld:
    """What one scenario about tools knows."""

    given: Any = None
    tool: Tool | None = None
    toolset: Toolset = field(default_factory=Toolset)
    result: Any = None
    error: Exception | None = None
    content: str | list[dict[str, Any]] = ""
    context: StandIn = field(default_factory=StandIn)
    told: list[str] = field(default_factory=list[str])
    """What functions and logs said, in order."""
    released: threading.Event = field(default_factory=threading.Event)

    @property
    def made(self) -> Tool:
        """The tool, which must be there by now."""
        assert self.tool is not None, self.error
        return self.tool

    def make(self, sample: Callable[..., Any] | BaseTool | Tool) -> None:
        """Make a tool of a sample, or keep the error."""
        self.given = sample
        self.attempt(lambda: setattr(self, "tool", as_tool(sample)))

    def attempt(self, step: Callable[[], object]) -> None:
        """Do something, and keep its error."""
        self.error = None
        try:
            step()
        except Exception as error:
            self.error = error

    async def call(self, arguments: dict[str, object]) -> None:
        """Validate and run as the loop does; keep the raw result or the error."""
        self.error = None
        try:
            self.result = await self.made.run(self.made.validate(arguments), cast("RunContext[Any]", self.context))
        except Exception as error:
            self.error = error

    @property
    def threads(self) -> ToolThreads:
        """The threads of the scenario."""
        assert self.context.threads is not None
        return self.context.threads

    async def give_up(self, *functions: Callable[[], object]) -> None:
        """Wait a moment for functions that do not end."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.05):
                await asyncio.gather(*map(self.threads.run, functions))
            raise AssertionError("they ended")

    async def begin_late(self) -> None:
        """Give up a function that its thread has taken, but not begun."""
        taken: list[Callable[[], object]] = []

        async def run_sync(job: Callable[[], object], **options: object) -> None:
            taken.append(job)
            raise TimeoutError

        with mock.patch("anyio.to_thread.run_sync", run_sync), contextlib.suppress(TimeoutError):
            await self.threads.run(lambda: self.told.append("late"))
        self.attempt(taken[0])


def world(context: object) -> ToolsWorld:
    """Find the scenario's, or begin one."""
    if not hasattr(context, WORLD):
        setattr(context, WORLD, ToolsWorld())
    return getattr(context, WORLD)


async def echo(arguments: dict[str, object], context: RunContext[Any]) -> object:
    """Return the arguments: what a hand-made tool runs."""
    return arguments


def hand_made(parameters: str, name: str = "hand_made") -> Tool:
    """Make a tool of a schema in JSON."""
    return Tool(name, "Made by hand.", json.loads(parameters), echo, ToolOptions(timeout=1))


class Broken:
    """Raises when anybody looks at it."""

    def __str__(self) -> str:
        raise RuntimeError("not today")


class Opaque:
    """Has nothing to say of itself."""

    def __init__(self) -> None:
        self.key = "secret"


class Array:
    """As numpy's are."""

    def tolist(self) -> list[int]:
        return [1, 2]


Array.__module__ = "numpy"


@dataclass
class Pair:
    left: object
    right: object = None


class Anything(BaseModel):
    it: Any = None


def knot(kind: str) -> object:
    """Make a value that holds itself."""
    if kind == "list":
        items: list[object] = [1]
        items.append(items)
        return items
    if kind == "dict":
        table: dict[str, object] = {}
        table["me"] = table
        return table
    model = Anything()
    model.it = model
    return model


def deep(levels: int) -> object:
    """Nest lists."""
    value: object = "end"
    for _ in range(levels):
        value = [value]
    return value


NAMES: Mapping[str, object] = {
    **{kind.__name__: kind for kind in (Array, Broken, Opaque, Pair, Anything, Decimal, UUID, AIMessage, ToolMessage)},
    "knot": knot,
    "deep": deep,
    "datetime": datetime,
    "Unit": Unit,
}


def value_of(text: str) -> object:
    """Read a Python expression of a feature."""
    return eval(text, dict(NAMES))


def expected(error: Exception | None, kind: type[E]) -> E:
    """Take an error that must be of a kind."""
    assert isinstance(error, kind), repr(error)
    return error


@contextlib.contextmanager
def listening(messages: list[str]) -> Generator[None]:
    """Keep what the tools' rooms log."""
    logger, handler = logging.getLogger("cleveractors.tools"), logging.Handler()
    handler.emit = lambda record: messages.append(record.getMessage())
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds, five seconds at most."""
    for _ in range(5000):
        if holds():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("it does not hold")


PLACES: st.SearchStrategy[object] = st.deferred(
    lambda: st.fixed_dictionaries({"name": st.text()}, optional={"near": st.lists(PLACES, max_size=2)})
)
BOXES = st.fixed_dictionaries({"width": st.integers()}, optional={"label": st.text()})
ROOMS = st.fixed_dictionaries(
    {"width": st.integers(), "boxes": st.lists(BOXES)},
    optional={"label": st.text(), "seen": st.none() | st.dictionaries(st.text(), BOXES)},
)
ARGUMENTS: Mapping[str, st.SearchStrategy[dict[str, object]]] = {
    "google": st.fixed_dictionaries(
        {"city": st.text()}, optional={"unit": st.sampled_from(["celsius", "fahrenheit"]), "days": st.integers()}
    ),
    "everything": st.fixed_dictionaries(
        {
            "place": PLACES,
            "at": st.datetimes().map(lambda at: at.isoformat()),
            "point": st.fixed_dictionaries({"x": st.integers()}, optional={"y": st.integers()}),
        },
        optional={
            "room": st.none() | ROOMS,
            "kind": st.sampled_from(["a", "b"]),
            "count": st.integers(min_value=1),
            "note": st.text(),
            "level": st.integers(min_value=1),
            "late": st.none() | st.text(),
            "sentinel": st.text(),
            "ratio": st.none() | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-9, 9),
            "schema": st.none() | st.uuids().map(str),
            "exact": st.none() | st.dates().map(lambda day: {"day": day.isoformat()}),
        },
    ),
}
"""Arguments that the schemas of samples allow."""


def check_accepted(made: Tool, arguments: dict[str, object]) -> None:
    """Hold arguments against the schema as written, and against the tool's check."""
    assert cast("Any", jsonschema.Draft202012Validator)(made.parameters).is_valid(arguments)
    made.validate(arguments)


def _tied(value: object) -> object:
    knot: dict[object, object] = {"value": value}
    knot["again"] = [knot, Pair(knot, Anything(it=knot))]
    return knot


def values() -> st.SearchStrategy[object]:
    """Draw values of scalars, containers and cycles."""
    scalars = st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.complex_numbers(), st.decimals(), st.uuids(),
        st.datetimes(), st.dates(), st.times(), st.timedeltas(), st.binary(), st.fractions(), st.ip_addresses(),
        st.text(st.characters()), st.text(st.characters(categories=["Cs"])), st.sampled_from(Unit),
        st.builds(Broken), st.builds(Opaque), st.builds(ValueError, st.text()),
    )  # fmt: skip
    keys = st.one_of(st.none(), st.booleans(), st.floats(), st.text(st.characters()), st.tuples(st.text()), st.uuids())
    return st.recursive(
        scalars,
        lambda inner: st.one_of(
            st.lists(inner), st.tuples(inner, inner), st.dictionaries(keys, inner), st.sets(keys), st.frozensets(keys),
            st.builds(Pair, inner, inner), st.builds(Anything, it=inner), inner.map(_tied), st.lists(inner).map(deque),
            st.dictionaries(st.sampled_from(["type", "text", "image", "url"]), inner).map(lambda block: [block]),
        ),
    )  # fmt: skip


def check_rendered(value: object) -> None:
    """Render a value as the loop does, and as the client of a model sends it."""
    content = render(value)
    assert isinstance(content, (str, list))
    json.dumps(content, ensure_ascii=False, allow_nan=False).encode()
