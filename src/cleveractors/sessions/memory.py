"""Sessions in the memory of one process."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from cleveractors.exceptions import ConfigurationError
from cleveractors.sessions.encoding import decode, encode
from cleveractors.sessions.store import StoredMessage, conflict

__all__ = ["MemorySessions"]

KEPT_RUNS = 256
"""Runs of one session that are known as appended."""
REMEMBERED = 10
"""Ends that are remembered of sessions that had to go, for each one that is kept."""


@dataclass(slots=True)
class _Session:
    turns: list[list[str]] = field(default_factory=list[list[str]])
    """What each run added, as lines."""
    position: int = 0
    runs: OrderedDict[str, int] = field(default_factory=OrderedDict[str, int])
    """Run → the position behind what it added."""


class MemorySessions:
    """Keeps sessions while the process lives; usable from several loops and threads.

    Args:
        max_sessions: beyond it the session that was not used for longest is forgotten.
        max_messages: beyond it a session's oldest runs are forgotten; the newest is always kept whole.

    Raises:
        ConfigurationError: a bound is not at least 1.
    """

    def __init__(self, max_sessions: int = 10_000, max_messages: int = 1_000) -> None:
        for name, value in (("max_sessions", max_sessions), ("max_messages", max_messages)):
            if value < 1:
                raise ConfigurationError(f"MemorySessions: {name} must be 1 at least, found {value!r}")
        self._max_sessions = max_sessions
        self._max_messages = max_messages
        self._lock = threading.Lock()
        self._sessions: OrderedDict[str, _Session] = OrderedDict()
        # A session that had to go goes on where it ended: its next append is no conflict.
        self._ends: OrderedDict[str, int] = OrderedDict()

    async def load(self, session_id: str) -> tuple[list[StoredMessage], int]:
        """The messages of a session, and the position behind them."""
        with self._lock:
            session = self._sessions.get(session_id)
            if session is None:
                return [], self._ends.get(session_id, 0)
            self._sessions.move_to_end(session_id)
            lines = [line for turn in session.turns for line in turn]
            position = session.position
        return decode(lines), position

    async def append(self, session_id: str, messages: Sequence[StoredMessage], *, position: int, run_id: str) -> int:
        """Add the messages of one run.

        Returns:
            The position behind what this run added; a second append of a run adds nothing.

        Raises:
            SessionConflictError: somebody else has appended since `position`.
        """
        lines = encode(messages)
        with self._lock:
            session = self._sessions.get(session_id) or _Session(position=self._ends.get(session_id, 0))
            if run_id in session.runs:
                return session.runs[run_id]
            if session.position != position:
                raise conflict(session_id, position, session.position)
            self._add(session, lines, run_id)
            self._keep(session_id, session)
            return session.position

    def _add(self, session: _Session, lines: list[str], run_id: str) -> None:
        session.position += len(lines)
        session.turns.append(lines)
        session.runs[run_id] = session.position
        if len(session.runs) > KEPT_RUNS:
            session.runs.popitem(last=False)
        count = sum(map(len, session.turns))
        while count > self._max_messages and len(session.turns) > 1:
            count -= len(session.turns.pop(0))

    def _keep(self, session_id: str, session: _Session) -> None:
        self._sessions[session_id] = session
        self._sessions.move_to_end(session_id)
        self._ends.pop(session_id, None)
        if len(self._sessions) > self._max_sessions:
            oldest, gone = self._sessions.popitem(last=False)
            self._ends[oldest] = gone.position
            if len(self._ends) > REMEMBERED * self._max_sessions:
                self._ends.popitem(last=False)

    async def forget(self, session_id: str) -> None:
        """Drop all of a session."""
        with self._lock:
            self._sessions.pop(session_id, None)
            self._ends.pop(session_id, None)

    def __len__(self) -> int:
        return len(self._sessions)

    def __repr__(self) -> str:
        return f"MemorySessions(max_sessions={self._max_sessions}, max_messages={self._max_messages})"
