"""`@tool`: what a function can't say about itself, said beside it."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, overload

from cleveractors.tools.base import ToolOptions

__all__ = ["ToolMark", "mark_of", "tool"]

MARK: Final = "__cleveractors_tool__"
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class ToolMark:
    """What `@tool(...)` said."""

    name: str | None = None
    description: str | None = None
    options: ToolOptions = field(default_factory=ToolOptions)
    names: Mapping[str, object] = field(default_factory=dict[str, object], repr=False)
    """Local names that annotations may mean, seen where the function was decorated."""


@overload
def tool(
    fn: F,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    timeout: float | None = None,
    max_uses: int | None = None,
    repeatable: bool = False,
    idempotent: bool = False,
    destructive: bool = False,
) -> F: ...
@overload
def tool(
    fn: None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    timeout: float | None = None,
    max_uses: int | None = None,
    repeatable: bool = False,
    idempotent: bool = False,
    destructive: bool = False,
) -> Callable[[F], F]: ...
def tool(fn: Any = None, /, *, name: str | None = None, description: str | None = None, **options: Any) -> Any:
    """Mark a function as a tool.

    As a decorator, `@tool` or `@tool(...)`, it returns the function itself. Called as `tool(fn, name=…)` it
    returns a `functools.partial` that does the same, and leaves `fn` as it was for everybody else.

    Args:
        fn: the function.
        name: instead of the function's own.
        description: instead of the docstring's first paragraph.
        timeout: seconds a call may take, instead of the agent's `tool_timeout`.
        max_uses: calls of it that one run may make.
        repeatable: the same call with the same result is no sign of a stuck model, as when polling.
        idempotent: running it twice does no more than running it once.
        destructive: what it does cannot be undone.

    Raises:
        ConfigurationError: an option out of its range.
    """
    said = ToolOptions(**options)

    def mark(target: Any) -> Any:
        return _marked(target, ToolMark(name, description, said, _local_names(target)))

    if fn is None:
        return mark
    plain = name is None and description is None and not options
    return mark(fn if plain else _wrapped(fn))


def mark_of(fn: Callable[..., Any]) -> ToolMark | None:
    """Find what `@tool` said of a callable, through partials and `__call__`."""
    while True:
        mark = getattr(fn, MARK, None) or getattr(type(fn).__call__, MARK, None)
        if isinstance(mark, ToolMark) or not isinstance(fn, functools.partial):
            return mark if isinstance(mark, ToolMark) else None
        fn = fn.func


def _marked(fn: Any, mark: ToolMark) -> Any:
    target: Any = fn.__func__ if type(fn) in (staticmethod, classmethod) else fn
    if MARK in getattr(target, "__dict__", {}):
        return fn if mark == ToolMark(names=mark.names) else _marked(_wrapped(fn), mark)
    try:
        setattr(target, MARK, mark)
    except (AttributeError, TypeError):
        return _marked(_wrapped(fn), mark)
    return fn


def _wrapped(fn: Any) -> Any:
    wrapper = functools.update_wrapper(functools.partial(fn), fn)
    vars(wrapper).pop(MARK, None)
    return wrapper


def _local_names(fn: object) -> dict[str, object]:
    # Under `from __future__ import annotations` a type made in a function is out of reach once that
    # function has returned.
    annotations: dict[str, object] = getattr(fn, "__annotations__", {})
    words = {word for text in annotations.values() if isinstance(text, str) for word in re.findall(r"\w+", text)}
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals is globals():
        frame = frame.f_back
    if not words or frame is None or frame.f_locals is frame.f_globals:
        return {}
    local = frame.f_locals
    return {word: local[word] for word in words if word in local}
