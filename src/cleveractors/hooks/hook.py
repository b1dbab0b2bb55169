"""One registered hook: what it does, when, for how long, and what its failure means."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal, Protocol

from cleveractors.exceptions import ConfigurationError
from cleveractors.hooks.matcher import ALL_TOOLS, Matcher, read_matcher
from cleveractors.hooks.payload import Payload
from cleveractors.hooks.points import HookPoint, OnFailure

__all__ = ["Action", "Hook", "Scope", "make_hook"]

Scope = Literal["root", "all"]

MAX_SECONDS = 3600.0


class Action(Protocol):
    """What a hook does when its event fires."""

    @property
    def name(self) -> str:
        """What logs and reasons call it."""
        ...

    async def answer(self, payload: Payload, grace: float) -> object:
        """Answer with a verdict or None.

        Args:
            payload: what is told.
            grace: seconds that a process may take to end when it is told to.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Hook:
    """An action at a hook point."""

    point: HookPoint
    action: Action
    timeout: float
    """Seconds for all of it: waiting for its turn, starting, running."""
    on_failure: OnFailure
    matcher: Matcher = ALL_TOOLS
    required: bool = False
    """Without it nothing starts, and when it is not trusted any more, what it guards is denied."""
    observe: bool = False
    """It looks on, and answers nothing."""
    scope: Scope = "root"
    """Whose messages it is shown."""

    @property
    def name(self) -> str:
        """What logs and reasons call it."""
        return self.action.name

    @property
    def verdicts(self) -> Collection[type[Any]]:
        """What it may answer."""
        return () if self.observe else self.point.verdicts


def make_hook(
    point: HookPoint,
    action: Action,
    *,
    matcher: str | None = None,
    timeout: float | None = None,
    on_failure: OnFailure | None = None,
    **flags: Any,
) -> Hook:
    """Make a hook of what the host says.

    Raises:
        ConfigurationError: with everything about it that can't be.
    """
    problems = list(_misplaced(point, matcher, on_failure, flags))
    if timeout is not None and (fault := timeout_fault(timeout)):
        problems.append(fault)
    compiled = ALL_TOOLS
    try:
        compiled = read_matcher(matcher)
    except ConfigurationError as error:
        problems.append(str(error))
    if problems:
        raise ConfigurationError(*(f"hook {action.name} on {point.name}: {one}" for one in problems))
    seconds = float(timeout) if timeout is not None else point.seconds
    return Hook(point, action, seconds, on_failure or point.on_failure, compiled, **flags)


def timeout_fault(timeout: object) -> str | None:
    """What is wrong with a time limit."""
    if not isinstance(timeout, int | float) or isinstance(timeout, bool) or not isfinite(timeout):
        return f"timeout={timeout!r}: allowed are seconds"
    if not 0 < timeout <= MAX_SECONDS:
        hint = f"; in milliseconds? then {timeout / 1000:g}" if timeout > MAX_SECONDS else ""
        return f"timeout={timeout!r}: allowed are seconds above 0, at most {MAX_SECONDS:g}{hint}"
    return None


def _misplaced(point: HookPoint, matcher: str | None, on_failure: object, flags: dict[str, Any]) -> list[str]:
    """Options that mean nothing at this point."""
    problems: list[str] = []
    if matcher is not None and not point.matcher and matcher.strip() not in ("", "*"):
        problems.append("matcher selects tools, and this event has none")
    if on_failure not in (None, "deny", "pass"):
        problems.append(f"on_failure={on_failure!r}: allowed are 'deny' and 'pass'")
    if on_failure == "deny" and not point.gate:
        problems.append("on_failure='deny': nothing can be denied here")
    if flags.get("observe") and point.name not in ("stop", "transform_llm_output"):
        problems.append("observe is for stop and transform_llm_output")
    scope = flags.get("scope", "root")
    if scope not in ("root", "all"):
        problems.append(f"scope={scope!r}: allowed are 'root' and 'all'")
    if scope != "root" and point.name != "message_display":
        problems.append("scope is for message_display")
    return problems
