"""What to write instead of a value that does not fit."""

from __future__ import annotations

import re

from .hints import did_you_mean
from .rule import Rule
from .scalars import resolve
from .shown import quoted

__all__ = ["value_hint"]

_BOOLEANS = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}
_LARGEST = 1e15
_BASES = {16: re.compile(r"0[xX]([0-9a-fA-F]{1,12})"), 8: re.compile(r"0[oO]([0-7]{1,16})")}
_UNDERSCORED = re.compile(r"[0-9]{1,3}(?:[_,][0-9]{3}){1,5}")


def value_hint(value: object, raw: str | None, rule: Rule) -> str | None:
    """Guess what was meant.

    Args:
        value: what was found.
        raw: how a plain scalar was written; None for quoted ones.
        rule: what is allowed.
    """
    if isinstance(value, str):
        return _for_text(value, rule, was_quoted=raw is None)
    largest = max(rule.maxima, default=_LARGEST)
    if isinstance(value, float) and "integer" in rule.kinds and abs(value) <= largest and value.is_integer():
        return f"write {int(value)}"
    if isinstance(value, int | float) and "string" in rule.kinds and not rule.choices:
        return "put it in quotes"
    return None


def _for_text(value: str, rule: Rule, *, was_quoted: bool) -> str | None:
    if "boolean" in rule.kinds and value.lower() in _BOOLEANS:
        return f"write {_BOOLEANS[value.lower()]}"
    numeric = rule.kinds & {"integer", "number"}
    if numeric and (number := _number(value)) is not None:
        return f"write {number}"
    if was_quoted and (numeric or "boolean" in rule.kinds) and not isinstance(resolve(value), str | None):
        return f"write {quoted(value, '')} without quotes"
    return did_you_mean(value, rule.choices)


def _number(text: str) -> int | None:
    for base, pattern in _BASES.items():
        if match := pattern.fullmatch(text):
            return int(match[1], base)
    return int(re.sub("[_,]", "", text)) if _UNDERSCORED.fullmatch(text) else None
