"""The executor: takes messages, starts runs, and sees every one of them to its end."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import TracebackType
from typing import Any, Unpack

from cleveractors.agents.base import Agent
from cleveractors.config import ActorConfig
from cleveractors.events.envelope import ReactOutput
from cleveractors.exceptions import ConfigurationError
from cleveractors.executor.info import RunInfo
from cleveractors.executor.looping import run_in_loop_thread
from cleveractors.executor.preparing import prepare_options, run_contract
from cleveractors.executor.runs import Runs
from cleveractors.executor.session import Session, tell_session_end
from cleveractors.executor.stream import RunStream
from cleveractors.history import read_message
from cleveractors.models.registry import as_spec
from cleveractors.options import RunOptions, check_options
from cleveractors.overrides import model_override
from cleveractors.result import ActorResult, attach_result
from cleveractors.run import Run
from cleveractors.services import Services
from cleveractors.sessions.turns import Turns
from cleveractors.tools.stand_ins import tools_override
from cleveractors.tools.toolset import as_toolset

__all__ = ["Executor"]


class Executor:
    """Runs one actor, any number of runs at a time, from any task, thread and event loop.

    Made by `create_executor`. Close it with `aclose`, or use it as `async with create_executor(…) as executor`.
    """

    def __init__(
        self,
        actor: ActorConfig,
        agents: Mapping[str, Agent[Any]],
        services: Services,
        *,
        require_tenant: bool = False,
        max_concurrent_runs: int | None = None,
    ) -> None:
        self.actor = actor
        """The actor as it was read."""
        self.agents = agents
        """Its agents by name."""
        self._services = services
        self._require_tenant = require_tenant
        self._runs = Runs(services, agents, max_concurrent_runs)

    # Runs

    async def execute(self, message: Any, **options: Unpack[RunOptions]) -> ActorResult[Any]:
        """Answer a message.

        Args:
            message: text, a `HumanMessage`, or a list of content parts.
            **options: see `RunOptions`.

        Returns:
            The answer and the bill; a run that ends at a limit returns too, see `stop_reason`.

        Raises:
            ConfigurationError: something is wrong that is not the model's; nothing was spent.
            Exception: provider errors, unwrapped; `result_of(error)` has the bill.
        """
        return await self._runs.answer(self._prepare(message, options))

    def execute_stream(self, message: Any, **options: Unpack[RunOptions]) -> RunStream[str]:
        """Answer a message as a stream of text.

        With tools declared it yields one chunk, the answer; with `streaming="tokens"`, or without tools, text
        as the model writes it. Arguments and errors are those of `execute`.
        """
        return RunStream(self._runs, self._prepare(message, options), self._runs.texts)

    def execute_events(
        self, message: Any, *, stream: bool = False, **options: Unpack[RunOptions]
    ) -> RunStream[ReactOutput]:
        """Answer a message as a stream of everything that happens, in order and live, and then the response.

        Args:
            message: as for `execute`.
            stream: whether answers are followed piece by piece too.
            **options: see `RunOptions`.
        """
        return RunStream(self._runs, self._prepare(message, options), partial(self._runs.outputs, chunks=stream))

    def execute_sync(self, message: Any, **options: Unpack[RunOptions]) -> ActorResult[Any]:
        """Answer a message from code without an event loop, on one long-lived loop thread.

        In code with one it warns, since all tasks of that loop stand still meanwhile: there `await execute(…)`.

        Raises:
            RuntimeError: called on that thread itself, as from an async tool.
        """
        run = self._prepare(message, options)
        try:
            return run_in_loop_thread(self._runs.answer(run))
        except BaseException as error:
            if run.result is not None:
                attach_result(error, run.result)
            raise
        finally:
            self._runs.note_here(run)

    @property
    def last_result(self) -> ActorResult[Any] | None:
        """The run that ended last in this context; in a context without one, the executor's only run."""
        return self._runs.last.get()

    @contextmanager
    def override(self, *, model: Any = None, tools: Sequence[Any] = ()) -> Generator[None]:
        """Put a model in place of every agent's, and tools in place of those of the same names, in tests.

        It holds for the code within it, and for the tasks that this code starts.

        Raises:
            ConfigurationError: a stand-in stands in for no tool of the actor's.
        """
        stand_ins = as_toolset(tools)
        known = {name for agent in self.agents.values() for name in agent.toolset}
        if strangers := sorted(set(stand_ins) - known):
            raise ConfigurationError(f"override: no agent has a tool {strangers[0]!r}; there are {sorted(known)}")
        model_token = model_override.set(model_override.get() if model is None else as_spec(model))
        tools_token = tools_override.set({**(tools_override.get() or {}), **stand_ins})
        try:
            yield
        finally:
            tools_override.reset(tools_token)
            model_override.reset(model_token)

    # Sessions

    def session(self, session_id: str, *, timeout: float | None = None) -> Session:
        """A session as an object; its turn is held within `async with executor.session("s1") as session`.

        Without `sessions=` of `create_executor` it lives in this executor's memory.

        Args:
            session_id: whose it is.
            timeout: seconds to wait for its turn; default: what `limits` give a run.
        """
        check_options({"session_id": session_id})
        return Session(session_id, self._runs, self._prepare, self._patience(timeout))

    async def end_session(self, session_id: str, *, timeout: float | None = None) -> None:
        """End a session when its run has ended: what tools keep for it goes; the host's store keeps its messages.

        Raises:
            ExecutorBusyError: its turn did not come within `timeout`; default: what `limits` give a run.
        """
        await self._runs.sessions.end(session_id, self._patience(timeout))
        await tell_session_end(self._services, self.actor.entry, session_id)

    def _patience(self, timeout: float | None) -> float | None:
        return self._services.limits.timeout if timeout is None else timeout

    # Closing

    async def aclose(self, grace: float = 10) -> None:
        """Take no new runs, wait for those that run, abort what is left, close agents and connections.

        Args:
            grace: seconds to wait before runs are aborted. Idempotent.
        """
        await self._runs.aclose(grace)

    async def __aenter__(self) -> Executor:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    # Runs that run

    def runs(self) -> list[RunInfo]:
        """What runs now, those included whose callers have left."""
        return self._runs.infos()

    async def wait(self, run_id: str) -> ActorResult[Any]:
        """Wait for the end of a run.

        Results of runs whose callers have left are kept for ten minutes, the last thousand of them.

        Raises:
            LookupError: no such run runs, and none is kept.
        """
        return await self._runs.wait(run_id)

    def abort(self, run_id: str, reason: str | None = None) -> bool:
        """End a run where it stands; safe from any thread.

        Returns:
            Whether it ran.
        """
        return self._runs.abort(run_id, reason)

    def _prepare(self, message: Any, options: RunOptions, turns: Turns | None = None) -> Run:
        """A run that could start now; nothing has started."""
        options = prepare_options(options, self._services.models.credentials)
        self._runs.refuse_closed()
        if self._require_tenant and not options.get("tenant"):
            raise ConfigurationError("this executor requires a tenant: execute(message, tenant='…')")
        run = Run(self._services, options, self.actor.entry)
        run.message = read_message(message)
        run.contract = run_contract(options)
        agent, context = self._runs.parties(run)
        run.session = self._runs.sessions.seat(options, agent, turns)
        agent.check(context)
        return run
