"""Steps about what may be registered as a hook."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from behave import given, then, when
from behave.runner import Context

from features.lib.hooks import hooks_of


async def _hook(payload: Any) -> None:
    """A hook whose annotation a scenario chooses."""


@when('a function that returns "{annotation}" is registered on "{event}"')
def register_annotated(context: Context, annotation: str, event: str) -> None:
    from cleveractors import hooks

    globals().update({name: getattr(hooks, name) for name in hooks.__all__})
    _hook.__annotations__["return"] = annotation
    on: Any = hooks_of(context).hooks.on
    with context.world.catching():
        assert on(event)(_hook) is _hook


@when('a partial of a function that returns "{annotation}" is registered on "{event}"')
def register_part(context: Context, annotation: str, event: str) -> None:
    from cleveractors import hooks

    globals().update({name: getattr(hooks, name) for name in hooks.__all__})
    _hook.__annotations__["return"] = annotation
    on: Any = hooks_of(context).hooks.on
    with context.world.catching():
        on(event)(partial(_hook))


@when('something that is no function is registered on "{event}"')
def register_text(context: Context, event: str) -> None:
    on: Any = hooks_of(context).hooks.on
    with context.world.catching():
        on(event)("a text")


@then('the tool "{tool}" is guarded by {count:d} hooks')
def check_guarded(context: Context, tool: str, count: int) -> None:
    chosen = [one for one in hooks_of(context).hooks.hooks if one.matcher.matches(tool)]
    assert len(chosen) == count, chosen


@then('the hook of "{event}" has {seconds:g} s')
def check_time(context: Context, event: str, seconds: float) -> None:
    times = [one.timeout for one in hooks_of(context).hooks.hooks if one.point.name == event]
    assert times == [seconds], times


@given("the host's log handler raises")
def break_log(context: Context) -> None:
    context.world.use(_broken_log())


@contextmanager
def _broken_log() -> Iterator[None]:
    def refuse(record: logging.LogRecord) -> bool:
        raise OSError("the log is full")

    logger = logging.getLogger("cleveractors")
    logger.addFilter(refuse)
    yield
    logger.removeFilter(refuse)
