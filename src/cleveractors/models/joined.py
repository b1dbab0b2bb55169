"""One JSON schema that asks for what two schemas ask, as far as rules can be joined; the rest is left to a check."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, cast

__all__ = ["joined", "joined_all"]

_CONDITION: Final = ("if", "then", "else")
_CHOICES: Final = ("anyOf", "oneOf", "$ref")
_BY_NAME: Final = ("properties", "patternProperties")
_PARTS: Final = ("items", "additionalProperties", "propertyNames", "contains")
_LOWEST: Final = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_HIGHEST: Final = (
    "minimum",
    "exclusiveMinimum",
    "minLength",
    "minItems",
    "minContains",
    "minProperties",
    "uniqueItems",
)


def joined_all(parts: Sequence[Any], rest: Any) -> Any:
    """Return `rest` joined with each of `parts`."""
    for part in parts:
        rest = joined(part, rest)
    return rest


def joined(one: Any, other: Any) -> Any:
    """Return a schema that asks for what both ask; where two rules can't be joined, for the other's.

    Choices, references and conditions that both have stand in `allOf`, to be joined when the other's are made.
    """
    if one is False or other is False:
        return False
    first = dict(cast("Mapping[str, Any]", one if isinstance(one, Mapping) else {}))
    both = dict(cast("Mapping[str, Any]", other if isinstance(other, Mapping) else {}))
    apart: list[Any] = []
    if "if" in first and "if" in both:
        apart.append({key: first.pop(key) for key in _CONDITION if key in first})
    for key, rule in first.items():
        if key not in both or both[key] == rule:
            both[key] = rule
        elif key in _CHOICES:
            apart.append({key: rule})
        else:
            both[key] = _rule(key, rule, both[key])
    if apart:
        both["allOf"] = [*both.get("allOf", []), *apart]
    return both


def _rule(key: str, one: Any, other: Any) -> Any:
    if key in _BY_NAME:
        shared = {name: joined(one[name], other[name]) for name in one if name in other}
        return {**one, **other, **shared}
    if key in _PARTS:
        return joined(one, other)
    if key in ("required", "allOf"):
        return [*other, *(item for item in one if item not in other)]
    if key == "enum":
        return [member for member in other if member in one]
    if key == "type":
        return _common_kinds(one, other)
    if key in _LOWEST or key in _HIGHEST:
        return (min if key in _LOWEST else max)(one, other)
    if key == "multipleOf":
        return _common_step(one, other)
    return other


def _common_step(one: float, other: float) -> float:
    """The smallest number that is a multiple of both; fractions are what their shortest texts say."""
    first, second = (Fraction(step if isinstance(step, int) else str(step)) for step in (one, other))
    top = math.lcm(first.numerator, second.numerator)
    common = Fraction(top, math.gcd(first.denominator, second.denominator))
    return int(common) if common.denominator == 1 else float(common)


def _common_kinds(one: Any, other: Any) -> list[str]:
    first, second = ([kinds] if isinstance(kinds, str) else list(kinds) for kinds in (one, other))
    common = [kind for kind in second if kind in first]
    # Every integer is a number.
    if "integer" not in common and any(
        "integer" in these and "number" in those for these, those in ((first, second), (second, first))
    ):
        common.append("integer")
    return common
