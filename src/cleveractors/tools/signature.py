"""The parameters of a function: those the model fills, and those the runtime gives."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import Parameter
from typing import Annotated, Any, get_args, get_origin

from pydantic.fields import FieldInfo

from cleveractors.exceptions import ConfigurationError, Problem
from cleveractors.tools.hints import Given, UnresolvedName, given_to, resolve
from cleveractors.tools.subject import Subject

__all__ = ["Argument", "Signature", "read_signature"]

REFUSED = {
    Parameter.VAR_POSITIONAL: "*{} takes any number of values, and a schema can't say so",
    Parameter.VAR_KEYWORD: "**{} takes any name, and a schema can't say so",
    Parameter.POSITIONAL_ONLY: "{} is positional-only, and arguments come by name",
}


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter that the model fills."""

    name: str
    hint: Any
    default: Any = Parameter.empty
    """The function's own, or `Parameter.empty`."""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Signature:
    """All parameters of a function."""

    arguments: tuple[Argument, ...] = ()
    given: tuple[tuple[str, Given], ...] = ()


def read_signature(subject: Subject) -> Signature:
    """Read the parameters, once per function.

    Raises:
        ConfigurationError: with every parameter that can't be one of a tool.
    """
    arguments: list[Argument] = []
    given: list[tuple[str, Given]] = []
    problems: list[Problem] = []
    for parameter in _parameters(subject):
        found = _read(parameter, subject)
        if isinstance(found, Problem):
            problems.append(found)
        elif isinstance(found, Given):
            given.append((parameter.name, found))
        else:
            arguments.append(found)
    if problems:
        raise ConfigurationError(*problems)
    return Signature(tuple(arguments), tuple(given))


def _parameters(subject: Subject) -> Iterator[Parameter]:
    try:
        parameters = inspect.signature(subject.call).parameters.values()
    except (TypeError, ValueError) as error:
        raise ConfigurationError(subject.problem(f"its signature can't be read: {error}")) from error
    return (parameter for parameter in parameters if parameter.name not in subject.bound)


def _read(parameter: Parameter, subject: Subject) -> Argument | Given | Problem:
    name, raw = parameter.name, parameter.annotation
    if parameter.kind in REFUSED:
        return subject.problem(REFUSED[parameter.kind].format(name), "name each parameter")
    if raw is Parameter.empty:
        return given_to(name, None) or subject.problem(
            f"parameter {name} has no annotation", f"write its type, as in `{name}: str`"
        )
    try:
        hint = resolve(raw, subject)
    except UnresolvedName as error:
        return given_to(name, raw) or subject.problem(
            f"parameter {name}: {raw!r}: the name {error} means nothing when the tool is made",
            "define or import it at module level, not under TYPE_CHECKING",
        )
    except (AttributeError, SyntaxError, TypeError, ValueError) as error:
        return subject.problem(f"parameter {name}: the annotation {raw!r} can't be read: {error}")
    if found := given_to(name, hint):
        return found
    default = parameter.default
    described = default.description if isinstance(default, FieldInfo) else None
    nothing = default is None or (isinstance(default, FieldInfo) and default.default is None)
    # `city: str = None` is written often; the model is told of that null, and may send it.
    return Argument(name, hint | None if nothing else hint, default, described or _words(hint))


def _words(hint: object) -> str:
    """Find what `Annotated` says for the model: a string, a `Field`, a `Doc`."""
    for extra in get_args(hint)[1:] if get_origin(hint) is Annotated else ():
        for text in (
            extra.description if isinstance(extra, FieldInfo) else extra,
            getattr(extra, "documentation", None),
        ):
            if isinstance(text, str):
                return text
    return ""
