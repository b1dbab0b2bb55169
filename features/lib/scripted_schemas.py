"""Drawn JSON schemas of any kind, and drawn functions that become tools."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from datetime import date, datetime
from enum import Enum
from typing import Annotated, Any, Literal, NotRequired
from uuid import UUID

from hypothesis import strategies as st
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

__all__ = ["any_schemas", "functions"]

Drawn = st.SearchStrategy[Any]

NAMES = st.sampled_from(["a", "b", "c", "x-d"])
PATTERNS = st.sampled_from(["^a", "^[a-c]$", "^x-", "^[A-Z]{2,4}-\\d+$", "b|c", "^(?:ab|cd)+x?$", "^\\w+\\s\\w+$"])
NUMBERS = st.one_of(st.integers(-20, 20), st.sampled_from([0.5, -2.5, 0.1, 1e300, 10**400]))
STEPS = st.sampled_from([1, 2, 3, 7, 0.5, 0.1, 1e-7, 10**30])
SIZES = st.integers(0, 4)
VALUES = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from(["a", "text", [], [1], {}, {"a": 1}]))
KINDS = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])
REFERENCES = st.sampled_from(["#/$defs/one", "#/$defs/two", "#", "#/properties/a"])

PLAIN: dict[str, Drawn] = {
    "type": KINDS | st.lists(KINDS, min_size=1, max_size=3, unique=True),
    "const": VALUES,
    "enum": st.lists(VALUES, min_size=1, max_size=3),
    "default": VALUES,
    "examples": st.lists(VALUES, max_size=2),
    "format": st.sampled_from(["date", "uuid", "email", "unknown"]),
    "pattern": PATTERNS,
    "required": st.lists(NAMES, max_size=3, unique=True),
    "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=2, unique=True), max_size=2),
    "uniqueItems": st.booleans(),
    "multipleOf": STEPS,
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), NUMBERS),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), SIZES),
    **dict.fromkeys(("minContains", "maxContains"), SIZES),
}


def of_parts(part: Drawn) -> Drawn:
    """Schemas with other schemas in them."""
    listed = st.lists(part, min_size=1, max_size=3)
    named = st.dictionaries(NAMES, part, max_size=3)
    nested: dict[str, Drawn] = {
        **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), listed),
        **dict.fromkeys(("not", "if", "then", "else", "items", "contains", "additionalProperties"), part),
        **dict.fromkeys(("properties", "dependentSchemas"), named),
        "propertyNames": part,
        "patternProperties": st.dictionaries(PATTERNS, part, max_size=2),
        "$ref": REFERENCES,
    }
    known = {**PLAIN, **nested}
    chosen = st.lists(st.sampled_from([*known]), max_size=5, unique=True)
    return chosen.flatmap(lambda keys: st.fixed_dictionaries({key: known[key] for key in keys}))


def any_schemas() -> Drawn:
    """Schemas with any keywords side by side: most allow little, some nothing, some only values without an end."""
    leaf = st.fixed_dictionaries({"type": KINDS}) | st.fixed_dictionaries({"const": VALUES}) | st.booleans()
    part = st.recursive(leaf, of_parts, max_leaves=6)
    root = of_parts(part)
    return st.builds(_with_definitions, root, part, part)


def _with_definitions(schema: dict[str, Any], one: Any, two: Any) -> dict[str, Any]:
    return {**schema, "$defs": {"one": one, "two": two}}


class Level(Enum):
    """One of a few."""

    LOW = "low"
    HIGH = "high"


class Node(BaseModel):
    """Holds others of its kind."""

    name: str
    parent: Node | None
    children: list[Node] = []


class Box(TypedDict):
    """Has sizes."""

    width: Annotated[float, Field(gt=0, lt=0.5)]
    labels: NotRequired[list[str]]


SIMPLE: tuple[Any, ...] = (
    str,
    int,
    float,
    bool,
    Level,
    Node,
    Box,
    date,
    datetime,
    UUID,
    Literal["open", "sent", 3],
    Annotated[int, Field(ge=3, multiple_of=5)],
    Annotated[int, Field(gt=-9, lt=-2)],
    Annotated[float, Field(gt=1e15)],
    Annotated[str, Field(min_length=9, max_length=12)],
    Annotated[str, Field(max_length=2)],
    Annotated[str, Field(pattern=r"^[A-Z]{2}-\d{3,}$")],
    Annotated[int, Field(examples=["wrong", 12])],
    Annotated[dict[Literal["a", "b"], int], Field(min_length=2)],
    Annotated[dict[Annotated[str, Field(pattern="^x-")], int], Field(min_length=2)],
)


def parameter_types() -> st.SearchStrategy[Any]:
    """Types that a tool's parameter may have."""

    def nested(part: Drawn) -> Drawn:
        several = Annotated[list[str], Field(min_length=2)]
        return st.one_of(
            part.map(lambda one: one | None),
            st.tuples(part, part).map(lambda pair: pair[0] | pair[1]),
            part.map(lambda one: Annotated[list[one], Field(min_length=2)]),
            part.map(lambda one: dict[str, one]),
            st.tuples(part, part).map(lambda pair: tuple[pair[0], pair[1]]),
            st.just(several),
        )

    unique = st.sampled_from([Annotated[set[kind], Field(min_length=2)] for kind in (str, int, bool, Level, date)])
    return st.recursive(st.sampled_from(SIMPLE) | unique, nested, max_leaves=3)


def functions() -> st.SearchStrategy[Callable[..., object]]:
    """Functions that become tools: each parameter of any type, with a default or without."""
    return st.dictionaries(NAMES.filter(str.isidentifier), parameter_types(), max_size=3).map(_function)


def _function(types: dict[str, Any]) -> Callable[..., object]:
    def drawn(**arguments: object) -> object:
        return arguments

    kind = inspect.Parameter.KEYWORD_ONLY
    drawn.__signature__ = inspect.Signature(
        [inspect.Parameter(name, kind, annotation=annotation) for name, annotation in types.items()]
    )
    drawn.__annotations__ = dict(types)
    return drawn
