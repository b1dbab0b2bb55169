"""Scripts: which turn answers which request."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from cleveractors.testing.provider.request import RecordedRequest
from cleveractors.testing.provider.turn import Step, Turn, as_turn

Responder = Callable[[RecordedRequest], Step]


@dataclass(slots=True)
class Part:
    """The script of one model, or of all models that have none of their own.

    Attributes:
        turns: Turns still to be given, in order.
        responder: Asked when no turn is left.
        default: Given when no turn is left and there is no responder.
    """

    turns: deque[Turn] = field(default_factory=deque[Turn])
    responder: Responder | None = None
    default: Turn | None = None


class Script:
    """Turns by model; safe to extend from any thread while requests are served.

    A model with a part of its own never takes from the general part.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._parts: dict[str | None, Part] = {}

    def add(self, steps: tuple[Step, ...], model: str | None) -> None:
        """Append turns.

        Args:
            steps: Turns and faults, in order.
            model: The model they are for; `None`: the general part.
        """
        turns = [as_turn(step) for step in steps]
        with self._lock:
            self._part(model).turns.extend(turns)

    def set_responder(self, responder: Responder, model: str | None) -> None:
        """Set the function asked when no turn is left.

        Args:
            responder: Gives the turn of a request.
            model: The model it is for; `None`: the general part.
        """
        with self._lock:
            self._part(model).responder = responder

    def set_default(self, step: Step, model: str | None) -> None:
        """Set the turn given for ever when no turn is left.

        Args:
            step: The turn or fault.
            model: The model it is for; `None`: the general part.
        """
        turn = as_turn(step)
        with self._lock:
            self._part(model).default = turn

    def take(self, request: RecordedRequest) -> Turn | None:
        """Take the turn of a request.

        Args:
            request: The request.

        Returns:
            Its turn; `None` when the script is exhausted.
        """
        with self._lock:
            part = self._parts.get(request.model) or self._parts.get(None)
            if part is None:
                return None
            if part.turns:
                return part.turns.popleft()
            responder, default = part.responder, part.default
        # Outside the lock: a responder may extend the script.
        return default if responder is None else as_turn(responder(request))

    def models(self) -> tuple[str, ...]:
        """Give the models that have a part of their own."""
        with self._lock:
            return tuple(model for model in self._parts if model is not None)

    def remaining(self) -> int:
        """Count the turns not yet taken."""
        with self._lock:
            return sum(len(part.turns) for part in self._parts.values())

    def clear(self) -> None:
        """Forget every turn, responder and default."""
        with self._lock:
            self._parts.clear()

    def _part(self, model: str | None) -> Part:
        return self._parts.setdefault(model, Part())
