"""What keeps conversations: the two methods that a store of any kind has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from cleveractors.exceptions import SessionConflictError

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

__all__ = ["SessionStore", "StoredMessage", "conflict"]

StoredMessage: TypeAlias = "BaseMessage | Mapping[str, Any]"
"""A LangChain message, or an OpenAI chat dict."""


@runtime_checkable
class SessionStore(Protocol):
    """Keeps the messages of sessions, each a list that only grows.

    A position is where such a list ends: 0 for one that has nothing, and a new one after each append.
    """

    async def load(self, session_id: str, /) -> tuple[Sequence[StoredMessage], int]:
        """The messages of a session, and the position behind them."""
        ...

    async def append(self, session_id: str, messages: Sequence[StoredMessage], /, *, position: int, run_id: str) -> int:
        """Add the messages of one run, all of them or none.

        Args:
            session_id: whose messages they are.
            messages: what the run added.
            position: where the caller has seen the list end.
            run_id: the run; given again, nothing is added.

        Returns:
            The position behind what this run added.

        Raises:
            SessionConflictError: the list ends elsewhere: somebody else has appended.
        """
        ...


def conflict(session_id: str, expected: int, found: int) -> SessionConflictError:
    """The error of an append that came too late."""
    return SessionConflictError(
        f"session {session_id!r} was appended to by somebody else: it was read up to position {expected} "
        f"and now ends at {found}; nothing was stored"
    )
