"""What several hooks of one event come to: pure functions over their outcomes, in registration order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cleveractors.hooks.running import Outcome
from cleveractors.hooks.verdicts import Ask, Deny
from cleveractors.hooks.wording import cut, shown

__all__ = ["Allowed", "Contexts", "Denied", "denial"]

MOST_OF_REASONS = 2_000


@dataclass(frozen=True, slots=True)
class Allowed:
    """The tool may run."""

    arguments: Any
    """With these arguments."""
    modified: bool = False
    """Whether a hook has changed them."""


@dataclass(frozen=True, slots=True)
class Contexts:
    """The run may begin."""

    blocks: tuple[str, ...] = ()
    """Texts for the user's message, each labelled, escaped and bounded."""

    @property
    def text(self) -> str:
        """All of them."""
        return "\n\n".join(self.blocks)


@dataclass(frozen=True, slots=True)
class Denied:
    """It must not happen."""

    reasons: tuple[str, ...]
    """All of them, in the order of the hooks."""
    asked: bool = False
    """Nobody refused it; somebody has to approve it."""
    aborted: bool = False
    """The run was aborted before all hooks had answered."""

    @property
    def reason(self) -> str:
        """The reasons for a person: one a line."""
        return cut("\n".join(self.reasons), MOST_OF_REASONS)

    @property
    def text(self) -> str:
        """The reasons for the model."""
        return f"not run: denied by a hook: {cut('; '.join(self.reasons), MOST_OF_REASONS)}"


def denial(outcomes: Iterable[Outcome]) -> Denied | None:
    """The refusal that the outcomes come to, if they do."""
    refusals = [one for one in outcomes if one.denies or isinstance(one.verdict, Deny | Ask)]
    if not refusals:
        return None
    return Denied(
        tuple(_reason(one) for one in refusals),
        asked=all(isinstance(one.verdict, Ask) for one in refusals),
        aborted=any(one.failure is not None and one.failure.kind == "aborted" for one in refusals),
    )


def _reason(outcome: Outcome) -> str:
    verdict = outcome.verdict
    if isinstance(verdict, Deny | Ask):
        default = "it needs approval" if isinstance(verdict, Ask) else f"the hook {outcome.hook.name} said no"
        return shown(verdict.reason).strip() or default
    if outcome.failure is not None and outcome.failure.kind == "aborted":
        return "the run was aborted"
    # Why it failed is for the log: paths and traces are nothing for a model.
    kind = outcome.failure.kind if outcome.failure else ""
    return f"the hook {outcome.hook.name} failed ({kind})"
