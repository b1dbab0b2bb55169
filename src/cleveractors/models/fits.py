"""Whether a JSON value fits a schema: the keywords that tool schemas use, read without a validator's start-up cost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias, cast
from urllib.parse import unquote

__all__ = ["NoValueError", "Schema", "SchemaReader", "items_of", "needed_by", "parts_of", "same"]

Schema: TypeAlias = Mapping[str, Any]

_KINDS: Final[dict[str, type | tuple[type, ...]]] = {
    "object": Mapping,
    "array": list,
    "string": str,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
_UNREAD: Final = ("unevaluatedProperties", "unevaluatedItems", "dependencies", "$dynamicRef", "$recursiveRef")


class NoValueError(ValueError):
    """A schema allows no value, or none that can be found."""


class SchemaReader:
    """Reads one schema: follows its references and checks values against its parts.

    Args:
        root: The schema that `#` stands for.
        steps: How many parts may be read in all: a reference can make a small schema endless.
    """

    def __init__(self, root: object, steps: int = 20_000) -> None:
        self._root = root
        self._steps = steps

    def spend(self) -> None:
        """Count one step.

        Raises:
            NoValueError: The schema took too many.
        """
        self._steps -= 1
        if self._steps < 0:
            raise NoValueError("the schema takes too long to find a value for it")

    def resolved(self, reference: str) -> Any:
        """Return the part of the schema that `reference` (`#/…`) names.

        Raises:
            NoValueError: There is no such part.
        """
        target: Any = self._root
        place = unquote(reference)
        if place != "#" and not place.startswith("#/"):
            raise NoValueError(f"the schema refers to {reference!r}: only `#/…` is followed")
        for step in place.split("/")[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            try:
                target = target[int(key) if isinstance(target, list) else key]
            except (KeyError, IndexError, TypeError, ValueError):
                raise NoValueError(f"the schema has no {reference!r}") from None
        return target

    def fits(self, value: Any, schema: object, seen: frozenset[str] = frozenset()) -> bool:
        """Return whether `value` is allowed by `schema`; `seen` holds references already followed for this value.

        Raises:
            NoValueError: It can't be told: a part is missing, a keyword is not known here, or it takes too long.
        """
        self.spend()
        if not isinstance(schema, Mapping):
            return schema is not False
        rules = cast(Schema, schema)
        if unread := next((key for key in _UNREAD if key in rules), None):
            raise NoValueError(f"the schema has {unread!r}, which is not understood")
        if "$ref" in rules:
            reference = str(rules["$ref"])
            if reference in seen:
                raise NoValueError(f"the schema's {reference!r} refers to itself")
            if not self.fits(value, self.resolved(reference), seen | {reference}):
                return False
        if not _plain_fits(value, rules) or not self._choices_fit(value, rules, seen):
            return False
        if isinstance(value, Mapping):
            return self._members_fit(cast(Schema, value), rules)
        return self._items_fit(cast("list[Any]", value), rules) if isinstance(value, list) else True

    def _choices_fit(self, value: Any, rules: Schema, seen: frozenset[str]) -> bool:
        def fitting(key: str) -> int:
            return sum(self.fits(value, branch, seen) for branch in rules[key])

        if "allOf" in rules and fitting("allOf") < len(rules["allOf"]):
            return False
        if "anyOf" in rules and not fitting("anyOf"):
            return False
        if "oneOf" in rules and fitting("oneOf") != 1:
            return False
        if "not" in rules and self.fits(value, rules["not"], seen):
            return False
        if "if" not in rules:
            return True
        return self.fits(value, rules.get("then" if self.fits(value, rules["if"], seen) else "else", True), seen)

    def _members_fit(self, value: Schema, rules: Schema) -> bool:
        wanted = needed_by(rules, [*(rules.get("required") or ()), *value])
        if len(wanted) > len(value) or not _within(len(value), rules, "minProperties", "maxProperties"):
            return False
        brought = cast("dict[str, Any]", rules.get("dependentSchemas") or {})
        if not all(self.fits(value, part) for name, part in brought.items() if name in value):
            return False
        names = rules.get("propertyNames", True)
        return all(
            self.fits(name, names) and all(self.fits(item, part) for part in parts_of(rules, name))
            for name, item in value.items()
        )

    def _items_fit(self, value: list[Any], rules: Schema) -> bool:
        first, rest = items_of(rules)
        if not _within(len(value), rules, "minItems", "maxItems"):
            return False
        if rules.get("uniqueItems") and any(same(item, seen) for n, item in enumerate(value) for seen in value[:n]):
            return False
        if "contains" in rules:
            found = sum(self.fits(item, rules["contains"]) for item in value)
            if not rules.get("minContains", 1) <= found <= rules.get("maxContains", found):
                return False
        return all(self.fits(item, first[n] if n < len(first) else rest) for n, item in enumerate(value))


def parts_of(rules: Schema, name: str) -> list[Any]:
    """Return the schemas that the property `name` of an object has to fit."""
    named = cast("dict[str, Any]", rules.get("properties") or {})
    patterns = cast("dict[str, Any]", rules.get("patternProperties") or {})
    parts = [named[name]] if name in named else []
    parts += [part for pattern, part in patterns.items() if _matches(pattern, name)]
    return parts or [rules.get("additionalProperties", True)]


def needed_by(rules: Schema, names: Iterable[str]) -> list[str]:
    """Return the names of properties and of all that these need."""
    needs = cast("dict[str, list[str]]", rules.get("dependentRequired") or {})
    found: list[str] = []
    waiting = list(names)
    while waiting:
        if (name := waiting.pop(0)) not in found:
            found.append(name)
            waiting += needs.get(name, [])
    return found


def items_of(rules: Schema) -> tuple[list[Any], Any]:
    """Return the schemas of an array's first items and that of the rest; draft 7 has a list in `items`."""
    items = rules.get("items", True)
    if isinstance(items, list):
        return cast("list[Any]", items), rules.get("additionalItems", True)
    return cast("list[Any]", rules.get("prefixItems") or []), items


