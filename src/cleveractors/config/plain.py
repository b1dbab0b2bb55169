"""From JSON text or a host's mapping to plain data, within the same bounds as YAML."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import cast

from .bounds import Bounds
from .problems import Problems
from .scalars import cleaned, text_fault
from .shown import quoted
from .source import Path

__all__ = ["parse_json", "plain"]

_INTEGER_BITS = 63


class _Object(dict[str, object]):
    """A JSON object that remembers the keys written twice."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__()
        self.twice: list[str] = []
        for key, value in pairs:
            if key in self:
                self.twice.append(key)
            else:
                self[key] = value


def parse_json(text: str, problems: Problems) -> object:
    """Parse JSON; what is no JSON is fatal, duplicate keys are found by `plain`."""
    try:
        return json.loads(text, object_pairs_hook=_Object)
    except json.JSONDecodeError as error:
        message, offset = error.msg, error.pos
    except RecursionError:
        message, offset = "values are nested too deep", None
    except ValueError:
        message, offset = "a number has too many digits", None
    problems.fatal(f"not JSON: {message}", offset=offset)


def plain(value: object, problems: Problems) -> object:
    """Copy data as dicts, lists, texts, numbers, booleans and None; what is none of these becomes a problem."""
    return _Copier(problems).copy(value, ())


class _Copier:
    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._bounds = Bounds(problems)

    def copy(self, value: object, path: Path) -> object:
        self._bounds.add(path)
        if isinstance(value, Mapping):
            return self._mapping(cast("Mapping[object, object]", value), path)
        if isinstance(value, list | tuple):
            return [self.copy(item, (*path, at)) for at, item in enumerate(cast("list[object]", value))]
        if isinstance(value, str):
            return self._text(value, path)
        if isinstance(value, bool) or value is None:
            return value
        if isinstance(value, int | float):
            return _number(value)
        allowed = "mappings, lists, texts, numbers, booleans and None"
        self._problems.spoiled(path, f"found a Python {type(value).__name__}; allowed: {allowed}")
        return None

    def _mapping(self, value: Mapping[object, object], path: Path) -> dict[str, object]:
        for key in value.twice if isinstance(value, _Object) else ():
            self._problems.flaw(f"the key {quoted(key, '`')} is written twice", (*path, self._text(key, path)))
        copied: dict[str, object] = {}
        for key, item in value.items():
            if isinstance(key, str):
                text = self._text(key, path)
                copied[text] = self.copy(item, (*path, text))
            else:
                self._problems.flaw(f"found a key that is a Python {type(key).__name__}; keys are texts", path)
        return copied

    def _text(self, value: str, path: Path) -> str:
        # The value of an enum's member, not its name.
        text = str.__str__(value)
        self._bounds.add(path, nodes=0, characters=len(text))
        if fault := text_fault(text):
            self._problems.spoiled(path, fault)
            return cleaned(text)
        return text


def _number(value: float) -> float:
    """Return an exact int or float; whole numbers that no machine word holds become floats, as in YAML."""
    if isinstance(value, int) and value.bit_length() <= _INTEGER_BITS:
        return int(value)
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
