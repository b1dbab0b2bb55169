"""One model call: its attempts, each with a row that is settled before anything else can fail."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, cast

from cleveractors.abort import Aborted, bounded
from cleveractors.exceptions import ConfigurationError, LimitReached, ModelOutputError
from cleveractors.models.admission import Permit, admit, admit_attempt, holding
from cleveractors.models.asking import ask
from cleveractors.models.attempt import Again, Flight
from cleveractors.models.estimate import PromptMeter
from cleveractors.models.failures import Failure, RetryRules, classify, pause_before
from cleveractors.models.listener import Listener
from cleveractors.models.port import Port
from cleveractors.models.reading import Reply, read_answer, read_stream
from cleveractors.models.settling import settle_answered, settle_dropped, settle_failed
from cleveractors.models.slot import AttemptSlot, attempt_slot
from cleveractors.reservation import Purse
from cleveractors.stops import Stop
from cleveractors.usage import Attempt, Ledger, Purpose

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

    from cleveractors.run import Run

__all__ = ["CallRules", "ModelCall"]

T = TypeVar("T")


class CallRules(Protocol):
    """What an agent's file says of its model calls."""

    @property
    def model_timeout(self) -> float | None: ...
    @property
    def stream_idle_timeout(self) -> float | None: ...
    @property
    def retry(self) -> RetryRules: ...


