"""The tools of an agent, by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, cast

from cleveractors.exceptions import ConfigurationError, Problem, sentence
from cleveractors.tools.base import Tool
from cleveractors.tools.convert import as_tool

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

__all__ = ["Toolset", "as_toolset"]


class Toolset(Mapping[str, Tool]):
    """Tools by name, in the order given; immutable, equal only to itself, so that a model bound to it can be kept.

    Args:
        tools: each with a name of its own.

    Raises:
        ConfigurationError: two tools share a name.
    """

    __slots__ = ("__weakref__", "_definitions", "_tools")

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        given = tuple(tools)
        shared = [name for name, count in Counter(tool.name for tool in given).items() if count > 1]
        if shared:
            raise ConfigurationError(*(_shared(name, given) for name in shared))
        self._tools = {tool.name: tool for tool in given}
        self._definitions = tuple(tool.definition for tool in given)

    @property
    def definitions(self) -> tuple[dict[str, Any], ...]:
        """The tools in OpenAI's form, made once."""
        return self._definitions

    def subset(self, names: Iterable[str]) -> Toolset:
        """Take some of the tools, in the order of the names; a name given twice counts once.

        Raises:
            ConfigurationError: with every name that is not there.
        """
        wanted = tuple(dict.fromkeys(names))
        problems = [self._unknown(name) for name in wanted if name not in self._tools]
        if problems:
            raise ConfigurationError(*problems)
        return Toolset(self._tools[name] for name in wanted)

    def _unknown(self, name: str) -> Problem:
        known = sentence(list(self._tools)) or "none"
        close = get_close_matches(name, self._tools, 1)
        return Problem(f"no tool is named {name}; there are: {known}", hint=f"{close[0]}?" if close else None)

    def __getitem__(self, name: str) -> Tool:
        return self._tools[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"Toolset({', '.join(self._tools)})"


def _shared(name: str, given: Iterable[Tool]) -> Problem:
    return Problem(f"two tools are named {name}", hint="give each once, and one another name: tool(fn, name=…)")


def as_toolset(objs: Toolset | Iterable[Callable[..., Any] | BaseTool | Tool]) -> Toolset:
    """Make tools of everything given; a `Toolset` is returned as it is.

    Raises:
        ConfigurationError: with every problem of every tool; two tools share a name; not a list.
    """
    if isinstance(objs, Toolset):
        return objs
    kind, given = type(objs).__name__, cast("object", objs)
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise ConfigurationError(f"tools are given as a list, not as {kind}")
    tools: list[Tool] = []
    problems: list[Problem] = []
    for obj in objs:
        try:
            tools.append(as_tool(obj))
        except ConfigurationError as error:
            problems.extend(error.problems)
    try:
        made = Toolset(tools)
    except ConfigurationError as error:
        problems.extend(error.problems)
        raise ConfigurationError(*problems) from error
    if problems:
        raise ConfigurationError(*problems)
    return made
