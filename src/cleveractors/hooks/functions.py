"""A host's function as a hook."""

from __future__ import annotations

import types
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from inspect import isawaitable, iscoroutinefunction
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from cleveractors.exceptions import ConfigurationError
from cleveractors.hooks.payload import Payload
from cleveractors.hooks.points import HookPoint
from cleveractors.hooks.verdicts import VERDICTS

__all__ = ["Function"]


class Function:
    """Calls an async function on the loop, a sync one on the run's threads.

    Args:
        fn: takes the payload, returns a verdict or None.

    Raises:
        ConfigurationError: it can't be called.
    """

    __slots__ = ("_fn", "_is_async", "name")

    def __init__(self, fn: Callable[[Any], object]) -> None:
        if not callable(fn):
            raise ConfigurationError(f"a hook is a function, found {fn!r}")
        self._fn = fn
        self._is_async = iscoroutinefunction(fn) or iscoroutinefunction(getattr(fn, "__call__", None))  # noqa: B004
        self.name = _name_of(fn)

    async def answer(self, payload: Payload, grace: float) -> object:
        """Call the function."""
        del grace
        call = partial(self._fn, payload.fresh())
        answer = call() if self._is_async else await payload.context.threads.run(call)
        return await cast("Awaitable[object]", answer) if isawaitable(answer) else answer

    def check(self, point: HookPoint, observe: bool) -> None:
        """Refuse a function whose annotation says that it returns what can't be taken there.

        Raises:
            ConfigurationError: such an annotation.
        """
        allowed = () if observe else point.verdicts
        unfit = [one.__name__ for one in _verdicts_in(_returned(self._fn)) if one not in allowed]
        if unfit:
            may = ", ".join(one.__name__ for one in allowed) or "nothing"
            raise ConfigurationError(
                f"hook {self.name} on {point.name}: it may return {may}, and says it returns {', '.join(unfit)}"
            )


def _name_of(fn: Callable[[Any], object]) -> str:
    inner: Any = fn.func if isinstance(fn, partial) else fn
    return str(getattr(inner, "__qualname__", None) or type(inner).__qualname__)


def _returned(fn: Any) -> Any:
    """The return annotation, or None where it can't be known now."""
    if isinstance(fn, partial):
        return _returned(cast("Any", fn).func)
    target = fn if hasattr(fn, "__code__") or hasattr(fn, "__func__") else type(fn).__call__
    try:
        return get_type_hints(target).get("return")
    except Exception:
        # Names that exist only while types are checked: the answer itself will be looked at.
        return None


def _verdicts_in(hint: Any) -> Iterator[type[Any]]:
    if hint in VERDICTS:
        yield hint
    elif get_origin(hint) in (Union, types.UnionType) or get_origin(hint) is not None:
        for part in get_args(hint):
            yield from _verdicts_in(part)
