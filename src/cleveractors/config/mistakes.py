"""From pydantic's errors to problems: what was found, what is allowed, what was probably meant."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from pydantic import ValidationError
from pydantic.errors import PydanticInvalidForJsonSchema
from pydantic_core import ErrorDetails

from .guesses import value_hint
from .hints import did_you_mean, elsewhere
from .models import ActorConfig, AgentConfig, LLMAgentConfig, known_types
from .problems import Problems
from .rule import Rule
from .shown import found, listing, printable, quoted
from .source import Path

__all__ = ["report"]

_OWN = frozenset({"actor", "value_error", "assertion_error"})
_LONGEST = 500


@dataclass(frozen=True)
class _Mistake:
    kind: str
    path: Path
    value: object
    message: str
    facts: Mapping[str, Any]


def report(error: ValidationError, data: Mapping[str, object], problems: Problems, types: Mapping[str, Any]) -> None:
    """Add one problem for each mistake that pydantic found.

    Args:
        error: what the validation of the whole actor raised.
        data: the document in its full form.
        problems: where they go.
        types: the custom agent types by name.
    """
    mistakes = [_mistake(details, data) for details in error.errors(include_url=False, include_input=False)]
    # Of a union, each member complains: the one that came furthest is the one that was meant.
    outer = {mistake.path[:depth] for mistake in mistakes for depth in range(len(mistake.path))}
    outer |= {mistake.path for mistake in mistakes if mistake.kind in _OWN}
    reporter = _Reporter(data, problems, known_types(types))
    for mistake in mistakes:
        if mistake.path not in outer or not mistake.kind.endswith(("_type", "literal_error")):
            reporter.add(mistake)


def _mistake(details: ErrorDetails, data: Mapping[str, object]) -> _Mistake:
    """Follow pydantic's location through the document, past the names of union members that stand in it."""
    here: object = data
    path: list[str | int] = []
    location = details["loc"]
    for part in location:
        with suppress(LookupError):
            here = _inside(here, part)
            path.append(part)
    kind = details["type"]
    if kind == "missing":
        path.append(location[-1])
    if location[-1:] == ("[key]",):
        kind = "key"
    return _Mistake(kind, tuple(path), here, details["msg"], details.get("ctx", {}))


def _inside(value: object, part: str | int) -> object:
    """Return what a mapping or list holds there.

    Raises:
        LookupError: it holds nothing there.
    """
    if isinstance(value, list) and isinstance(part, int):
        return cast("list[object]", value)[part]
    if isinstance(value, dict):
        return cast("dict[str | int, object]", value)[part]
    raise LookupError(part)


class _Reporter:
    def __init__(self, data: Mapping[str, object], problems: Problems, types: Mapping[str, type[AgentConfig]]) -> None:
        self._data = data
        self._problems = problems
        self._types = types

    def add(self, mistake: _Mistake) -> None:
        path = mistake.path
        if self._problems.full:
            # Only counted from here on: wording costs time that a hostile file must not get.
            self._problems.broken(path, mistake.kind)
        elif mistake.kind == "extra_forbidden":
            self._unknown_key(path)
        elif mistake.kind == "missing":
            self._missing(mistake)
        elif mistake.kind == "key":
            words = self._rule(path[:-1]).key_words or mistake.message
            self._problems.add(path, f"found the name {quoted(str(path[-1]))}; allowed: {words}", at="key")
        elif mistake.kind in _OWN:
            self._own(mistake)
        else:
            self._bad_value(mistake)

    def _unknown_key(self, path: Path) -> None:
        key = str(path[-1])
        known = self._rule(path[:-1]).keys
        hint = _belongs(path, key) or elsewhere(key) or did_you_mean(key, known)
        self._problems.broken(path, f"unknown key {quoted(key, '`')}; allowed: {listing(known)}", at="key", hint=hint)

    def _missing(self, mistake: _Mistake) -> None:
        hint = "or write `model: …` for a single agent" if mistake.path == ("agents",) else None
        allowed = str(self._rule(mistake.path)) or "a value"
        message = f"`{mistake.path[-1]}` is missing; give {allowed}"
        self._problems.broken(mistake.path, message, at="key", hint=hint)

    def _own(self, mistake: _Mistake) -> None:
        """Report what a validator said: ours, or one of a host's class."""
        facts = mistake.facts
        text = str(facts.get("text") or facts.get("error") or mistake.message)
        hint = did_you_mean(facts["given"], facts["known"]) if "known" in facts else None
        self._problems.broken(mistake.path, printable(text[:_LONGEST]), hint=hint)

    def _bad_value(self, mistake: _Mistake) -> None:
        node = self._problems.node(mistake.path)
        raw = node.raw if node else None
        rule = self._rule(mistake.path)
        allowed = f"; allowed: {rule}" if str(rule) else f": {printable(mistake.message[:_LONGEST])}"
        hint = value_hint(mistake.value, raw, rule)
        self._problems.broken(mistake.path, f"{found(mistake.value, raw)}{allowed}", hint=hint)

    def _rule(self, path: Path) -> Rule:
        """Return the rule of the value at a path of the document."""
        if len(path) < 2 or path[0] != "agents":
            return _whole_rule(ActorConfig).at(path)
        named: object = "llm"
        with suppress(LookupError):
            named = _inside(_inside(self._data["agents"], path[1]), "type")
        config = self._types.get(named) if isinstance(named, str) else None
        return _whole_rule(config or AgentConfig).at(path[2:])


def _belongs(path: Path, key: str) -> str | None:
    if len(path) == 1 and key in LLMAgentConfig.model_fields:
        return f"write it in an agent: `agents.<name>.{key}`"
    return "an agent's name is the key it stands under" if len(path) == 3 and key == "name" else None


@lru_cache(maxsize=64)
def _whole_rule(config: type[AgentConfig] | type[ActorConfig]) -> Rule:
    try:
        return Rule(config.model_json_schema())
    except PydanticInvalidForJsonSchema:
        # A host's class may have fields that JSON Schema can't say: then pydantic's own words must do.
        return Rule({})
