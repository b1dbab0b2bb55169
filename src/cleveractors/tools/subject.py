"""The function behind a callable: its name, its words, where it stands and what its names mean."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, NoReturn, cast

from cleveractors.exceptions import ConfigurationError, Problem
from cleveractors.tools.decorator import ToolMark, mark_of

__all__ = ["Subject", "subject_of"]


@dataclass(frozen=True, slots=True)
class Subject:
    """What is known of a callable before its parameters are read."""

    call: Callable[..., Any]
    """As it was given: what is called."""
    function: Callable[..., Any]
    """The plain function inside partials, methods, instances and wrappers."""
    sync: bool
    name: str
    docs: str
    mark: ToolMark
    bound: frozenset[str]
    """Parameters that a partial has filled: never shown to the model."""
    file: str | None = None
    line: int | None = None
    namespace: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False)
    """The function's globals."""

    def problem(self, message: str, hint: str | None = None) -> Problem:
        """Make a problem that says which function, and where."""
        return Problem(f"tool {self.name}: {message}", file=self.file, line=self.line, hint=hint)

    def look_up(self, name: str, default: object) -> Any:
        """Look for a name that is not in the function's globals."""
        return next((scope[name] for scope in self._scopes() if name in scope), default)

    def _scopes(self) -> Iterator[Mapping[str, Any]]:
        yield self.mark.names
        yield _closure(self.function)
        # A type made in the function that made this one, which is often still running: a test, a main().
        outer = self.function.__qualname__.rpartition(".<locals>.")[0]
        frame = inspect.currentframe() if outer else None
        while frame is not None:
            if _qualname(frame) == outer and frame.f_globals is self.namespace:
                yield frame.f_locals
            frame = frame.f_back


def subject_of(call: Callable[..., Any]) -> Subject:
    """Look into a callable.

    Raises:
        ConfigurationError: it is a class, has no name, or yields instead of returning.
    """
    inner: Any = call
    bound: set[str] = set()
    while isinstance(inner, functools.partial):
        part = cast("functools.partial[Any]", inner)
        bound.update(part.keywords)
        inner = part.func
    outer = inner if inspect.isroutine(inner) or inspect.isclass(inner) else type(inner).__call__
    function = inspect.unwrap(getattr(outer, "__func__", outer))
    code = getattr(function, "__code__", None)
    mark = mark_of(call) or ToolMark()
    subject = Subject(
        call=call,
        function=function,
        sync=not inspect.iscoroutinefunction(outer),
        name=mark.name or _name_of(inner),
        docs=mark.description if mark.description is not None else _docs_of(inner, function),
        mark=mark,
        bound=frozenset(bound),
        file=getattr(code, "co_filename", None),
        line=getattr(code, "co_firstlineno", None),
        namespace=getattr(function, "__globals__", {}),
    )
    _refuse(subject, outer)
    return subject


def _refuse(subject: Subject, outer: Any) -> None:
    if inspect.isclass(outer):
        _fail(subject, "a class is no tool", "pass a function, or an instance with __call__")
    if not subject.name or subject.name == "<lambda>":
        _fail(subject, "a lambda has no name for the model", "write a function with `def`, or tool(fn, name=…)")
    if inspect.isasyncgenfunction(outer) or inspect.isgeneratorfunction(outer):
        _fail(subject, "it yields, and a tool has one result", "return a value")


def _fail(subject: Subject, message: str, hint: str) -> NoReturn:
    raise ConfigurationError(subject.problem(message, hint))


def _name_of(inner: Any) -> str:
    name = getattr(inner, "__name__", None)
    return name if isinstance(name, str) else type(inner).__name__


def _docs_of(inner: Any, function: Any) -> str:
    if inspect.isroutine(inner):
        return inner.__doc__ or ""
    return getattr(function, "__doc__", None) or type(inner).__doc__ or ""


def _closure(function: Any) -> dict[str, Any]:
    code, cells = getattr(function, "__code__", None), getattr(function, "__closure__", None)
    names: dict[str, Any] = {}
    for name, cell in zip(code.co_freevars if code else (), cells or (), strict=False):
        try:
            names[name] = cell.cell_contents
        except ValueError:
            # A variable of the outer function that is not set yet.
            continue
    return names


def _qualname(frame: FrameType) -> str:
    return frame.f_code.co_qualname
