"""One run's turn in a session: the history before it, and what it adds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cleveractors.exceptions import ConfigurationError
from cleveractors.history import read_history
from cleveractors.sessions.store import SessionStore, StoredMessage
from cleveractors.sessions.trimming import trim
from cleveractors.sessions.turns import Turns

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

__all__ = ["SessionTurn", "mend"]


@dataclass(slots=True, eq=False)
class SessionTurn:
    """A run's place in a session, from its load to its append."""

    session_id: str
    store: SessionStore
    turns: Turns
    """Whose turn it is."""
    max_tokens: int | None = None
    """What the loaded turns may come to."""
    keep_last: int | None = None
    """How many turns are loaded."""
    messages: list[BaseMessage] = field(default_factory=list["BaseMessage"])
    """The history that was loaded: mended, then trimmed."""
    repairs: list[str] = field(default_factory=list[str])
    """A sentence for each thing that was broken in it."""
    position: int | None = None
    """Where the session ended when it was loaded; None before."""
    started: bool = False
    """Whether the store had nothing: the session begins with this run."""

    async def load(self) -> None:
        """Read the history."""
        stored, self.position = await self.store.load(self.session_id)
        self.started = not stored
        mended, repairs = mend(stored)
        self.repairs = [f"session {self.session_id!r}: {repair}" for repair in repairs]
        self.messages = trim(mended, self.max_tokens, self.keep_last)

    async def commit(self, messages: Sequence[BaseMessage], run_id: str) -> None:
        """Append what the run added.

        Raises:
            SessionConflictError: somebody else has appended since `load`.
        """
        if self.position is not None and messages:
            self.position = await self.store.append(
                self.session_id, list(messages), position=self.position, run_id=run_id
            )


def mend(stored: Sequence[StoredMessage]) -> tuple[list[BaseMessage], list[str]]:
    """A valid history of whatever is stored, and a sentence for each repair."""
    repairs: list[str] = []
    readable: list[StoredMessage] = []
    for index, entry in enumerate(stored):
        try:
            read_history([entry])
        except ConfigurationError as error:
            repairs.append(f"message {index} can't be read and was left out: {_reason(error)}")
        else:
            readable.append(entry)
    messages, more = read_history(readable)
    return messages, [*repairs, *more]


def _reason(error: ConfigurationError) -> str:
    return str(error).partition(": ")[2] or str(error)