@dataclass(slots=True, eq=False)
class ModelCall:
    """One logical request for one response, and the attempts that it takes."""

    run: Run
    agent: str
    ports: Sequence[Port]
    """The model, then those that take over when it fails."""
    view: Sequence[BaseMessage]
    rules: CallRules
    ledger: Ledger
    purses: Sequence[Purse]
    meter: PromptMeter
    purpose: Purpose = "turn"
    round: int = 0
    tools_off: bool = False
    output: int | None = None
    reserve_of: Sequence[Purse] | None = None
    """For a wrap-up: the purses whose reserve it may use."""
    listener: Listener | None = None
    may_shrink: Callable[[], bool] | None = None
    """Whether who asks can shorten a prompt that was too long for the model."""
    permit: Permit | None = None
    """The leave for the first attempt, taken by whoever asked for the call."""
    cut_by: Literal["token_budget", "cost_budget"] | None = field(default=None, init=False)
    """The budget that had lowered the cap at which the answer ended."""

    port: Port = field(init=False)
    """The model that is asked now."""
    beyond: BaseException | None = field(init=False)
    """What was being handled when the call began: no error of its own comes from that."""

    def __post_init__(self) -> None:
        self.port = self.ports[0]
        self.beyond = sys.exception()

    async def perform(self) -> Reply:
        """Make the call; where a model fails for good, the next one takes over.

        Raises:
            LimitReached: the run was aborted, is out of time, or a budget refused the first attempt.
            Exception: the last attempt's error, unwrapped.
        """
        permit = self.permit or admit(self.run, self.port, self.meter, self.purses)
        if isinstance(permit, Stop):
            raise LimitReached(permit.reason, permit.detail)
        for heir in self.ports[1:]:
            try:
                return await self._try_port(permit)
            except Exception as error:
                if not self._may_pass_on(error):
                    raise
                self.port = heir
                more = self._ask()
                if isinstance(more, Stop):
                    raise
                permit = more
        return await self._try_port(permit)

    async def _try_port(self, permit: Permit) -> Reply:
        """One model's attempts."""
        number, began = 1, time.monotonic()
        if self.run.services.models.cooldown.left(self.port.endpoint) > 0:
            with holding(self.run, permit):
                await self._pause(0)
        while True:
            outcome = await self._attempt(number, permit, began)
            if isinstance(outcome, Reply):
                return outcome
            await self._pause(outcome.seconds)
            if outcome.renew is not None:
                self.port = await self._in_run(outcome.renew)
            more = self._ask()
            if isinstance(more, Stop):
                raise outcome.error
            permit, number = more, number + 1

    def _may_pass_on(self, error: Exception) -> bool:
        """Whether another model may answer what this one failed at."""
        if isinstance(error, LimitReached | ConfigurationError):
            return False
        if self.listener is not None and self.listener.committed:
            return False
        # A prompt that can be shortened goes to the same model again.
        return not (classify(error, self.beyond).overflow and self.may_shrink is not None and self.may_shrink())

    def _ask(self) -> Permit | Stop:
        reserve = self.reserve_of
        return admit_attempt(self.run, self.port, self.meter, self.purses, reserve_of=reserve, output=self.output)

    async def _pause(self, seconds: float) -> None:
        """Wait before an attempt; abort and the run's clock end the wait."""
        cooldown, waited = self.run.services.models.cooldown, 0.0
        while True:
            cooling = cooldown.left(self.port.endpoint)
            if waited + cooling <= self.rules.retry.deadline:
                # One that lasts longer is not waited for: the provider says at once whether it still holds.
                seconds = max(seconds, cooling)
            if seconds <= 0:
                return
            await self._in_run(partial(asyncio.sleep, seconds))
            # Meanwhile another run may have been told to stay off for longer.
            waited, seconds = waited + seconds, 0

    async def _in_run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Await something between attempts; abort and the run's clock end it."""
        try:
            async with bounded(self.run.signal, None, self.run.clock):
                return await work()
        except Aborted:
            raise self._stopped("aborted") from None
        except TimeoutError:
            if not self.run.out_of_time:
                raise
            raise self._stopped("timeout") from None

    async def _attempt(self, number: int, permit: Permit, began: float) -> Reply | Again:
        row = self._open(number, permit)
        slot, flight = AttemptSlot(), Flight()
        live = self.run.live
        live[row.id] = partial(settle_dropped, self, row, permit, slot, flight)
        try:
            await self._announce(row)
            flight.sent = True
            reply = await self._ask_model(slot, flight, permit)
        except BaseException as error:
            failure = settle_failed(self, row, permit, slot, flight, error)
            verdict = await self._failed(row, error, failure, number, began)
            if isinstance(verdict, Again):
                return verdict
            if verdict is None:
                raise
            raise verdict from error
        finally:
            live.pop(row.id, None)
        settle_answered(self, row, permit, slot, flight, reply)
        if reply.finish_reason in ("length", "max_tokens"):
            self.cut_by = permit.lowered_by
        await self._deliver(row)
        if self.listener is not None:
            await self.listener.ended(row, reply.message)
        return reply

    def _open(self, number: int, permit: Permit) -> Attempt:
        port = self.port
        return self.ledger.open(
            self.run.row(
                agent=self.agent,
                provider=port.provider,
                model=port.name,
                purpose=self.purpose,
                round=self.round,
                attempt=number,
                reserved_tokens=permit.reservation.tokens,
            )
        )

    async def _announce(self, row: Attempt) -> None:
        if self.run.services.usage_sink is not None:
            await self._deliver(row)
        if self.listener is not None:
            await self.listener.started(row, self.view)

    async def _deliver(self, row: Attempt) -> None:
        sink = self.run.services.usage_sink
        if sink is not None:
            await sink.deliver(row.freeze(), self.run)

    async def _failed(
        self, row: Attempt, error: BaseException, failure: Failure, number: int, began: float
    ) -> LimitReached | Again | None:
        """What becomes of a failed attempt, its row being settled: None lets its own error pass."""
        again = self._again(error, failure, number, began)
        await self._deliver(row)
        if self.listener is not None:
            await self.listener.failed(row, error, again is not None)
        if isinstance(error, Aborted):
            return self._stopped("aborted")
        if failure.timed_out and self.run.out_of_time:
            return self._stopped("timeout")
        return again

    def _again(self, error: BaseException, failure: Failure, number: int, began: float) -> Again | None:
        if not isinstance(error, Exception) or isinstance(error, Aborted):
            return None
        if failure.status == 401 and self.port.renew is not None:
            # The renewed port has nothing to renew: a key is asked for once more, not for ever.
            return Again(error, 0, self._renewed)
        pause = pause_before(failure, self.rules.retry, number, time.monotonic() - began)
        if failure.status == 429:
            self.run.services.models.cooldown.start(self.port.endpoint, failure.after or pause or 0)
        committed = self.listener is not None and self.listener.committed
        return None if pause is None or committed else Again(error, pause)

    async def _renewed(self) -> Port:
        renew = self.port.renew
        return self.port if renew is None else replace(await renew(), renew=None)

    def _stopped(self, reason: str) -> LimitReached:
        signal = self.run.signal
        if reason == "aborted":
            return LimitReached("aborted", f"the run was aborted{f': {signal.reason}' if signal.reason else ''}")
        return LimitReached("timeout", f"the run's time was up after {self.run.duration:.1f} s, in a model call")

    def _kwargs(self, permit: Permit) -> dict[str, Any]:
        port = self.port
        kwargs = dict(port.tools_off if self.tools_off else port.kwargs)
        if permit.cap is not None and port.cap is not None:
            kwargs[port.cap] = permit.cap
        return kwargs

    async def _ask_model(self, slot: AttemptSlot, flight: Flight, permit: Permit) -> Reply:
        """The only place that knows a whole answer from a streamed one."""
        outer = attempt_slot.get()
        attempt_slot.set(slot)
        try:
            if self.listener is not None and self.listener.wants_chunks:
                reply = await self._stream(slot, flight, permit, self.listener)
            else:
                reply = await self._whole(slot, permit)
        except TimeoutError as error:
            if str(error):
                raise
            raise TimeoutError(self._silence(flight)) from error
        finally:
            attempt_slot.set(outer)
        if self.port.finish_required and reply.finish_reason is None:
            raise ModelOutputError("the answer ended without a finish reason: the connection was cut")
        return reply

    async def _whole(self, slot: AttemptSlot, permit: Permit) -> Reply:
        """A whole answer; one that comes though its attempt was ended is paid, and tells that on its row."""
        answer: BaseMessage | None = None
        try:
            async with bounded(self.run.signal, self.rules.model_timeout, self.run.clock):
                answer = await ask(self.port.model, list(self.view), self._kwargs(permit))
        except BaseException:
            if answer is not None and slot.usage is None:
                slot.usage = read_answer(answer, slot).usage
            raise
        return read_answer(answer, slot)

    def _silence(self, flight: Flight) -> str:
        """What our own clocks, which raise without a word, mean."""
        model = f"model {self.port.provider}/{self.port.name}"
        if flight.chunks:
            return f"{model} sent nothing more for {self.rules.stream_idle_timeout} s (stream_idle_timeout)"
        return f"{model} did not answer within {self.rules.model_timeout} s (model_timeout)"

    async def _stream(self, slot: AttemptSlot, flight: Flight, permit: Permit, listener: Listener) -> Reply:
        flight.streamed = True
        chunks = flight.chunks
        stream = cast("Any", self.port.model.astream(list(self.view), **self._kwargs(permit)))
        idle = self.rules.stream_idle_timeout
        async with aclosing(stream), bounded(self.run.signal, self.rules.model_timeout, self.run.clock) as clock:
            async for chunk in stream:
                chunks.append(chunk)
                clock.pause()
                await listener.chunk(chunk)
                clock.restart(idle)
        return read_stream(chunks, slot, self.port.usage, listener.issued)
