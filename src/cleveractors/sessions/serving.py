"""An executor's sessions: where they are kept, whose turn it is, and how a run takes its place in one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from cleveractors.abort import Aborted, bounded
from cleveractors.exceptions import ConfigurationError, ExecutionError, ExecutorBusyError
from cleveractors.sessions.memory import MemorySessions
from cleveractors.sessions.store import SessionStore
from cleveractors.sessions.turn import SessionTurn, mend
from cleveractors.sessions.turns import Turns, TurnToken
from cleveractors.tasks import outlive

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

    from cleveractors.options import RunOptions
    from cleveractors.run import Run
    from cleveractors.services import Services

__all__ = ["Sessions"]

_log = logging.getLogger("cleveractors")


class Sessions:
    """The sessions of one executor.

    Args:
        services: the executor's; without a store there, sessions that are asked for live in memory.
        said: settles a run and tells what it has added to its history.
    """

    def __init__(self, services: Services, said: Callable[[Run], list[BaseMessage]]) -> None:
        self._services = services
        self._store = services.sessions
        self._said = said
        self._memory = MemorySessions()
        self.turns = Turns()

    def seat(self, options: RunOptions, agent: Any, turns: Turns | None = None) -> SessionTurn | None:
        """The place of a run in its session, or None where its `session_id` is a label alone.

        Args:
            options: the run's.
            agent: who answers.
            turns: of a session whose turn is held; it makes any `session_id` a session.

        Raises:
            ConfigurationError: the run brings a history of its own.
        """
        session_id = options.get("session_id")
        if session_id is None or (self._store is None and turns is None):
            return None
        if options.get("history"):
            raise ConfigurationError(
                f"session {session_id!r} has a history of its own: give `history` or a stored session, not both"
            )
        bounds = getattr(agent.config, "history", None)
        max_tokens, keep_last = getattr(bounds, "max_tokens", None), getattr(bounds, "keep_last", None)
        return SessionTurn(session_id, self.store, turns or self.turns, max_tokens, keep_last)

    @property
    def store(self) -> SessionStore:
        """Where sessions are kept."""
        return self._memory if self._store is None else self._store

    @asynccontextmanager
    async def attend(self, run: Run) -> AsyncGenerator[None, None]:
        """Surround a run's answer: its turn comes and its history is loaded; behind it, what it added is stored.

        It is stored on every ending that returns and on a cancellation, and not on an error.

        Raises:
            ExecutorBusyError: the turn did not come within the run's time.
            SessionConflictError: somebody else has appended meanwhile.
            ExecutionError: the store took too long.
        """
        turn = run.session
        token = None if turn is None else await self._enter(turn, run)
        if turn is None or token is None:
            yield
            return
        try:
            try:
                yield
            except (asyncio.CancelledError, GeneratorExit):
                await self._store_quietly(turn, run)
                raise
            await self._commit(turn, run)
        finally:
            token.release()

    async def _enter(self, turn: SessionTurn, run: Run) -> TurnToken | None:
        """Wait for the turn and load; None where the run's own signal or clock ended that: it is not begun then."""
        token: TurnToken | None = None
        try:
            async with bounded(run.signal, None):
                token = await self.take(turn.session_id, run.within(None), turn.turns)
            async with bounded(run.signal, run.within(None)):
                await turn.load()
        except BaseException as error:
            if token is not None:
                token.release()
            # The agent meets the same signal or clock before anything is spent.
            if isinstance(error, Aborted) or (isinstance(error, TimeoutError) and run.out_of_time):
                return None
            raise
        run.history = turn.messages
        run.repairs += turn.repairs
        return token

    async def take(self, session_id: str, seconds: float | None, turns: Turns | None = None) -> TurnToken:
        """Wait for a session's turn.

        Raises:
            ExecutorBusyError: it did not come in time.
        """
        try:
            return await (turns or self.turns).take(session_id, seconds)
        except TimeoutError:
            raise ExecutorBusyError(
                f"session {session_id!r} is busy: its turn did not come within {seconds:.3g} s"
            ) from None

    async def _commit(self, turn: SessionTurn, run: Run) -> None:
        work = turn.commit(self._said(run), run.run_id)
        try:
            await outlive(work, self._services.sink_timeout, f"the append to session {turn.session_id!r}")
        except TimeoutError as error:
            raise ExecutionError(f"{error}; what run {run.run_id} added may not be stored") from error

    async def _store_quietly(self, turn: SessionTurn, run: Run) -> None:
        """Store what a cancelled run has added; trouble with that must not stand in the cancellation's place."""
        try:
            await self._commit(turn, run)
        except Exception as error:
            _log.error("a cancelled run's messages were not stored", exc_info=error, extra={"run_id": run.run_id})

    # Sessions as such

    async def messages(self, session_id: str) -> list[BaseMessage]:
        """All that is kept of a session, mended."""
        stored, _ = await self.store.load(session_id)
        return mend(stored)[0]

    async def end(self, session_id: str, seconds: float | None) -> None:
        """End a session once its run has ended; what the host's store keeps of it stays there.

        Raises:
            ExecutorBusyError: its turn did not come in time.
        """
        token = await self.take(session_id, seconds)
        try:
            await self._ended(session_id)
        finally:
            token.release()

    async def _ended(self, session_id: str) -> None:
        """Let go of all that a session holds beside a host's store; its turn is held meanwhile."""
        self._services.release(session_id=session_id)
        await self._memory.forget(session_id)
