"""What one annotation means: a type for the model's argument, or something the runtime gives."""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from enum import Enum
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from cleveractors.abort import ABORT_SIGNAL_PARAM
from cleveractors.tools.subject import Subject

__all__ = ["Given", "UnresolvedName", "given_to", "resolve"]


class Given(Enum):
    """What the runtime gives to a parameter; the model never sees it."""

    CONTEXT = "RunContext"
    ABORT = "AbortSignal"
    EMITTER = "ToolEventEmitter"


class UnresolvedName(LookupError):
    """A name in an annotation that means nothing where the function stands."""


GIVEN_NAMES: Final = frozenset(kind.value for kind in Given)

GIVEN_TEXT: Final = re.compile(
    r"""\s*(?:(?:\w+\.)*(?:Optional|Annotated)\[)*\s*(?:\w+\.)*(RunContext|AbortSignal|ToolEventEmitter)\s*(?:\[.*)?(?:\|\s*None\s*)?\]*\s*""",
    re.DOTALL,
)


def given_to(name: str, hint: object) -> Given | None:
    """Tell whether the runtime gives this parameter, and what.

    Args:
        name: of the parameter.
        hint: its annotation, resolved; or as text, where it can't be.
    """
    if name == ABORT_SIGNAL_PARAM:
        return Given.ABORT
    if isinstance(hint, str):
        found = GIVEN_TEXT.fullmatch(hint)
        return Given(found[1]) if found else None
    for kind in _classes(hint):
        for base in getattr(kind, "__mro__", ()):
            # By name, so that telling a plain type apart does not import the context's room.
            if base.__module__.startswith("cleveractors.") and base.__name__ in GIVEN_NAMES:
                return Given(base.__name__)
    return None


def resolve(raw: object, subject: Subject) -> Any:
    """Turn an annotation, which may be text, into a type.

    Raises:
        UnresolvedName: a name in it means nothing.
    """
    found: dict[str, Any] = {}
    while True:
        try:
            return _evaluate(raw, dict(subject.namespace), found)
        except NameError as error:
            name = error.name or str(error)
            value = subject.look_up(name, UnresolvedName)
            if name in found or value is UnresolvedName:
                raise UnresolvedName(name) from error
            found[name] = value


def _evaluate(raw: object, namespace: dict[str, Any], found: dict[str, Any]) -> Any:
    # An object with one annotation: each parameter is resolved alone, so that one name out of reach,
    # as of the result or of an injected context, does not hide the others.
    holder = types.SimpleNamespace(__annotations__={"it": raw})
    return get_type_hints(holder, namespace, found, include_extras=True)["it"]


def _classes(hint: object) -> Iterator[object]:
    origin = get_origin(hint)
    if origin is Annotated:
        yield from _classes(get_args(hint)[0])
    elif origin is Union or origin is types.UnionType:
        parts = [part for part in get_args(hint) if part is not type(None)]
        if len(parts) == 1:
            yield from _classes(parts[0])
    else:
        yield hint if origin is None else origin
