"""The smallest value that a JSON schema allows: what a scripted model hands to a tool."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, Final, TypeAlias, cast

from .fits import NoValueError, Schema, SchemaReader, items_of, needed_by, parts_of, same
from .joined import joined, joined_all
from .pattern import matching

__all__ = ["smallest"]

Choices: TypeAlias = Iterator[tuple[dict[str, Any], tuple[str, ...]]]

_LONGEST_ARRAY: Final = 1_000
_LONGEST_STRING: Final = 1_000_000
_MORE: Final = 8
_LAST_NUMBER: Final = re.compile(r"\d+(?=\D*$)")
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
_ALL_KINDS: Final = ("string", "integer", "boolean", "null", "array", "object")


def smallest(schema: Mapping[str, Any] | bool, *, text: str = "text") -> Any:
    """Return the smallest value that `schema` allows, always the same for the same arguments.

    Objects hold their required properties only, arrays the least number of items, numbers are as near to zero as
    their bounds let them. A `const`, a `default`, an example or the first member of an `enum` is preferred where the
    schema has one. An expression in another dialect than Python's is left to whoever reads the value.

    A value fits every rule of `schema`. Of two rules of an `allOf` that can't be joined, such as two `pattern`,
    `format`, `not` or `prefixItems`, only one leads the search, and an item is sought that fits all `contains`: a value
    that would fit may not be found.

    Args:
        schema: A JSON schema; `$ref` may point inside it.
        text: What free strings say, cut or padded to their allowed length.

    Raises:
        ValueError: None was found: the schema allows nothing, or only values without an end, or is beyond this search.
    """
    try:
        return _Maker(schema, text).first(schema, ())
    except RecursionError:
        raise NoValueError("the schema is too deep to find a value for it") from None


class _Maker:
    """Makes the values of one schema, best first.

    Where a `path` is asked for, it holds the references that are being followed; `more` is the number of further
    values, beside the best, that each kind and member may try.
    """

    def __init__(self, root: Schema | bool, text: str) -> None:
        self.reader = SchemaReader(root)
        self.text = text
        self.why: NoValueError | None = None
        """The first inner part that had no value: it says more than the whole does."""

    def first(self, schema: Any, path: tuple[str, ...]) -> Any:
        """Return the best value."""
        for value in self.values(schema, path, _MORE):
            return value
        raise self.why or NoValueError(f"no value was found for the schema {str(schema)[:200]}")

    def distinct(self, schemas: Sequence[Any], path: tuple[str, ...], taken: Sequence[Any] = ()) -> list[Any]:
        """Return a value for each schema, none twice and none that is `taken`."""
        made: list[Any] = [*taken]
        # One search for all places of a schema: each goes on where the last has ended.
        searches: dict[int, Iterator[Any]] = {}
        for schema in schemas:
            search = searches.setdefault(id(schema), self.values(schema, path, _MORE + len(schemas) + len(taken)))
            for value in search:
                if not any(same(value, other) for other in made):
                    made.append(value)
                    break
            else:
                raise NoValueError(f"no other value was found for the schema {str(schema)[:200]}")
        return made[len(taken) :]

    def values(self, schema: Any, path: tuple[str, ...], more: int) -> Iterator[Any]:
        """Yield values that fit."""
        for plain, inner in self.plain(schema, path):
            for candidate in self.candidates(plain, inner, more):
                # In the way that was chosen too: a text of no format would fit a union whose other branch has one.
                if self.reader.fits(candidate, plain) and self.reader.fits(candidate, schema):
                    yield candidate

    def plain(self, schema: Any, path: tuple[str, ...]) -> Choices:
        """Yield the schema without references and choices, once for each way to choose."""
        self.reader.spend()
        if schema is False:
            return
        rest = dict(cast(Schema, schema)) if isinstance(schema, Mapping) else {}
        if (reference := rest.pop("$ref", None)) is not None:
            if reference not in path:
                yield from self.plain(joined(self.reader.resolved(reference), rest), (*path, reference))
        elif branches := _branches(rest):
            for branch in branches:
                yield from self.plain(joined(branch, rest), path)
        elif parts := [*(rest.pop("allOf", None) or ()), *_dependent(rest)]:
            yield from self.plain(joined_all(parts, rest), path)
        else:
            yield rest, path

    def candidates(self, schema: dict[str, Any], path: tuple[str, ...], more: int) -> Iterator[Any]:
        """Yield values that a schema without choices may allow."""
        if "const" in schema:
            yield schema["const"]
            return
        if "default" in schema:
            yield schema["default"]
        for key in ("examples", "enum"):
            yield from schema.get(key, ())
        if "enum" in schema:
            return
        for kind in _kinds(schema):
            try:
                yield from self.of_kind(kind, schema, path, more)
            except NoValueError as problem:
                self.why = self.why or problem
            except OverflowError:
                # A fraction that no float holds.
                continue

    def of_kind(self, kind: str, schema: dict[str, Any], path: tuple[str, ...], more: int) -> Iterator[Any]:
        match kind:
            case "object":
                return self.objects(schema, path, more)
            case "array":
                return self.arrays(schema, path, more)
            case "string":
                return self.strings(schema, more)
            case "integer" | "number":
                return _numbers(schema, kind == "integer", more)
            case "boolean":
                return iter((False, True))
            case _:
                return iter((None,))

    def objects(self, schema: dict[str, Any], path: tuple[str, ...], more: int) -> Iterator[dict[str, Any]]:
        wanted = needed_by(schema, schema.get("required") or ())
        least = min(int(schema.get("minProperties", 0)), _LONGEST_ARRAY)
        spare = [name for name in cast("dict[str, Any]", schema.get("properties") or {}) if name not in wanted]
        names = [*wanted, *spare[: max(0, least - len(wanted))]]
        try:
            names += self.distinct([self.names_of(schema)] * (least - len(names)), path, names)
        except NoValueError:
            raise NoValueError(f"no name was found for a property to add to {str(schema)[:200]}") from None
        parts = {name: _part(schema, name) for name in names}
        made = {name: self.first(part, path) for name, part in parts.items()}
        yield made
        for name, part in parts.items():
            yield from ({**made, name: other} for other in islice(self.values(part, path, more), 1, more + 1))
        for name in spare:
            yield from ({**made, name: other} for other in islice(self.values(_part(schema, name), path, 0), 1))

    def names_of(self, schema: dict[str, Any]) -> Any:
        """Return the schema of the names that an object may add to its properties."""
        # Where there are patterns, none but theirs: a dict whose keys have one seldom says that it takes no others.
        free = schema.get("additionalProperties") is not False and {"default": "key"}
        named = [{"pattern": pattern} for pattern in schema.get("patternProperties") or ()] or [free]
        return {"allOf": [{"type": "string"}, schema.get("propertyNames", True), {"anyOf": named}]}

    def arrays(self, schema: dict[str, Any], path: tuple[str, ...], more: int) -> Iterator[list[Any]]:
        first, rest = items_of(schema)
        contained = int(schema.get("minContains", 1)) if "contains" in schema else 0
        least = max(int(schema.get("minItems", 0)), contained)
        if least > _LONGEST_ARRAY:
            raise NoValueError(f"an array of {least} items is too long to write")
        for size in range(least, max(least, len(first) + contained) + more + 1):
            parts = [first[n] if n < len(first) else rest for n in range(size)]
            parts[size - contained :] = [joined(schema["contains"], part) for part in parts[size - contained :]]
            try:
                unique = schema.get("uniqueItems")
                made = self.distinct(parts, path) if unique else [self.first(part, path) for part in parts]
            except NoValueError as problem:
                self.why = self.why or problem
                continue
            yield made
            for n, part in enumerate(parts):
                others = islice(self.values(part, path, more), 1, more + 1)
                yield from ([*made[:n], other, *made[n + 1 :]] for other in others)

    def strings(self, schema: dict[str, Any], more: int) -> Iterator[str]:
        least, most = int(schema.get("minLength", 0)), schema.get("maxLength")
        if least > _LONGEST_STRING:
            raise NoValueError(f"a string of {least} characters is too long to write")
        made = _FORMATS.get(str(schema.get("format")), self.text)
        if len(made) < least:
            made = (f"{made} " * least)[:least]
        made = made if most is None else made[: int(most)]
        yield made
        if "pattern" in schema:
            for n, found in enumerate(matching(str(schema["pattern"]), least, more)):
                yield from (found, f"{found}{n}")
        for n in range(1, more + 1):
            # A date or an address that counts on is one still.
            yield _LAST_NUMBER.sub(lambda found, n=n: f"{int(found[0]) + n:0{len(found[0])}}", made)
            yield from (f"{made}{n + 1}", f"{made[: -len(str(n + 1))]}{n + 1}")


def _part(schema: dict[str, Any], name: str) -> Any:
    return joined_all(parts_of(schema, name), {})


def _branches(rest: dict[str, Any]) -> list[Any]:
    """Take the next choice out of `rest` and return its branches, null last: a value says more than its absence."""
    for key in ("anyOf", "oneOf"):
        if branches := rest.pop(key, None):
            return sorted(branches, key=lambda branch: branch == {"type": "null"})
    condition = rest.pop("if", None)
    then, other = rest.pop("then", True), rest.pop("else", True)
    return [] if condition is None else [{"allOf": [condition, then]}, other]


def _dependent(rest: dict[str, Any]) -> list[Any]:
    """Take out of `rest` the schemas that its required properties bring, and return them."""
    found = cast("dict[str, Any]", rest.get("dependentSchemas") or {})
    brought = [name for name in found if name in (rest.get("required") or ())]
    if brought:
        rest["dependentSchemas"] = {name: part for name, part in found.items() if name not in brought}
    return [found[name] for name in brought]


def _kinds(schema: dict[str, Any]) -> list[str]:
    declared = schema.get("type")
    if isinstance(declared, str):
        return [declared]
    if isinstance(declared, list):
        return sorted(cast("list[str]", declared), key=lambda kind: kind == "null")
    hinted = [kind for kind, keys in _HINTS.items() if any(key in schema for key in keys)]
    return [*hinted, *(kind for kind in _ALL_KINDS if kind not in hinted)]


def _numbers(schema: dict[str, Any], whole: bool, more: int) -> Iterator[float]:
    """Yield numbers, those near to zero first, in exact steps: bounds may be beyond what a float holds."""
    lows = [Fraction(schema[key]) for key in ("minimum", "exclusiveMinimum") if key in schema]
    highs = [Fraction(schema[key]) for key in ("maximum", "exclusiveMaximum") if key in schema]
    free = not whole and "multipleOf" not in schema
    if free:
        yield from (_plain(bound) for bound in sorted([Fraction(0), *lows, *highs], key=abs))
    multiple = schema.get("multipleOf", 1)
    step = Fraction(str(multiple))
    step = Fraction(step.numerator) if whole else step
    start = max([0, *(-(-low // step) for low in lows)]) or min([0, *(high // step for high in highs)])
    for count in (start, *(start + sign * n for n in range(1, more + 1) for sign in (1, -1))):
        yield _plain(count * step)
        # What floats make of it: its quotient is whole for validators.
        yield count * multiple
    if free:
        low = max(lows, default=min(highs, default=Fraction(1)) - 1)
        width = min(highs, default=low + 1) - low
        yield from (_plain(low + width * n / (more + 2)) for n in range(1, more + 2))


def _plain(number: Fraction) -> float:
    return int(number) if number.denominator == 1 else float(number)
