"""The smallest value that a JSON schema allows: what a scripted model hands to a tool."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

from .fits import NoValueError, Schema, SchemaReader, parts_of, same
from .pattern import matching

__all__ = ["smallest"]

Choices: TypeAlias = Iterator[tuple[dict[str, Any], tuple[str, ...]]]

_MOST: Final = 1_000
_FORMATS: Final = {
    "date": "2025-01-01",
    "date-time": "2025-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "duration": "P1D",
    "email": "user@example.com",
    "idn-email": "user@example.com",
    "hostname": "example.com",
    "idn-hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "ipvanyaddress": "192.0.2.1",
    "uri": "https://example.com",
    "uri-reference": "https://example.com",
    "iri": "https://example.com",
    "url": "https://example.com",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "json-pointer": "/a",
    "regex": ".*",
    "byte": "dGV4dA==",
}
_HINTS: Final = {
    "object": ("properties", "required", "additionalProperties", "patternProperties", "minProperties"),
    "array": ("items", "prefixItems", "minItems", "contains", "uniqueItems"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
_CONDITION: Final = ("if", "then", "else")
_ALL_KINDS: Final = ("string", "integer", "boolean", "null", "array", "object")
_LOWEST: Final = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_HIGHEST: Final = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")


def smallest(schema: Mapping[str, Any] | bool, *, text: str = "text") -> Any:
    """Return the smallest value that `schema` allows, always the same for the same arguments.

    Objects hold their required properties only, arrays the least number of items, numbers are as near to zero as
    their bounds let them. A `const`, a `default`, an example or the first member of an `enum` is preferred where the
    schema has one. An expression that can't be met gives a value that fits all the rest.

    Args:
        schema: A JSON schema; `$ref` may point inside it.
        text: What free strings say, cut or padded to their allowed length.

    Raises:
        ValueError: Nothing can be made: the schema allows nothing, or only values without an end.
    """
    return _Maker(schema, text).value(schema, ())


class _Maker:
    def __init__(self, root: Schema | bool, text: str) -> None:
        self.reader = SchemaReader(root)
        self.text = text

    def value(self, schema: Any, path: tuple[str, ...], taken: Sequence[Any] = ()) -> Any:
        """Return the first value that fits and is not `taken`; `path` holds the references that are being followed."""
        nearest: list[Any] = []
        for plain, inner in self.plain(schema, path):
            for candidate in self.candidates(plain, inner, len(taken)):
                if any(same(candidate, other) for other in taken):
                    continue
                if self.reader.fits(candidate, schema):
                    return candidate
                nearest.append(candidate)
        if nearest:
            return nearest[0]
        raise NoValueError(f"no value is allowed by the schema {str(schema)[:200]}")

    def plain(self, schema: Any, path: tuple[str, ...]) -> Choices:
        """Yield the schema without references and choices, once for each way to choose."""
        self.reader.spend()
        if schema is False:
            return
        rest = dict(cast(Schema, schema)) if isinstance(schema, Mapping) else {}
        if (reference := rest.pop("$ref", None)) is not None:
            if reference not in path:
                yield from self.plain(_merged(self.reader.resolved(reference), rest), (*path, reference))
        elif branches := _branches(rest):
            for branch in branches:
                yield from self.plain(_merged(branch, rest), path)
        elif parts := rest.pop("allOf", None):
            yield from self.plain(_merged_all(parts, rest), path)
        else:
            yield rest, path

    def candidates(self, schema: dict[str, Any], path: tuple[str, ...], taken: int) -> Iterator[Any]:
        if "const" in schema:
            yield schema["const"]
            return
        examples = schema.get("examples")
        for key, ready in (("default", None), ("examples", examples), ("enum", schema.get("enum"))):
            if key in schema:
                yield from cast("list[Any]", ready if isinstance(ready, list) else [schema[key]])
        if "enum" in schema:
            return
        for kind in _kinds(schema):
            try:
                made = self.of_kind(kind, schema, path)
            except NoValueError:
                continue
            yield made
            yield from _neighbours(made, schema, taken + 3)

    def of_kind(self, kind: str, schema: dict[str, Any], path: tuple[str, ...]) -> Any:
        match kind:
            case "object":
                return self.object(schema, path)
            case "array":
                return self.array(schema, path)
            case "string":
                return self.string(schema)
            case "integer" | "number":
                return _number(schema, whole=kind == "integer")
            case "boolean":
                return False
            case _:
                return None

    def object(self, schema: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
        made: dict[str, Any] = {}

        def add(name: str) -> None:
            parts = parts_of(schema, name)
            made[name] = self.value(parts[0] if len(parts) == 1 else {"allOf": parts}, path)

        wanted = list(cast("list[str]", schema.get("required") or []))
        needs = cast("dict[str, list[str]]", schema.get("dependentRequired") or {})
        while wanted:
            if (name := wanted.pop(0)) not in made:
                add(name)
                wanted += needs.get(name, [])
        least = min(int(schema.get("minProperties", 0)), _MOST)
        spare = [*cast("dict[str, Any]", schema.get("properties") or {}), *(f"key{n}" for n in range(1, least + 1))]
        for name in [name for name in spare if name not in made][: max(0, least - len(made))]:
            add(name)
        return made

    def array(self, schema: dict[str, Any], path: tuple[str, ...]) -> list[Any]:
        first = cast("list[Any]", schema.get("prefixItems") or [])
        contained = int(schema.get("minContains", 1)) if "contains" in schema else 0
        least = max(int(schema.get("minItems", 0)), contained)
        if least > _MOST:
            raise NoValueError(f"an array of {least} items is too long to write")
        made: list[Any] = []
        for n in range(least):
            item = first[n] if n < len(first) else schema.get("items", True)
            if n >= least - contained:
                item = _merged(schema["contains"], _merged(item, {}))
            made.append(self.value(item, path, made if schema.get("uniqueItems") else ()))
        return made

    def string(self, schema: dict[str, Any]) -> str:
        least, most = int(schema.get("minLength", 0)), schema.get("maxLength")
        if least > _MOST * _MOST:
            raise NoValueError(f"a string of {least} characters is too long to write")
        made = _FORMATS.get(str(schema.get("format")), self.text)
        if len(made) < least:
            made = (f"{made} " * least)[:least]
        made = made if most is None else made[: int(most)]
        if "pattern" not in schema or self.reader.fits(made, {"pattern": schema["pattern"]}):
            return made
        found = matching(str(schema["pattern"]), shortest=least, longest=most)
        return made if found is None else found


def _branches(rest: dict[str, Any]) -> list[Any]:
    """Take the next choice out of `rest` and return its branches, null last: a value says more than its absence."""
    for key in ("anyOf", "oneOf"):
        if branches := rest.pop(key, None):
            return sorted(branches, key=lambda branch: branch == {"type": "null"})
    condition = rest.pop("if", None)
    then, other = rest.pop("then", True), rest.pop("else", True)
    return [] if condition is None else [{"allOf": [condition, then]}, other]


def _merged_all(parts: Sequence[Any], rest: dict[str, Any]) -> Any:
    merged: Any = rest
    for part in parts:
        merged = _merged(part, merged)
    return merged


def _merged(one: Any, other: Any) -> Any:
    """Return a schema that asks for both; rules that can't be joined stand in `allOf` or are left to the check."""
    if one is False or other is False:
        return False
    first = dict(cast("dict[str, Any]", one if isinstance(one, Mapping) else {}))
    merged = dict(cast("dict[str, Any]", other if isinstance(other, Mapping) else {}))
    apart: list[Any] = []
    if "if" in first and "if" in merged:
        apart.append({key: first.pop(key) for key in _CONDITION if key in first})
    for key, rule in first.items():
        if key not in merged or merged[key] == rule:
            merged[key] = rule
        elif key in ("anyOf", "oneOf", "not", "$ref"):
            apart.append({key: rule})
        else:
            merged[key] = _joined(key, rule, merged[key])
    if apart:
        merged["allOf"] = [*merged.get("allOf", []), *apart]
    return merged


