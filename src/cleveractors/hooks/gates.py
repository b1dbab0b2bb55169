"""The hooks before a tool call: each sees what those before it made of the arguments."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from cleveractors.hooks.hook import Hook
from cleveractors.hooks.merging import Allowed, Denied, denial
from cleveractors.hooks.running import HookFailure, Outcome
from cleveractors.hooks.verdicts import Deny, Modify

__all__ = ["Gate"]

Ask = Callable[[Hook, Any], Awaitable[Outcome]]
Validate = Callable[[dict[str, Any]], object]


class Gate:
    """Asks the hooks of one tool call.

    Args:
        ask: asks one hook about arguments.
        arguments: what the model wants to call the tool with.
        validate: raises where arguments do not fit the tool.
    """

    __slots__ = ("_ask", "_seen", "_validate", "arguments", "outcomes", "version")

    def __init__(self, ask: Ask, arguments: Any, validate: Validate | None) -> None:
        self._ask = ask
        self._validate = validate
        self.arguments = arguments
        self.version = 0
        self.outcomes: list[Outcome] = []
        self._seen: list[int] = []

    async def decide(self, hooks: Sequence[Hook]) -> Allowed | Denied:
        """Ask all hooks; those that passed arguments which were changed after are asked once more."""
        for hook in hooks:
            outcome = self._take(await self._ask(hook, self.arguments))
            self.outcomes.append(outcome)
            self._seen.append(self.version)
        if (denied := denial(self.outcomes)) is not None:
            return denied
        await self._ask_again()
        return denial(self.outcomes) or Allowed(self.arguments, modified=self.version > 0)

    async def _ask_again(self) -> None:
        for index, outcome in enumerate(self.outcomes):
            # A hook that has changed the arguments itself would only change them again.
            if self._seen[index] == self.version or isinstance(outcome.verdict, Modify):
                continue
            again = await self._ask(outcome.hook, self.arguments)
            if isinstance(again.verdict, Modify):
                reason = (
                    f"the hook {outcome.hook.name} would change arguments that a later hook has changed: "
                    "register it after that one"
                )
                again = replace(again, verdict=Deny(reason))
            self.outcomes[index] = again

    def _take(self, outcome: Outcome) -> Outcome:
        """Put changed arguments in place, where they fit the tool."""
        if not isinstance(outcome.verdict, Modify):
            return outcome
        changed = dict(outcome.verdict.arguments)
        try:
            if self._validate is not None:
                self._validate(dict(changed))
        except Exception as error:
            name = outcome.hook.name
            return replace(outcome, verdict=Deny(f"the hook {name} made arguments that do not fit the tool: {error}"))
        self.arguments, self.version = changed, self.version + 1
        return outcome


def refused(hook: Hook) -> Outcome:
    """What a gate says when the run is aborted: it is not asked any more."""
    return Outcome(hook, failure=HookFailure("aborted", "the run was aborted"))
