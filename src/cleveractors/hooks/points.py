"""The closed table of hook points: what fires, what it tells, and what a hook may answer there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from cleveractors.exceptions import ConfigurationError
from cleveractors.hooks import payloads
from cleveractors.hooks.payload import Payload
from cleveractors.hooks.verdicts import AddContext, Ask, Continue, Deny, Modify, ReplaceText

__all__ = ["POINTS", "HookPoint", "OnFailure", "point_of"]

OnFailure = Literal["deny", "pass"]

GATE_SECONDS = 10.0
SECONDS = 30.0


@dataclass(frozen=True, slots=True, eq=False)
class HookPoint:
    """One row of the table."""

    payload: type[Payload]
    verdicts: tuple[type[Any], ...] = ()
    """What a hook may answer there, beside nothing."""
    claude: str = ""
    """The event's name in the Claude dialect."""
    matcher: bool = False
    """Whether tool names select hooks."""
    shell: bool = True
    """Whether commands may be registered."""
    in_child: bool = False
    """Whether child runs fire it."""
    seconds: float = SECONDS
    """The default time limit."""

    @property
    def name(self) -> str:
        """The event."""
        return self.payload.hook_event_name

    @property
    def gate(self) -> bool:
        """Whether what fires it can be refused there."""
        return Deny in self.verdicts

    @property
    def on_failure(self) -> OnFailure:
        """What a failure of a hook means, unless the host says otherwise."""
        return "deny" if self.gate else "pass"


def _tool(payload: type[Payload], claude: str, *verdicts: type[Any], seconds: float = SECONDS) -> HookPoint:
    return HookPoint(payload, verdicts, claude, matcher=True, in_child=True, seconds=seconds)


def _request(payload: type[Payload]) -> HookPoint:
    return HookPoint(payload, shell=False, in_child=True)


POINTS: Mapping[str, HookPoint] = {
    point.name: point
    for point in (
        HookPoint(payloads.OnSessionStart, claude="SessionStart"),
        HookPoint(payloads.OnSessionEnd, claude="SessionEnd"),
        HookPoint(payloads.PreLLMCall, (AddContext, Deny), "UserPromptSubmit", seconds=GATE_SECONDS),
        _tool(payloads.PreToolCall, "PreToolUse", Modify, Deny, Ask, seconds=GATE_SECONDS),
        _tool(payloads.PostToolCall, "PostToolUse"),
        _tool(payloads.TransformToolResult, "PostToolUse", ReplaceText, seconds=GATE_SECONDS),
        _request(payloads.PreApiRequest),
        _request(payloads.PostApiRequest),
        _request(payloads.ApiRequestError),
        HookPoint(payloads.MessageDisplay, claude="MessageDisplay", in_child=True),
        HookPoint(payloads.TransformLLMOutput, (ReplaceText,), "TransformLLMOutput", seconds=GATE_SECONDS),
        HookPoint(payloads.Stop, (Continue,), "Stop"),
        HookPoint(payloads.PostLLMCall, claude="PostLLMCall"),
        HookPoint(payloads.SubagentStart, claude="SubagentStart", in_child=True),
        HookPoint(payloads.SubagentStop, claude="SubagentStop", in_child=True),
    )
}
"""Event → its row, in the order in which a run fires them."""


def point_of(event: str) -> HookPoint:
    """Find a row.

    Raises:
        ConfigurationError: there is none of that name.
    """
    point = POINTS.get(event)
    if point is None:
        raise ConfigurationError(f"there is no event {event!r}{guess(event)}; the events are {', '.join(POINTS)}")
    return point


def guess(event: str) -> str:
    """Which event was probably meant, as ` (did you mean …?)`, else nothing."""
    meant = meant_by(event)
    return f" (did you mean {meant!r}?)" if meant else ""


def meant_by(event: str) -> str | None:
    """The event that was probably meant by a name that is none."""
    # difflib is not needed until somebody has mistyped something.
    from difflib import get_close_matches

    for point in POINTS.values():
        if point.claude == event:
            return point.name
    close = get_close_matches(event[:64], list(POINTS), n=1, cutoff=0.6)
    return close[0] if close else None
