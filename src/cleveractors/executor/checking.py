"""The host's arguments of an executor, checked one by one."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, cast

from cleveractors.budget import Budget
from cleveractors.exceptions import ConfigurationError, Problem
from cleveractors.executor.arguments import ExecutorOptions
from cleveractors.limits import Limits
from cleveractors.policy import ActorPolicy
from cleveractors.sessions.store import SessionStore

__all__ = ["check_house"]


def check_house(options: ExecutorOptions) -> None:
    """Refuse what can't be right, all of it at once.

    Raises:
        TypeError: an option is unknown.
        ConfigurationError: with every option that is wrong.
    """
    known = ExecutorOptions.__annotations__
    for name in options:
        if name not in known:
            close = get_close_matches(name, known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(sorted(known))}"
            raise TypeError(f"create_executor() has no option {name!r}; {hint}")
    problems = [
        Problem(f"{name} must be {_ALLOWED[name]}, found {_shown(value)}")
        for name, value in options.items()
        if name in _TESTS and not _TESTS[name](value)
    ]
    if problems:
        raise ConfigurationError(*problems)


def _shown(value: object) -> str:
    plain = isinstance(value, str | int | float)
    return repr(value) if plain else type(value).__name__


def _is_number(value: object, least: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and least < value < float("inf")


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _is_hooks(value: object) -> bool:
    # Loaded only where somebody has some.
    from cleveractors.hooks.registry import Hooks

    return isinstance(value, Hooks)


def _are_budgets(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, Budget) for one in cast("list[object]", value))


def _or_none(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or test(value)


_TESTS: dict[str, Callable[[Any], bool]] = {
    "policy": _or_none(lambda value: isinstance(value, ActorPolicy)),
    "limits": _or_none(lambda value: isinstance(value, Limits)),
    "budgets": _are_budgets,
    "on_unpriced": lambda value: value in ("refuse", "allow"),
    "on_usage": _or_none(callable),
    "on_result": _or_none(callable),
    "streaming": _or_none(lambda value: value in ("answer", "tokens")),
    "hooks": _or_none(_is_hooks),
    "redact": _or_none(callable),
    "platform": lambda value: isinstance(value, str) and bool(value),
    "sessions": _or_none(lambda value: isinstance(value, SessionStore)),
    "require_tenant": lambda value: isinstance(value, bool),
    "max_concurrent_runs": _or_none(_is_count),
    "sink_timeout": lambda value: _is_number(value, 0),
    "stall_timeout": lambda value: _is_number(value, 0),
    "max_threads": _is_count,
    "transport": lambda value: value in ("lean", "stock"),
}
_ALLOWED = {
    "policy": "an ActorPolicy",
    "limits": "Limits",
    "budgets": "a list of Budget",
    "on_unpriced": "'refuse' or 'allow'",
    "on_usage": "a function, or Required(function)",
    "on_result": "a function",
    "streaming": "'answer' or 'tokens'",
    "hooks": "Hooks",
    "redact": "a function",
    "platform": "a text",
    "sessions": "a session store, with the methods load and append",
    "require_tenant": "True or False",
    "max_concurrent_runs": "a whole number of 1 or more, or None",
    "sink_timeout": "seconds above 0",
    "stall_timeout": "seconds above 0",
    "max_threads": "a whole number of 1 or more",
    "transport": "'lean' or 'stock'",
}
