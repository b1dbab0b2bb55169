"""The runs of an executor: begun, followed, left, and each seen to its end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Coroutine, Mapping
from contextlib import aclosing
from functools import partial
from typing import Any, TypeVar

from cleveractors.agents.base import Agent
from cleveractors.context import RunContext
from cleveractors.events.envelope import ReactOutput, ResponseYield
from cleveractors.events.observers import Observers
from cleveractors.events.publisher import Publisher
from cleveractors.exceptions import ExecutorBusyError, ExecutorClosedError
from cleveractors.executor.answering import answer_pieces, answer_whole
from cleveractors.executor.closing import end_runs, end_task, wait_for_runs
from cleveractors.executor.conclusion import conclude, said, settle, summarise
from cleveractors.executor.detaching import Detachments
from cleveractors.executor.info import RunInfo, info_of
from cleveractors.executor.last import LastResults
from cleveractors.executor.opening import Openings
from cleveractors.result import ActorResult, attach_result
from cleveractors.run import Run
from cleveractors.services import Services
from cleveractors.sessions.serving import Sessions
from cleveractors.tasks import STOP_SECONDS, Feed, forget, outlive
from cleveractors.usage import TokenUsage, last_token_usage_var

__all__ = ["Runs"]

T = TypeVar("T")

CLOSING_SECONDS = 60
"""How long agents and connections may take to close, beside the grace for runs."""

_log = logging.getLogger("cleveractors")


class Runs:
    """Begins runs, bounds how many there are, and concludes each once.

    Args:
        services: what they share.
        agents: by name.
        most: how many may run at a time, or None.
    """

    def __init__(self, services: Services, agents: Mapping[str, Agent[Any]], most: int | None = None) -> None:
        self._services = services
        self._agents = agents
        self._most = most
        self._running: dict[str, Run] = {}
        self._detached = Detachments()
        self._feeds: dict[str, Feed[Any]] = {}
        self.openings = Openings()
        services.answer = partial(answer_whole, openings=self.openings)
        self.last = LastResults()
        self.sessions = Sessions(services, said)
        self.closed = False

    def parties(self, run: Run) -> tuple[Agent[Any], RunContext[Any]]:
        """The agent that answers, and the run as it sees it."""
        agent = self._agents[run.entry]
        return agent, RunContext(run, agent.name, agent)

    def refuse_closed(self) -> None:
        """Refuse new runs once the executor is closed."""
        if self.closed:
            raise ExecutorClosedError("the executor is closed: it takes no new runs; close it at the program's end")

    def _begin(self, run: Run) -> None:
        self.refuse_closed()
        if run.run_id in self._running:
            raise ValueError(f"run_id {run.run_id!r} is in use by a run of this executor")
        if self._most is not None and len(self._running) >= self._most:
            raise ExecutorBusyError(f"{len(self._running)} runs are running, as many as max_concurrent_runs allows")
        if self._services.observers and run.publisher is None:
            run.publisher = self._publisher(run, None, chunks=False)
        run.begin()
        if self._services.hooks is not None:
            run.hooks = self._services.hooks.for_run(self.parties(run)[1], self._services.platform)
        self._running[run.run_id] = run

    def _publisher(self, run: Run, feed: Feed[ReactOutput] | None, *, chunks: bool) -> Publisher:
        services = self._services
        observers = Observers(services.observers, services.threads) if services.observers else None
        stall = services.stall_timeout
        return Publisher(feed, observers, chunks=chunks, stall=stall, on_stall=partial(self._stalled, run))

    def _stalled(self, run: Run) -> None:
        """A reader that takes nothing any more has left; where that ends the run, one that comes back reads how."""
        if run.publisher is not None and self._leave(run):
            run.publisher.leave()
            self._note_left(run)
        else:
            run.signal.abort(f"the reader of its events took nothing for {self._services.stall_timeout:g} s")

    # From start to end

    async def answer(self, run: Run) -> ActorResult[Any]:
        """A whole run."""
        self._begin(run)
        if run.options.get("on_disconnect", "cancel") == "cancel":
            return await self._complete(run)
        task = self._services.background.start(self._complete(run), f"run {run.run_id}")
        try:
            # Not a shield: it would log the error of a run that nobody waits for.
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            if self._leave(run):
                forget(task)
                attach_result(error, self._note_left(run))
            else:
                await end_task(run, task, error)
            raise
        finally:
            self.note_here(run)
        return task.result()

    async def _complete(self, run: Run) -> ActorResult[Any]:
        """A run that has begun, from its agent's answer to its bill."""
        agent, context = self.parties(run)
        try:
            async with self.sessions.attend(run):
                await answer_whole(agent, context, self.openings)
        except BaseException as error:
            await self._finish(run, error)
            raise
        return await self._finish(run)

    async def texts(self, run: Run) -> AsyncGenerator[str, None]:
        """A run as the pieces of its answer; for `RunStream`."""
        self._begin(run)
        feed: Feed[str] = Feed()
        inline = run.options.get("on_disconnect", "cancel") == "cancel"
        source = self._pieces(run) if inline else self._followed(run, feed, self._feed_pieces(run, feed))
        async with aclosing(source) as pieces:
            async for piece in pieces:
                yield piece

    async def outputs(self, run: Run, *, chunks: bool) -> AsyncGenerator[ReactOutput, None]:
        """A run as its events and, where it was answered, its response; for `RunStream`."""
        feed: Feed[ReactOutput] = Feed()
        run.publisher = self._publisher(run, feed, chunks=chunks)
        self._begin(run)
        async with aclosing(self._followed(run, feed, self._feed_outputs(run, run.publisher))) as outputs:
            async for output in outputs:
                yield output

    async def _pieces(self, run: Run) -> AsyncGenerator[str, None]:
        agent, context = self.parties(run)
        # An answer that must fit a type is handed out when it does.
        if run.contract is not None or not agent.streams(context):
            result = await self._complete(run)
            if result.response:
                yield result.response
            return
        try:
            async with self.sessions.attend(run), aclosing(answer_pieces(agent, context, self.openings)) as pieces:
                async for piece in pieces:
                    yield piece
        except BaseException as error:
            await self._finish(run, error)
            raise
        await self._finish(run)

    async def _feed_pieces(self, run: Run, feed: Feed[str]) -> None:
        async with aclosing(self._pieces(run)) as pieces:
            async for piece in pieces:
                if not feed.put_nowait(piece):
                    await feed.wait_for_room()

    async def _feed_outputs(self, run: Run, publisher: Publisher) -> None:
        result = await self._complete(run)
        answered = run.has_output and result.output is not None
        publisher.respond(ResponseYield(result.output if answered else result.response, result.messages))

    async def _followed(self, run: Run, feed: Feed[T], work: Coroutine[Any, Any, None]) -> AsyncGenerator[T, None]:
        """What a run in a task of its own hands over; it may go on when nobody follows any more."""
        task = self._services.background.start(work, f"run {run.run_id}")
        self._feeds[run.run_id] = feed
        try:
            async with aclosing(feed.follow(task)) as pieces:
                async for piece in pieces:
                    yield piece
            if not task.done():
                forget(task)
        except (GeneratorExit, asyncio.CancelledError) as error:
            feed.leave()
            if run.run_id in self._detached or self._leave(run):
                forget(task)
                attach_result(error, self._note_left(run))
            else:
                await end_task(run, task, error)
            raise
        finally:
            self._feeds.pop(run.run_id, None)
            self.note_here(run)

    async def _finish(self, run: Run, error: BaseException | None = None) -> ActorResult[Any]:
        """Conclude a run, and note its bill where this context finds it."""
        try:
            return await conclude(run, error)
        finally:
            self._running.pop(run.run_id, None)
            if run.result is not None:
                self.last.ended(run.result)
                self.note_here(run)
            self._detached.ended(run)
            run.ended()

    # Left runs

    def _leave(self, run: Run) -> bool:
        return self._detached.detach(run)

    def _note_left(self, run: Run) -> ActorResult[Any]:
        """What the leaver's own handle shows."""
        run.left = run.left or summarise(run, None, left=True)
        return run.left

    def closed_beside(self, run: Run) -> None:
        """Another task closes a stream whose reader waits: the reader's wait ends, the run only if leaving ends it."""
        feed = self._feeds.get(run.run_id)
        if feed is not None and (run.run_id in self._detached or self._leave(run)):
            self._note_left(run)
            feed.leave()
        else:
            run.signal.abort("the stream was closed")

    def dropped(self, run: Run, pieces: AsyncGenerator[Any, None], *, here: bool) -> None:
        """Settle a run whose stream nobody holds any more, at once; the rest is a task's."""
        if run.result is None and not self._leave(run):
            # In another thread the loop goes on meanwhile: what it does from here on must spend nothing.
            run.signal.abort("its stream was dropped")
            settle(run)
            run.result = summarise(run, GeneratorExit())
            self.last.ended(run.result)
        elif run.result is None:
            self._note_left(run)
        if here:
            self.note_here(run)
        if run.loop is not None and not run.loop.is_closed():
            run.loop.call_soon_threadsafe(self._finish_dropped, run, pieces)

    def _finish_dropped(self, run: Run, pieces: AsyncGenerator[Any, None]) -> None:
        async def finish() -> None:
            # The generator's own way out delivers the bill; a run is never delivered twice.
            await pieces.aclose()

        self._services.background.start(finish(), f"left run {run.run_id}")

    async def wait(self, run_id: str) -> ActorResult[Any]:
        """Wait for a run, or for one whose caller has left and whose result is still kept."""
        run = self._running.get(run_id)
        if run is not None:
            await asyncio.shield(asyncio.wrap_future(run.end_of()))
            if run.result is not None:
                return run.result
        kept = self._detached.result(run_id)
        if kept is None:
            raise LookupError(f"no run {run_id!r} runs here, and no result of it is kept")
        return kept

    def infos(self) -> list[RunInfo]:
        """What runs now."""
        return [info_of(run, detached=run.run_id in self._detached) for run in list(self._running.values())]

    def abort(self, run_id: str, reason: str | None) -> bool:
        """Abort a run; whether it ran."""
        run = self._running.get(run_id)
        if run is None:
            return False
        run.signal.abort(reason)
        return True

    # In this context

    def note_here(self, run: Run) -> None:
        """The caller's own context reads of this run, where it has ended or was left."""
        result = run.left or run.result
        if result is not None:
            self.last.note_here(result)
            last_token_usage_var.set(TokenUsage(result.prompt_tokens, result.completion_tokens))

    async def aclose(self, grace: float) -> None:
        """Take no new runs, end those that run, close agents and connections; a cancellation only ends the grace."""
        self.closed = True
        try:
            await wait_for_runs(list(self._running.values()), grace)
        finally:
            await outlive(self._close(max(grace, STOP_SECONDS)), CLOSING_SECONDS + grace, "the closing of an executor")

    async def _close(self, seconds: float) -> None:
        await end_runs(list(self._running.values()))
        self._services.release()
        await self._services.background.drain(seconds)
        for error in await self.openings.close(self._agents.values(), seconds):
            _log.error("an agent failed to close", exc_info=error)
        await self._services.models.aclose()
