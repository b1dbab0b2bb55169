"""The host's arguments of an executor, checked one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, cast

from cleveractors.budget import Budget
from cleveractors.exceptions import ConfigurationError, Problem
from cleveractors.executor.arguments import ExecutorOptions
from cleveractors.limits import Limits
from cleveractors.policy import ActorPolicy
from cleveractors.sessions.store import SessionStore
from cleveractors.sinks import Required
from cleveractors.tools.toolset import Toolset

__all__ = ["check_house"]


@dataclass(frozen=True, slots=True)
class _Kind:
    """What an option may be."""

    fits: Callable[[Any], bool]
    allowed: str
    text: str = "{name} must be {allowed}, found {found}"


def check_house(options: ExecutorOptions) -> None:
    """Refuse what is of a wrong kind, all of it at once.

    Raises:
        TypeError: an option is unknown.
        ConfigurationError: with every option that is wrong.
    """
    for name in options:
        if name not in _KINDS:
            close = get_close_matches(name, _KINDS, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(sorted(_KINDS))}"
            raise TypeError(f"create_executor() has no option {name!r}; {hint}")
    problems = [_problem(name, value) for name, value in options.items() if not _KINDS[name].fits(value)]
    if problems:
        raise ConfigurationError(*problems)


def _problem(name: str, value: object) -> Problem:
    kind = _KINDS[name]
    # A text in place of credentials may be a key.
    shown = isinstance(value, str | int | float) and name != "credentials"
    found = repr(value) if shown else type(value).__name__
    return Problem(kind.text.format(name=name, allowed=kind.allowed, found=found))


def _is_number(value: object, least: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and least < value < float("inf")


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _is_hooks(value: object) -> bool:
    # Loaded only where somebody has some.
    from cleveractors.hooks.registry import Hooks

    return isinstance(value, Hooks)


def _are_tools(value: object) -> bool:
    listed = isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)
    return listed or isinstance(value, Toolset)


def _are_budgets(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, Budget) for one in cast("list[object]", value))


def _is_listed(value: object, fits: Callable[[Any], bool]) -> bool:
    listed = isinstance(value, Sequence) and not isinstance(value, str | bytes)
    return listed and all(fits(one) for one in cast("Sequence[object]", value))


def _is_pair(value: object) -> bool:
    return _is_listed(value, lambda part: isinstance(part, str)) and len(cast("Sequence[object]", value)) == 2


def _is_named(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(name, str) for name in cast("Mapping[object, object]", value))


def _is_sink(value: object) -> bool:
    return callable(value.sink if isinstance(value, Required) else value)


def _is_store(value: object) -> bool:
    # A class has the methods too.
    return isinstance(value, SessionStore) and not isinstance(value, type)


def _or_none(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or fits(value)


_KINDS: Final[Mapping[str, _Kind]] = {
    "tools": _Kind(_are_tools, "a list", "{name} are given as {allowed}, not as {found}"),
    "agent_types": _Kind(_or_none(_is_named), "a mapping of names to subclasses of Agent"),
    "credentials": _Kind(
        _or_none(lambda value: value == "env" or callable(value) or _is_named(value)),
        "a mapping of provider to key, a function or 'env'",
    ),
    "models": _Kind(_or_none(_is_named), "a mapping of provider to chat model"),
    "policy": _Kind(_or_none(lambda value: isinstance(value, ActorPolicy)), "an ActorPolicy"),
    "limits": _Kind(_or_none(lambda value: isinstance(value, Limits)), "Limits"),
    "budgets": _Kind(_are_budgets, "a list of Budget"),
    "hooks": _Kind(_or_none(_is_hooks), "Hooks"),
    "prices": _Kind(
        _or_none(lambda value: callable(value) or _is_named(value)), "a mapping of model to Price, or a function"
    ),
    "on_unpriced": _Kind(lambda value: value in ("refuse", "allow"), "'refuse' or 'allow'"),
    "on_usage": _Kind(_or_none(_is_sink), "a function, or Required(function)"),
    "on_result": _Kind(_or_none(callable), "a function"),
    "observers": _Kind(lambda value: _is_listed(value, callable), "a list of functions"),
    "streaming": _Kind(_or_none(lambda value: value in ("answer", "tokens")), "'answer' or 'tokens'"),
    "sessions": _Kind(_or_none(_is_store), "a session store, with the methods load and append"),
    "require_tenant": _Kind(lambda value: isinstance(value, bool), "True or False"),
    "max_concurrent_runs": _Kind(_or_none(_is_count), "a whole number of 1 or more, or None"),
    "sink_timeout": _Kind(lambda value: _is_number(value, 0), "seconds above 0"),
    "stall_timeout": _Kind(lambda value: _is_number(value, 0), "seconds above 0"),
    "max_threads": _Kind(_is_count, "a whole number of 1 or more"),
    "platform": _Kind(lambda value: isinstance(value, str) and bool(value), "a text"),
    "redact": _Kind(_or_none(callable), "a function"),
    "transport": _Kind(lambda value: value in ("lean", "stock"), "'lean' or 'stock'"),
    "overrides": _Kind(lambda value: _is_listed(value, _is_pair), "a list of pairs of texts, each a path and a value"),
}
