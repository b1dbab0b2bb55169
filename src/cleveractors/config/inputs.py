"""What may stand in an `input_schema`: a file's own words, which arguments of a model are checked against."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from .problems import Problems
from .shown import quoted
from .source import Path

__all__ = ["check_input_schema"]

_MOST = 10_000
"""Schemas that one argument may be checked against, each reference followed."""

_REFUSED = frozenset(
    {"pattern", "patternProperties", "$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$schema"}
)
_BY_NAME = ("properties", "$defs", "definitions", "dependentSchemas")
_LISTED = ("allOf", "anyOf", "oneOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else")

Schema = dict[str, Any]


class _Fault(Exception):
    """Internal: the schema can't be taken; the text says why."""


def check_input_schema(path: Path, schema: Schema, problems: Problems) -> None:
    """Add a problem for a schema that is none, or that could keep its checker busy for long."""
    try:
        _check_form(schema)
        if _size(schema, schema, {}) > _MOST:
            raise _Fault("its references unfold to too many schemas")
    except _Fault as fault:
        problems.add(path, str(fault), at="key")


def _check_form(schema: Schema) -> None:
    # Loaded only for actors that have such a schema.
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import Draft202012Validator

    if schema.get("type", "object") != "object":
        raise _Fault(f"found the type {quoted(str(schema['type']), '`')}; what an agent is given is an `object`")
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        where = "".join(f".{part}" for part in error.absolute_path)
        raise _Fault(f"no JSON schema{f', at `{where[1:]}`' if where else ''}: {error.message}") from error


def _size(schema: object, root: Schema, known: dict[int, int | None]) -> int:
    """Schemas in a schema, those that it refers to counted each time."""
    if not isinstance(schema, dict):
        return 1
    schema = cast("Schema", schema)
    if id(schema) in known:
        size = known[id(schema)]
        if size is None:
            raise _Fault("it refers to itself")
        return size
    if refused := sorted(_REFUSED.intersection(schema)):
        raise _Fault(f"found `{refused[0]}`, which an `input_schema` may not have")
    known[id(schema)] = None
    size = known[id(schema)] = min(1 + sum(_size(one, root, known) for one in _parts(schema, root)), _MOST + 1)
    return size


def _parts(schema: Schema, root: Schema) -> Iterator[object]:
    for keyword in _BY_NAME:
        yield from cast("Schema", schema.get(keyword, {})).values()
    for keyword in _LISTED:
        yield from schema.get(keyword, ())
    yield from (schema[keyword] for keyword in _SINGLE if keyword in schema)
    if "$ref" in schema:
        yield _referred(str(schema["$ref"]), root)


def _referred(reference: str, root: Schema) -> object:
    node: Any = root
    if reference != "#" and not reference.startswith("#/"):
        raise _Fault(f"found a reference to {quoted(reference)}; only `#/…` is followed")
    for part in reference.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if not isinstance(node, dict) or name not in node:
            raise _Fault(f"found a reference to {quoted(reference)}, which is not there")
        node = cast("Schema", node)[name]
    return cast("object", node)
