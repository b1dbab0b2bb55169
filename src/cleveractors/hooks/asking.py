"""How a run's hooks are called: which, with what, within what time."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from cleveractors.hooks.gates import refused
from cleveractors.hooks.hook import Hook
from cleveractors.hooks.house import House
from cleveractors.hooks.payload import Payload
from cleveractors.hooks.points import POINTS
from cleveractors.hooks.running import HookFailure, Limit, Outcome, ask
from cleveractors.tasks import outlive

if TYPE_CHECKING:
    from cleveractors.context import RunContext

__all__ = ["END_SECONDS", "Asking", "is_over"]

P = TypeVar("P", bound=Payload)
_log = logging.getLogger("cleveractors")

END_SECONDS = 1.5
"""What all hooks after the end of a run may take together."""
END_GRACE = 0.2


class End:
    """The time that hooks after the end share; it begins with the first of them."""

    __slots__ = ("_deadline",)

    def __init__(self) -> None:
        self._deadline: float | None = None

    def left(self) -> float:
        """Seconds that are left."""
        now = time.monotonic()
        if self._deadline is None:
            self._deadline = now + END_SECONDS
        return max(self._deadline - now, 0.0)


class Asking:
    """Calls the hooks of one run.

    Args:
        context: the run.
        hooks: event → hooks.
        house: what they share.
        platform: where the run came from.
        end: the time after the end; a child has its parent's.
    """

    def __init__(
        self,
        context: RunContext[Any],
        hooks: Mapping[str, Sequence[Hook]],
        house: House,
        platform: str,
        end: End | None = None,
    ) -> None:
        run = root = context.run
        while root.parent is not None:
            root = root.parent
        self.hooks = hooks
        self.house = house
        self.platform = platform
        self.end = end or End()
        self._session_id = context.session_id or root.run_id
        self._is_child = run.parent is not None

    def matching(self, event: str, tool_name: str | None = None) -> Sequence[Hook]:
        """The hooks that are called for an event."""
        hooks = self.hooks.get(event, ())
        if not hooks or (self._is_child and not POINTS[event].in_child):
            return ()
        if event == "message_display":
            return [hook for hook in hooks if hook.scope == "all"] if self._is_child else hooks
        return [hook for hook in hooks if hook.matcher.matches(tool_name)] if POINTS[event].matcher else hooks

    def payload(self, kind: type[P], context: RunContext[Any], **own: Any) -> P:
        """What an event tells."""
        return kind(context=context, session_id=self._session_id, cwd=self.house.cwd, platform=self.platform, **own)

    async def ask(self, hook: Hook, payload: Payload, *, at_the_end: bool = False) -> Outcome:
        """Ask one hook: within its own time and the run's, and after the end within what is left for all."""
        run = payload.context.run
        if not at_the_end and not is_over(payload.context):
            outcome = await ask(hook, payload, Limit(run.within(hook.timeout), run.signal))
        elif hook.point.gate:
            outcome = refused(hook)
        elif (left := self.end.left()) > 0:
            outcome = await ask(hook, payload, Limit(min(hook.timeout, left), None, END_GRACE))
        else:
            outcome = Outcome(hook, failure=HookFailure("timeout", "the time for hooks after the end was up"))
        self.house.note(outcome, payload.context)
        return outcome

    async def tell(self, event: str, tool_name: str | None, payload: Callable[[], Payload]) -> None:
        """Call those that only look on, one after the other."""
        hooks = self.matching(event, tool_name)
        if hooks:
            told = payload()
            for hook in hooks:
                await self.ask(hook, told)

    async def tell_at_the_end(self, event: str, payload: Callable[[], Payload]) -> None:
        """The same after the end; a cancellation of the caller is raised after it."""
        hooks = self.matching(event)
        if not hooks:
            return

        async def tell() -> None:
            told = payload()
            for hook in hooks:
                await self.ask(hook, told, at_the_end=True)

        try:
            await outlive(tell(), END_SECONDS + 2 * END_GRACE, event)
        except TimeoutError:
            _log.warning("hooks on %s did not end in time", event)


def is_over(context: RunContext[Any]) -> bool:
    """Whether the run was aborted, or its time is up."""
    return context.run.signal.is_aborted or context.run.out_of_time
