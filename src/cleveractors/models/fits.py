"""Whether a JSON value fits a schema: the keywords that tool schemas use, read without a validator's start-up cost."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

__all__ = ["NoValueError", "Schema", "SchemaReader", "parts_of", "same"]

Schema: TypeAlias = Mapping[str, Any]

_KINDS: Final[dict[str, type | tuple[type, ...]]] = {
    "object": Mapping,
    "array": list,
    "string": str,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


class NoValueError(ValueError):
    """A schema allows no value, or none that is finite."""


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
            raise NoValueError("the schema is too deep to find a value for it")

    def resolved(self, reference: str) -> Any:
        """Return the part of the schema that `reference` (`#/…`) names.

        Raises:
            NoValueError: There is no such part.
        """
        target: Any = self._root
        for step in reference.removeprefix("#").split("/")[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            try:
                target = target[int(key) if isinstance(target, list) else key]
            except (KeyError, IndexError, TypeError, ValueError):
                raise NoValueError(f"the schema has no {reference!r}") from None
        return target

    def fits(self, value: Any, schema: object, seen: frozenset[str] = frozenset()) -> bool:
        """Return whether `value` is allowed by `schema`; `seen` holds references already followed for this value."""
        self.spend()
        if not isinstance(schema, Mapping):
            return schema is not False
        rules = cast(Schema, schema)
        reference = str(rules.get("$ref", ""))
        if reference and reference not in seen and not self.fits(value, self.resolved(reference), seen | {reference}):
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
        needs = cast("dict[str, list[str]]", rules.get("dependentRequired") or {})
        wanted = set(rules.get("required") or ()).union(*(names for key, names in needs.items() if key in value))
        if not wanted <= value.keys() or not _within(len(value), rules, "minProperties", "maxProperties"):
            return False
        names = rules.get("propertyNames", True)
        return all(
            self.fits(name, names) and all(self.fits(item, part) for part in parts_of(rules, name))
            for name, item in value.items()
        )

    def _items_fit(self, value: list[Any], rules: Schema) -> bool:
        first = cast("list[Any]", rules.get("prefixItems") or [])
        if not _within(len(value), rules, "minItems", "maxItems"):
            return False
        if rules.get("uniqueItems") and any(same(item, seen) for n, item in enumerate(value) for seen in value[:n]):
            return False
        if "contains" in rules:
            found = sum(self.fits(item, rules["contains"]) for item in value)
            if not rules.get("minContains", 1) <= found <= rules.get("maxContains", found):
                return False
        rest = rules.get("items", True)
        return all(self.fits(item, first[n] if n < len(first) else rest) for n, item in enumerate(value))


def parts_of(rules: Schema, name: str) -> list[Any]:
    """Return the schemas that the property `name` of an object has to fit."""
    named = cast("dict[str, Any]", rules.get("properties") or {})
    patterns = cast("dict[str, Any]", rules.get("patternProperties") or {})
    parts = [named[name]] if name in named else []
    parts += [part for pattern, part in patterns.items() if _matches(pattern, name)]
    return parts or [rules.get("additionalProperties", True)]


def same(one: object, other: object) -> bool:
    """Return whether two JSON values are equal; unlike in Python, `true` is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one == other


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
        "multipleOf": lambda bound: math.isclose(value / bound, round(value / bound), rel_tol=0, abs_tol=1e-12),
    }
    return all(allows(rules[key]) for key, allows in bounds.items() if key in rules)


def _matches(pattern: Any, text: str) -> bool:
    try:
        return re.search(str(pattern), text) is not None
    except re.error:
        # An expression of another dialect can't be judged here; the tool will.
        return True


def _within(size: int, rules: Schema, least: str, most: str) -> bool:
    return rules.get(least, 0) <= size <= rules.get(most, size)
