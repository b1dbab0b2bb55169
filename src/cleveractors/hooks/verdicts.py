"""What a hook may answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["VERDICTS", "AddContext", "Ask", "Continue", "Deny", "Modify", "ReplaceText", "Verdict"]


@dataclass(frozen=True, slots=True)
class Deny:
    """It must not happen."""

    reason: str
    """Why; the model or the user reads it."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Somebody has to approve; until there is an approver, it is denied."""

    reason: str
    """What has to be approved."""


@dataclass(frozen=True, slots=True)
class Modify:
    """Call the tool with other arguments."""

    arguments: Mapping[str, Any]
    """All of the new arguments."""


@dataclass(frozen=True, slots=True)
class AddContext:
    """Put a text into the user's message."""

    text: str


@dataclass(frozen=True, slots=True)
class ReplaceText:
    """Put another text in place of this one."""

    text: str


@dataclass(frozen=True, slots=True)
class Continue:
    """The run is not done: back to work."""

    reason: str
    """What is left to do; the model reads it."""


Verdict = Deny | Ask | Modify | AddContext | ReplaceText | Continue
VERDICTS = (Deny, Ask, Modify, AddContext, ReplaceText, Continue)
