"""From what a provider told to a settled row; nothing here awaits."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

from cleveractors.models.estimate import PromptMeter, SaidRate, measure_said
from cleveractors.models.failures import Failure, classify
from cleveractors.models.slot import AttemptSlot, ToldUsage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.messages import BaseMessage

    from cleveractors.models.admission import Permit
    from cleveractors.models.port import Port
    from cleveractors.models.reading import Reply
    from cleveractors.run import Run
    from cleveractors.usage import Attempt, Ledger

__all__ = ["settle_answered", "settle_dropped", "settle_failed"]


class Call(Protocol):
    """The call that a row belongs to."""

    @property
    def run(self) -> Run: ...
    @property
    def port(self) -> Port: ...
    @property
    def ledger(self) -> Ledger: ...
    @property
    def meter(self) -> PromptMeter: ...
    @property
    def beyond(self) -> BaseException | None: ...


class Flight(Protocol):
    """How far an attempt came."""

    @property
    def began(self) -> float: ...
    @property
    def sent(self) -> bool: ...
    @property
    def streamed(self) -> bool: ...
    @property
    def chunks(self) -> Sequence[BaseMessage]: ...


def settle_answered(call: Call, row: Attempt, permit: Permit, slot: AttemptSlot, flight: Flight, reply: Reply) -> None:
    """Close the row of an attempt that answered."""
    if row.state != "open":
        return
    row.duration = time.monotonic() - flight.began
    row.outcome = "tools" if reply.message.tool_calls else "answer"
    row.model_served = slot.model or reply.message.response_metadata.get("model_name")
    row.provider_request_id = slot.request_id
    # What failed attempts have streamed is no part of this answer.
    call.run.partial_text = ""
    if reply.usage is not None:
        _told(call, row, permit, reply.usage)
        call.run.said.heard(reply.message, reply.usage.completion_tokens - reply.usage.reasoning_tokens)
        return
    _estimated(call, row, permit, slot, measure_tokens(call.run.said, [reply.message]), charge_held=False)


def settle_failed(
    call: Call, row: Attempt, permit: Permit, slot: AttemptSlot, flight: Flight, error: BaseException
) -> Failure:
    """Close the row of an attempt that failed, was cut or was never sent."""
    failure = classify(error, call.beyond) if flight.sent else Failure("unsent", retryable=False)
    if row.state != "open":
        # A dropped stream has settled it; what is learned later must not change a row that is on a bill.
        return failure
    row.duration = time.monotonic() - flight.began
    row.outcome = "error"
    if flight.chunks:
        call.run.partial_text = "".join(chunk.text for chunk in flight.chunks)
    row.error_type = type(error).__name__
    row.model_served = slot.model
    row.provider_request_id = slot.request_id
    if slot.told is not None:
        _told(call, row, permit, slot.told)
    elif failure.state == "unmeasured":
        streamed = measure_tokens(call.run.said, flight.chunks)
        _estimated(call, row, permit, slot, streamed, charge_held=not flight.streamed)
    else:
        row.state = failure.state
        _close(call, row)
        permit.reservation.release()
    return failure


def settle_dropped(call: Call, row: Attempt, permit: Permit, slot: AttemptSlot, flight: Flight) -> None:
    """Close the row of an attempt whose run was left where nothing can be awaited."""
    settle_failed(call, row, permit, slot, flight, GeneratorExit())


def measure_tokens(said: SaidRate, messages: Sequence[BaseMessage]) -> int:
    """The most likely tokens of text that came."""
    size = measure_said(messages)
    return max(round(said.tokens(size)), 1) if size.size else 0


def _told(call: Call, row: Attempt, permit: Permit, usage: ToldUsage) -> None:
    row.state = "settled"
    row.prompt_tokens, row.completion_tokens = usage.prompt_tokens, usage.completion_tokens
    row.cached_tokens, row.cache_write_tokens = usage.cached_tokens, usage.cache_write_tokens
    row.reasoning_tokens = usage.reasoning_tokens
    _price(call, row, usage)
    tokens = usage.prompt_tokens + usage.completion_tokens
    row.over_reserved = permit.reservation.settle(tokens, row.cost)
    _close(call, row)
    call.meter.settle(usage.prompt_tokens)


def _estimated(
    call: Call, row: Attempt, permit: Permit, slot: AttemptSlot, completion: int, *, charge_held: bool
) -> None:
    """Close a row whose provider told nothing.

    A streamed cut charges budgets what was seen; a blocking one all that was held, for the provider
    may have answered in full.
    """
    row.state, row.estimated = "unmeasured", True
    prompt = call.meter.estimate() if slot.prompt_tokens is None else slot.prompt_tokens
    usage = ToldUsage(prompt, completion)
    row.prompt_tokens, row.completion_tokens = usage.prompt_tokens, usage.completion_tokens
    _price(call, row, usage)
    if charge_held:
        permit.reservation.settle_held()
    else:
        row.over_reserved = permit.reservation.settle(sum(usage[:2]), row.cost)
    _close(call, row)


def _price(call: Call, row: Attempt, usage: ToldUsage) -> None:
    quote = call.port.quote
    if quote is not None:
        row.cost, row.price_source = quote.price.cost(usage), quote.source


def _close(call: Call, row: Attempt) -> None:
    row.revision += 1
    call.ledger.close(row)
