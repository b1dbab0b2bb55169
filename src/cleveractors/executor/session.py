"""One session of an executor's, as an object."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Unpack, cast

from cleveractors.context import RunContext
from cleveractors.events.envelope import ReactOutput
from cleveractors.exceptions import ConfigurationError
from cleveractors.executor.runs import Runs
from cleveractors.executor.stream import RunStream
from cleveractors.options import RunOptions
from cleveractors.result import ActorResult
from cleveractors.run import Run
from cleveractors.services import Services
from cleveractors.sessions.turns import Turns, TurnToken

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

    from cleveractors.hooks.run import RunHooks

__all__ = ["Session", "tell_session_end"]


class Session:
    """A conversation that each run goes on with: made by `executor.session(id)`.

    As it is, each run waits for the session's turn by itself. Within `async with` the turn is held, so
    that nobody else's run comes between; runs of this object still take turns among themselves.
    """

    def __init__(
        self,
        session_id: str,
        runs: Runs,
        prepare: Callable[[Any, RunOptions, Turns], Run],
        timeout: float | None,
    ) -> None:
        self.session_id = session_id
        """The session's id."""
        self._runs = runs
        self._prepare = prepare
        self._timeout = timeout
        self._turns = runs.sessions.turns
        self._token: TurnToken | None = None
        self._closed = False

    async def execute(self, message: Any, **options: Unpack[RunOptions]) -> ActorResult[Any]:
        """Answer a message in this session; see `Executor.execute`."""
        return await self._runs.answer(self._run(message, options))

    def execute_stream(self, message: Any, **options: Unpack[RunOptions]) -> RunStream[str]:
        """Answer a message in this session as a stream of text; see `Executor.execute_stream`."""
        return RunStream(self._runs, self._run(message, options), self._runs.texts)

    def execute_events(
        self, message: Any, *, stream: bool = False, **options: Unpack[RunOptions]
    ) -> RunStream[ReactOutput]:
        """Answer a message in this session as a stream of events; see `Executor.execute_events`."""
        return RunStream(self._runs, self._run(message, options), partial(self._runs.outputs, chunks=stream))

    async def messages(self) -> list[BaseMessage]:
        """All that is kept of the session, as a valid history."""
        return await self._runs.sessions.messages(self.session_id)

    def _run(self, message: Any, options: RunOptions) -> Run:
        if self._closed:
            raise ConfigurationError(
                f"this object of session {self.session_id!r} is closed: ask the executor for another"
            )
        named = options.setdefault("session_id", self.session_id)
        if named != self.session_id:
            raise ConfigurationError(f"this is session {self.session_id!r}: it can't run with session_id={named!r}")
        return self._prepare(message, options, self._turns)

    async def __aenter__(self) -> Session:
        if self._closed or self._token is not None:
            raise ConfigurationError(f"this object of session {self.session_id!r} was entered before")
        self._token = await self._runs.sessions.take(self.session_id, self._timeout)
        self._turns = Turns()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Take no more runs, and hand the turn on once those that run have ended. Idempotent; the session lives on."""
        self._closed = True
        token, self._token = self._token, None
        if token is not None:
            self._turns.when_free(self.session_id, token.release)

    def __repr__(self) -> str:
        state = "closed" if self._closed else "held" if self._token else "open"
        return f"<Session {self.session_id!r} {state}>"


async def tell_session_end(services: Services, entry: str, session_id: str) -> None:
    """Tell the hooks that a session was ended; no run of it runs any more."""
    if services.hooks is None:
        return
    # Loaded where there are hooks alone.
    from cleveractors.hooks.facts import SessionOver

    context: RunContext[Any] = RunContext(Run(services, {"session_id": session_id}, entry), entry)
    hooks = cast("RunHooks | None", services.hooks.for_run(context, services.platform))
    if hooks is not None:
        await hooks.session_end(context, SessionOver("ended", completed=True))
