"""A script: the turns that a scripted model plays, and how far it has come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

from .turn import ScriptedTurn, ScriptedTurnLike, is_function, read_turns, shown

__all__ = ["Script", "ScriptExhaustedError"]


class ScriptExhaustedError(LookupError):
    """A scripted model is asked once more than its script has turns."""


class Script:
    """The turns of one scripted model and how far they have been played; safe to use from any thread.

    Args:
        turns: The turns in order; a function alone is asked for every one.
        repeat: Begin again at the end.

    Raises:
        ValueError: A turn can't be read. The message names it.
    """

    def __init__(self, turns: Sequence[ScriptedTurnLike] | Callable[..., Any], *, repeat: bool = False) -> None:
        self._always = turns if is_function(turns) else None
        self._turns = () if is_function(turns) else read_turns(turns)
        self._repeat = repeat
        self._played = 0
        self._lock = Lock()

    def __deepcopy__(self, memo: dict[int, object]) -> Script:
        # A copy of the model plays the same script on: a run that copies its model must not begin again.
        return self

    def next(self, asked: str) -> tuple[str, ScriptedTurn | Callable[..., Any]]:
        """Return where the next turn stands, and the turn.

        Args:
            asked: What the model was asked, for the error.

        Raises:
            ScriptExhaustedError: Every turn has been played.
        """
        if self._always is not None:
            return "the script's function", self._always
        with self._lock:
            at = self._played % len(self._turns) if self._repeat and self._turns else self._played
            if at >= len(self._turns):
                turns = "1 turn" if len(self._turns) == 1 else f"{len(self._turns)} turns"
                raise ScriptExhaustedError(f"the script has {turns}, all played; the model was asked again: {asked}")
            self._played += 1
        return f"turn {at + 1}", self._turns[at]

    def unplayed(self) -> list[str]:
        """Return a line for each turn that has not been played."""
        return [
            f"turn {n + 1}: {turn if isinstance(turn, ScriptedTurn) else shown(turn)}"
            for n, turn in enumerate(self._turns)
            if n >= self._played
        ]
