"""The executor: takes messages, starts runs, and sees every one of them to its end."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from types import TracebackType
from typing import Any, Unpack

from cleveractors.agents.base import Agent
from cleveractors.config import ActorConfig
from cleveractors.context import RunContext
from cleveractors.exceptions import ConfigurationError, ExecutorBusyError, ExecutorClosedError
from cleveractors.executor.answering import answer_pieces, answer_whole
from cleveractors.executor.closing import finish_runs
from cleveractors.executor.conclusion import conclude, settle, summarise
from cleveractors.executor.last import LastResults
from cleveractors.executor.looping import run_in_loop_thread
from cleveractors.executor.opening import Openings
from cleveractors.executor.stream import RunStream
from cleveractors.history import read_message
from cleveractors.models.registry import as_spec
from cleveractors.options import RunOptions, check_options
from cleveractors.overrides import model_override, tools_override
from cleveractors.result import ActorResult
from cleveractors.run import Run
from cleveractors.services import Services
from cleveractors.tools.toolset import as_toolset

__all__ = ["Executor"]

_log = logging.getLogger("cleveractors")


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
        self._max_runs = max_concurrent_runs
        self._runs: dict[str, Run] = {}
        self._openings = Openings()
        self._last = LastResults()
        self._closed = False

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
        run = self._prepare(message, options)
        self._begin(run)
        return await self._complete(run)

    def execute_stream(self, message: Any, **options: Unpack[RunOptions]) -> RunStream:
        """Answer a message as a stream of text.

        With tools declared it yields one chunk, the answer; with `streaming="tokens"`, or without tools, text
        as the model writes it. Arguments and errors are those of `execute`.
        """
        return RunStream(self, self._prepare(message, options))

    def execute_sync(self, message: Any, **options: Unpack[RunOptions]) -> ActorResult[Any]:
        """Answer a message from code without an event loop, on one long-lived loop thread.

        Raises:
            RuntimeError: called on that thread itself, as from an async tool.
        """
        result = run_in_loop_thread(self.execute(message, **options))
        self._note_here(result)
        return result

    @property
    def last_result(self) -> ActorResult[Any] | None:
        """The run that ended last in this context; in a context without one, the executor's only run."""
        return self._last.get()

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
        model_token = model_override.set(None if model is None else as_spec(model))
        tools_token = tools_override.set({**(tools_override.get() or {}), **stand_ins})
        try:
            yield
        finally:
            tools_override.reset(tools_token)
            model_override.reset(model_token)

    # Closing

    async def aclose(self, grace: float = 10) -> None:
        """Take no new runs, wait for those that run, abort what is left, close agents and connections.

        Args:
            grace: seconds to wait before runs are aborted. Idempotent.
        """
        self._closed = True
        await finish_runs(list(self._runs.values()), grace)
        await self._services.background.drain(grace)
        for error in await self._openings.close(self.agents.values()):
            _log.error("an agent failed to close", exc_info=error)
        await self._services.models.aclose()

    async def __aenter__(self) -> Executor:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    # For streams

    async def texts(self, run: Run) -> AsyncGenerator[str, None]:
        """The answer of a run, piece by piece; for `RunStream`."""
        self._begin(run)
        agent, context = self._parties(run)
        if not agent.streams(context):
            result = await self._complete(run)
            if result.response:
                yield result.response
            return
        try:
            await self._openings.open(agent)
            async with aclosing(answer_pieces(agent, context)) as pieces:
                async for piece in pieces:
                    yield piece
        except BaseException as error:
            await self._finish(run, error)
            raise
        await self._finish(run)

    def dropped(self, run: Run, texts: AsyncGenerator[str, None], *, here: bool) -> None:
        """Settle a run whose stream nobody holds any more, at once; the rest is a task's."""
        if run.result is None:
            settle(run)
            run.result = summarise(run, GeneratorExit())
        if here:
            self._note_here(run.result)
        if run.loop is not None and not run.loop.is_closed():
            run.loop.call_soon_threadsafe(self._finish_dropped, run, texts)

    def _finish_dropped(self, run: Run, texts: AsyncGenerator[str, None]) -> None:
        async def finish() -> None:
            # The generator's own way out delivers the bill; a run is never delivered twice.
            await texts.aclose()

        self._services.background.start(finish(), f"left run {run.run_id}")

    # One run

    def _prepare(self, message: Any, options: RunOptions) -> Run:
        """A run that could start now; nothing has started."""
        check_options(options)
        if self._closed:
            raise ExecutorClosedError("the executor is closed: it takes no new runs")
        if self._require_tenant and not options.get("tenant"):
            raise ConfigurationError("this executor requires a tenant: execute(message, tenant='…')")
        run = Run(self._services, options, self.actor.entry)
        run.message = read_message(message)
        agent, context = self._parties(run)
        agent.check(context)
        return run

    def _begin(self, run: Run) -> None:
        if self._closed:
            raise ExecutorClosedError("the executor is closed: it takes no new runs")
        if run.run_id in self._runs:
            raise ValueError(f"run_id {run.run_id!r} is in use by a run of this executor")
        if self._max_runs is not None and len(self._runs) >= self._max_runs:
            raise ExecutorBusyError(f"{len(self._runs)} runs are running, as many as max_concurrent_runs allows")
        run.begin()
        self._runs[run.run_id] = run

    async def _complete(self, run: Run) -> ActorResult[Any]:
        """A run that has begun, from its agent's answer to its bill."""
        agent, context = self._parties(run)
        try:
            await self._openings.open(agent)
            await answer_whole(agent, context)
        except BaseException as error:
            await self._finish(run, error)
            raise
        return await self._finish(run)

    async def _finish(self, run: Run, error: BaseException | None = None) -> ActorResult[Any]:
        """Conclude a run, and note its bill where this context finds it."""
        try:
            return await conclude(run, error)
        finally:
            self._runs.pop(run.run_id, None)
            if run.result is not None:
                self._last.ended(run.result)
                self._note_here(run.result)
            run.ended()

    def _note_here(self, result: ActorResult[Any]) -> None:
        self._last.note_here(result)

    def _parties(self, run: Run) -> tuple[Agent[Any], RunContext[Any]]:
        agent = self.agents[run.entry]
        return agent, RunContext(run, agent.name, agent)
