"""`typing.TypedDict` made good for pydantic, which before Python 3.12 takes that of typing_extensions only."""

from __future__ import annotations

import functools
import sys
import types
import typing
from typing import Annotated, Any, Union, cast, get_args, get_origin, get_type_hints

import typing_extensions

__all__ = ["modern"]


def modern(hint: Any) -> Any:
    """Replace each `typing.TypedDict` in a type; elsewhere it is returned as it is."""
    return hint if sys.version_info >= (3, 12) else _modern(hint, frozenset())


def _modern(hint: Any, inside: frozenset[type]) -> Any:
    if isinstance(hint, type) and type(hint).__module__ == "typing" and typing.is_typeddict(hint):
        return hint if hint in inside else _rebuilt(hint, inside | {hint})
    args = get_args(hint)
    changed = tuple(_modern(arg, inside) for arg in args)
    if all(new is old for new, old in zip(changed, args, strict=True)):
        return hint
    origin: Any = get_origin(hint)
    if origin is Annotated:
        return cast("Any", Annotated)[(changed[0], *cast("Any", hint).__metadata__)]
    if origin is Union or origin is types.UnionType:
        return functools.reduce(_or, changed)
    return origin[changed]


def _or(left: Any, right: Any) -> Any:
    return left | right


def _rebuilt(kind: Any, inside: frozenset[type]) -> Any:
    fields: dict[str, Any] = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        # Where annotations are text, `__required_keys__` has not seen what they say.
        said = get_origin(hint)
        if said is typing.Required or said is typing.NotRequired:
            hint = get_args(hint)[0]
        else:
            said = typing.Required if name in kind.__required_keys__ else typing.NotRequired
        fields[name] = said[_modern(hint, inside)]
    made = cast("Any", typing_extensions.TypedDict)(kind.__name__, fields)
    made.__doc__ = kind.__doc__
    made.__module__ = kind.__module__
    return made