def same(one: Any, other: Any) -> bool:
    """Return whether two JSON values are equal; unlike in Python, `true` is not 1."""
    if isinstance(one, list) and isinstance(other, list):
        items = cast("list[Any]", one), cast("list[Any]", other)
        return len(items[0]) == len(items[1]) and all(map(same, *items))
    if isinstance(one, dict) and isinstance(other, dict):
        first, second = cast("dict[str, Any]", one), cast("dict[str, Any]", other)
        return first.keys() == second.keys() and all(same(item, second[name]) for name, item in first.items())
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _plain_fits(value: Any, rules: Schema) -> bool:
    if "type" in rules:
        declared = rules["type"]
        kinds = cast("list[Any]", [declared] if isinstance(declared, str) else declared)
        if not any(_is_kind(value, str(kind)) for kind in kinds):
            return False
    if "const" in rules and not same(value, rules["const"]):
        return False
    if "enum" in rules and not any(same(value, member) for member in cast("Sequence[Any]", rules["enum"])):
        return False
    if isinstance(value, str):
        return _within(len(value), rules, "minLength", "maxLength") and _matches(rules.get("pattern", ""), value)
    return _is_kind(value, "number") is False or _number_fits(value, rules)


def _is_kind(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return isinstance(value, _KINDS.get(kind, ()))


def _number_fits(value: float, rules: Schema) -> bool:
    bounds: dict[str, Callable[[float], bool]] = {
        "minimum": lambda bound: value >= bound,
        "maximum": lambda bound: value <= bound,
        "exclusiveMinimum": lambda bound: value > bound,
        "exclusiveMaximum": lambda bound: value < bound,
        "multipleOf": lambda bound: _is_multiple(value, bound),
    }
    return all(allows(rules[key]) for key, allows in bounds.items() if key in rules)


def _is_multiple(value: float, of: float) -> bool:
    """Return what validators say, which divide floats: 0.3 is no multiple of 0.1 for them."""
    if isinstance(value, int) and isinstance(of, int):
        return value % of == 0
    try:
        quotient = value / of
        return int(quotient) == quotient
    except OverflowError:
        return (Fraction(value) / Fraction(of)).denominator == 1


def _matches(pattern: Any, text: str) -> bool:
    try:
        return re.search(str(pattern), text) is not None
    except re.error:
        # An expression of another dialect can't be judged here; the tool will.
        return True


def _within(size: int, rules: Schema, least: str, most: str) -> bool:
    return rules.get(least, 0) <= size <= rules.get(most, size)