def _joined(key: str, one: Any, other: Any) -> Any:
    if key in ("properties", "$defs", "definitions", "patternProperties"):
        both = {name: _merged(one[name], other[name]) for name in one if name in other}
        return {**one, **other, **both}
    if key == "items":
        return _merged(one, other)
    if key in ("required", "allOf"):
        return [*other, *(item for item in one if item not in other)]
    if key == "enum":
        return [member for member in other if member in one]
    if key == "type":
        return _common_kind(one, other)
    if key in _LOWEST or key in _HIGHEST:
        return (min if key in _LOWEST else max)(one, other)
    return other


def _common_kind(one: Any, other: Any) -> Any:
    first, second = ([kinds] if isinstance(kinds, str) else list(kinds) for kinds in (one, other))
    common = [kind for kind in second if kind in first]
    if not common and "integer" in (*first, *second) and "number" in (*first, *second):
        return "integer"
    return common


def _kinds(schema: dict[str, Any]) -> list[str]:
    declared = schema.get("type")
    if isinstance(declared, str):
        return [declared]
    if isinstance(declared, list):
        return sorted(cast("list[str]", declared), key=lambda kind: kind == "null")
    hinted = [kind for kind, keys in _HINTS.items() if any(key in schema for key in keys)]
    return [*hinted, *(kind for kind in _ALL_KINDS if kind not in hinted)]


def _number(schema: dict[str, Any], *, whole: bool) -> float:
    low, high = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    above, below = schema.get("exclusiveMinimum", -math.inf), schema.get("exclusiveMaximum", math.inf)
    step = schema.get("multipleOf") or (1 if whole else None)
    if step is None:
        nearest = [0, low, high, above + 1, below - 1, (above + below) / 2]
    else:
        low_multiple, high_multiple = (bound / step if math.isfinite(bound) else 0 for bound in (low, high))
        after, before = (bound / step if math.isfinite(bound) else 0 for bound in (above, below))
        counts = [0, math.ceil(low_multiple), math.floor(high_multiple), math.floor(after) + 1, math.ceil(before) - 1]
        nearest = [count * step for count in counts]
    allowed = [n for n in nearest if low <= n <= high and above < n < below]
    if not allowed:
        raise NoValueError(f"no number is between the bounds of {schema}")
    return allowed[0]


def _neighbours(made: Any, schema: dict[str, Any], count: int) -> Iterator[Any]:
    """Yield as many values near `made` as `count`, for lists whose items must differ."""
    step = schema.get("multipleOf", 1)
    for n in range(1, count + 1):
        if isinstance(made, bool):
            yield not made
        elif isinstance(made, int | float):
            yield from (made + n * step, made - n * step, made + step / (n + 1))
        elif isinstance(made, str):
            tail = str(n + 1)
            yield from (made + tail, made[: -len(tail)] + tail)
        elif isinstance(made, dict):
            fields = cast("dict[str, Any]", made)
            for name, item in fields.items():
                yield from ({**fields, name: other} for other in _neighbours(item, {}, n))
