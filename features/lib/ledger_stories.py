"""Drawn stories for the ledger: what a provider does, what tools come to, when somebody ends it all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from hypothesis import strategies as st

from cleveractors.models.turn import ScriptedCall, ScriptedError, ScriptedTurn

__all__ = ["Cut", "Mode", "Story", "stories"]

Mode = Literal["blocking", "answer", "tokens", "events"]
Cut = Literal["cancel", "cancel twice", "abort", "close"]
TOOLS = ("adds", "adds", "fails", "waits", "spends", "asks", "helper", "helper", "fork", "fork", "nobody", "fatal")


@dataclass(frozen=True)
class Story:
    """One run."""

    turns: Sequence[ScriptedTurn]
    mode: Mode
    rounds: int
    attempts: int
    model_calls: int | None
    tool_calls: int | None
    ceiling: int | None
    strict: bool
    own_ceiling: int | None
    pruning: bool
    cut: Cut | None
    tick: int
    """When it is cut, in rounds of the event loop."""
    slow_sink: int
    """Rounds of the loop that the sinks take."""

    @property
    def comparable(self) -> bool:
        """Whether the same happens whichever way it is asked.

        No text is committed by an attempt that fails, and no children take turns of the script side by side.
        """
        broken = any(turn.error is not None and turn.text for turn in self.turns)
        side_by_side = any(sum(call.name in ("helper", "fork") for call in turn.calls) > 1 for turn in self.turns)
        uncut = self.cut is None and self.ceiling is None and self.own_ceiling is None
        return uncut and not broken and not side_by_side

    def asked(self, mode: Mode) -> Story:
        """The same in another mode."""
        return replace(self, mode=mode)


def _status(code: int) -> ScriptedError:
    return ScriptedError(f"status {code}", code)


def _call(name: str, raw: str | None, number: int) -> ScriptedCall:
    arguments = {"adds": {"number": number}, "helper": {"task": "Help."}, "fork": {"task": "Go ahead."}}
    return ScriptedCall(name, arguments.get(name, {}), None, raw)


def _asking(text: str, calls: list[ScriptedCall], usage: Any) -> ScriptedTurn:
    return ScriptedTurn(text, calls, usage)


def _saying(text: str, usage: Any) -> ScriptedTurn:
    return ScriptedTurn(text, usage=usage)


def _failing(text: str, error: Any) -> ScriptedTurn:
    return ScriptedTurn(text, error=error)


_errors: st.SearchStrategy[Any] = st.builds(
    _status, st.sampled_from([400, 401, 408, 409, 429, 500, 502, 503])
) | st.sampled_from([ConnectionError, ConnectionRefusedError, TimeoutError, RuntimeError, ValueError])
_calls = st.lists(
    st.builds(
        _call,
        st.sampled_from(TOOLS),
        st.sampled_from([None, None, None, None, "{broken", "[]"]),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=3,
)
_usages: st.SearchStrategy[Any] = st.sampled_from(
    ["counted", "counted", "counted", None, (40, 9), (3000, 2000), (0, 0)]
)
_texts = st.sampled_from(["", "It rains.", "Let me look at that, and at something else, too."])
_asked = st.builds(_asking, _texts, _calls, _usages)
_turns = _asked | _asked | st.builds(_saying, _texts, _usages) | st.builds(_failing, st.just("") | _texts, _errors)
_CUTS: tuple[Cut | None, ...] = (None, None, "cancel", "cancel twice", "abort", "close")


@st.composite
def stories(draw: st.DrawFn, mode: Mode) -> Story:
    """Any story that is asked in this mode."""
    none = st.none()
    small = none | none | st.integers(1, 5)
    return Story(
        turns=draw(st.lists(_turns, min_size=1, max_size=8)),
        mode=mode,
        rounds=draw(st.integers(0, 4)),
        attempts=draw(st.integers(1, 3)),
        model_calls=draw(small),
        tool_calls=draw(small),
        ceiling=draw(none | none | st.integers(300, 3000) | st.integers(3000, 20_000)),
        strict=draw(st.booleans()),
        own_ceiling=draw(none | none | none | st.integers(300, 8000)),
        pruning=draw(st.booleans()),
        cut=draw(st.sampled_from(_CUTS)),
        tick=draw(st.integers(0, 12) | st.integers(0, 120)),
        slow_sink=draw(st.sampled_from([0, 0, 1, 3])),
    )
