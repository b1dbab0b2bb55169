"""Sample tools: functions of every kind, functions that can't be tools, LangChain tools."""

from __future__ import annotations

import datetime
import enum
import functools
import threading
import typing
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from cleveractors.abort import AbortSignal
from cleveractors.tools import Tool, as_tool, tool

if typing.TYPE_CHECKING:
    from cleveractors.context import RunContext

    class Deps:
        """Out of reach at run time, as what is imported under TYPE_CHECKING."""


LABEL: ContextVar[str] = ContextVar("LABEL", default="none")


class Unit(enum.Enum):
    CELSIUS = "celsius"
    FAHRENHEIT = "fahrenheit"


class Place(BaseModel):
    """A place on a map."""

    name: str
    near: list[Place] = []


class Exact(BaseModel):
    model_config = ConfigDict(strict=True)

    day: datetime.date


@dataclass
class Point:
    x: int
    y: int = 0


class Box(typing.TypedDict):
    width: int
    label: typing.NotRequired[str]


class Room(Box, total=False):
    boxes: typing.Required[list[Box]]
    seen: Annotated[dict[str, Box] | None, Field(description="By name.")]


async def get_weather(city: str, unit: Unit = Unit.CELSIUS, days: int = 1) -> str:
    """Tell the weather
    of a city.

    It knows more than this paragraph.

    Args:
        city (str): The city,
            with its country.
        unit: The unit.

    Returns:
        str: a sentence
    """
    return f"{city}: {days * 20} {unit.value}"


async def numpy_style(city: str, unit: Unit = Unit.CELSIUS, days: int = 1) -> str:
    """Tell the weather of a city.

    Parameters
    ----------
    city : str
        The city,
        with its country.
    unit
        The unit.

    Returns
    -------
    str
        days : a sentence
    """
    return city


async def sphinx_style(city: str, unit: Unit = Unit.CELSIUS, days: int = 1) -> str:
    """Tell the weather of a city.

    :param str city: The city,
        with its country.
    :param unit: The unit.
    :returns: a sentence
    """
    return city


async def everything(
    context: RunContext[Deps],
    place: Place,
    at: datetime.datetime,
    point: Point,
    room: Room | None = None,
    kind: Literal["a", "b"] = "a",
    count: Annotated[int, Field(gt=0, description="How many.")] = 1,
    note: Annotated[str, "A note."] = "",
    level: int = Field(3, ge=1, description="How high."),
    late: str = cast("Any", None),
    sentinel: str = cast("Any", object()),
    ratio: float | None = None,
    schema: UUID | None = None,
    signal: AbortSignal | None = None,
    *,
    exact: Exact | None = None,
    _abort_signal: object = None,
) -> dict[str, object]:
    """Take one of each."""
    return {
        name: type(value).__name__
        for name, value in locals().items()
        if name not in ("exact", "sentinel") and value is not None
    }


@tool(name="waiter", description="Waits.", timeout=2.5, max_uses=3, repeatable=True, idempotent=True, destructive=True)
def optioned(seconds: float = float("inf")) -> None:
    """Not this."""


async def torn(word: int | str, context: RunContext[Deps] | None = None) -> str:
    """Take one of two."""
    return f"{word} {type(context).__name__}"


@tool
def in_thread(word: str = "") -> str:
    """Tell the thread and the context it runs in."""
    return f"{threading.current_thread() is not threading.main_thread()} {LABEL.get()}{word}"


def disguised(word: str) -> Any:
    """Sync, but returns an awaitable."""
    return get_weather(word)


class Counter:
    """Counts."""

    def __init__(self) -> None:
        self.total = 0

    async def __call__(self, by: int) -> int:
        self.total += by
        return self.total

    @tool
    async def add(self, by: int) -> int:
        """Add."""
        return self.total + by

    @tool(name="double")
    @staticmethod
    def double(number: int) -> int:
        """Double."""
        return number * 2


def wrapping(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate as people do."""

    @functools.wraps(fn)
    async def wrapper(**arguments: Any) -> object:
        return await fn(**arguments)

    return wrapper


def local_type_decorated() -> Callable[..., Any]:
    """Make a tool whose type has gone with this function."""

    class Local(BaseModel):
        size: int

    @tool
    async def local(item: Local) -> int:
        """Measure."""
        return item.size

    return local


def local_type_seen() -> Tool:
    """Make a tool whose type can still be seen in this frame."""

    class Local(BaseModel):
        size: int

    async def local(item: Local) -> int:
        """Measure."""
        return item.size

    return as_tool(local)


def local_type_enclosed() -> Callable[..., Any]:
    """Make a function that holds its type itself."""

    class Local(BaseModel):
        size: int

    async def local(item: Local) -> object:
        """Measure."""
        return Local

    return local


def local_type_lost() -> Callable[..., Any]:
    """Make a function whose type has gone."""

    class Local(BaseModel):
        size: int

    async def local(item: Local) -> int:
        """Measure."""
        return item.size

    return local


def local_type_late() -> Callable[..., Any]:
    """Make a function that also holds a name which nobody has set."""

    class Local(BaseModel):
        size: int

    async def local(item: Local) -> object:
        """Measure."""
        return Local or unset

    if not Local.__name__:
        unset = 1
    return local


async def aliased(number: Annotated[int, Field(alias="no")] = 1) -> int:
    """Take a number by another name."""
    return number


counter = Counter()

SAMPLES: dict[str, Any] = {
    "google": get_weather,
    "numpy": numpy_style,
    "sphinx": sphinx_style,
    "everything": everything,
    "optioned": optioned,
    "in_thread": in_thread,
    "disguised": disguised,
    "instance": counter,
    "method": Counter().add,
    "static": Counter.double,
    "partial": functools.partial(get_weather, unit=Unit.FAHRENHEIT),
    "wrapped": wrapping(get_weather),
    "renamed": tool(tool(get_weather, name="first"), name="second"),
    "renamed method": tool(Counter().__call__, name="plus"),
    "marked twice": tool(timeout=1)(tool(timeout=2)(Counter().add)),
    "marked method": tool()(Counter().__call__),
    "aliased": aliased,
    "torn": torn,
    "late local": local_type_late(),
    "decorated local": local_type_decorated(),
    "enclosed local": local_type_enclosed(),
}
