"""Samples that are no plain functions: what can't be a tool, and LangChain's tools."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Annotated, Any, Literal

from langchain_core.tools import BaseTool, InjectedToolArg, StructuredTool, ToolException
from langchain_core.tools import Tool as SingleInputTool
from langchain_core.tools import tool as langchain_tool
from pydantic import BaseModel

from cleveractors.tools import tool
from features.lib.tool_samples import Counter, get_weather, local_type_lost


def _typeless(city: str) -> str:
    return city


del _typeless.__annotations__["city"]


async def _yields() -> AsyncIterator[str]:
    yield ""


def _yields_sync() -> Iterator[str]:
    yield ""


def star(*words: str, **more: str) -> None:
    """Take anything."""


def positional(word: str, /) -> None:
    """Take one by place."""


def unfit(waiting: asyncio.Future[str], then: Callable[[], None]) -> None:
    """Take what has no schema."""


def nonsense(word: Literal["a"]) -> None:
    """Take what can't be read."""


nonsense.__annotations__["word"] = "1 +"

REFUSED: dict[str, Any] = {
    "a lambda": lambda: "",
    "a class": Counter,
    "a number": 5,
    "star": star,
    "positional": positional,
    "generator": _yields_sync,
    "async generator": _yields,
    "no annotation": _typeless,
    "lost name": local_type_lost(),
    "unreadable": nonsense,
    "no schema": unfit,
    "unreadable signature": functools.partial(min),
    "bad name": tool(functools.partial(get_weather), name="no spaces"),
}


@langchain_tool
def lc_sync(number: int, unit: str = "m", who: Annotated[str, InjectedToolArg] = "host") -> str:
    """Measure."""
    return f"{number} {unit} {who} {threading.current_thread() is threading.main_thread()}"


@langchain_tool(response_format="content_and_artifact")
async def lc_artifact(number: int) -> tuple[str, dict[str, int]]:
    """Measure with an artifact."""
    return "content", {"number": number}


@langchain_tool
async def lc_failing(number: int) -> str:
    """Fail."""
    raise ToolException(f"no {number}")


def _same(number: Any) -> Any:
    return number


class Hooked(BaseModel):
    number: Callable[[], None]


class Shouting(BaseTool):
    """A tool by subclass."""

    name: str = "shouting"
    description: str = "Shouts."

    def _run(self, word: str) -> str:
        return word.upper()


LANGCHAIN: Mapping[str, BaseTool] = {
    "sync": lc_sync,
    "artifact": lc_artifact,
    "failing": lc_failing,
    "handled": lc_failing.model_copy(update={"handle_tool_error": True}),
    "forgiving": lc_artifact.model_copy(update={"handle_validation_error": "try a number"}),
    "subclass": Shouting(),
    "single": SingleInputTool(name="single", description="Takes one.", func=str.upper),
    "schema": StructuredTool.from_function(
        func=_same,
        name="schema",
        description="Takes a schema.",
        args_schema={"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]},
    ),
    "bad name": lc_artifact.model_copy(update={"name": "no spaces"}),
    "no schema": StructuredTool(name="hook", description="Takes a function.", func=_same, args_schema=Hooked),
}
