"""The first verb: may this call be made, and how much may it answer?"""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from cleveractors.models.estimate import PromptMeter
from cleveractors.models.port import Port
from cleveractors.reservation import Ask, Purse, Refusal, Reservation, reserve
from cleveractors.stops import Stop

if TYPE_CHECKING:
    from cleveractors.run import Run

__all__ = ["Permit", "admit", "admit_attempt", "holding", "interrupted", "wait_for_room"]


@dataclass(slots=True, eq=False)
class Permit:
    """Leave to make one attempt."""

    reservation: Reservation
    wanted_output: int

    @property
    def cap(self) -> int | None:
        """Tokens of output to send as the cap; None where no budget applies."""
        return self.reservation.output_cap

    @property
    def lowered_by(self) -> Literal["token_budget", "cost_budget"] | None:
        """Which kind of budget leaves less than the agent wanted."""
        if self.cap is None or self.cap >= self.wanted_output:
            return None
        return "cost_budget" if self.reservation.by_money else "token_budget"


def admit(
    run: Run,
    port: Port,
    meter: PromptMeter,
    purses: Sequence[Purse],
    *,
    reserve_of: Sequence[Purse] | None = None,
    output: int | None = None,
) -> Permit | Stop:
    """Ask for one logical call: clocks, signal, counted limits, then every purse.

    Args:
        run: whose call it is.
        port: the model.
        meter: the prompt's size.
        purses: budgets, outermost first.
        reserve_of: for the call that limits keep for the end: the purses whose reserve it may use.
        output: tokens of output wanted, in place of the port's.
    """
    stop = _counted(run, wrap_up=reserve_of is not None)
    if stop is not None:
        return interrupted(run) or stop
    permit = admit_attempt(run, port, meter, purses, reserve_of=reserve_of, output=output)
    if isinstance(permit, Permit):
        run.counters.model_calls += 1
    return permit


def admit_attempt(
    run: Run,
    port: Port,
    meter: PromptMeter,
    purses: Sequence[Purse],
    *,
    reserve_of: Sequence[Purse] | None = None,
    output: int | None = None,
) -> Permit | Stop:
    """Ask for one more attempt at a call that was admitted."""
    stop = interrupted(run)
    if stop is not None:
        return stop
    wanted = port.wanted_output if output is None else min(output, port.wanted_output)
    ask = Ask(
        likely_prompt=meter.likely(),
        strict_prompt=meter.strict(),
        wanted_output=wanted,
        price=port.quote.price if port.quote else None,
        wrapping_up=reserve_of or (),
    )
    outcome = reserve(purses, ask)
    if isinstance(outcome, Refusal):
        return Stop(outcome.reason, outcome.detail, outcome.kind)
    return Permit(outcome, wanted)


def interrupted(run: Run) -> Stop | None:
    """Whether the run's signal or clock has ended it, or it is over."""
    if run.signal.is_aborted:
        why = f": {run.signal.reason}" if run.signal.reason else ""
        return Stop("aborted", f"the run was aborted{why}")
    if run.out_of_time:
        return Stop("timeout", f"the run's time is up after {run.duration:.1f} s")
    return Stop("aborted", "the run has ended") if run.closed else None


def _counted(run: Run, *, wrap_up: bool) -> Stop | None:
    limit = run.limits.max_model_calls
    if limit is None:
        return None
    keep = 0 if (wrap_up and run.parent is None) or limit == 1 else 1
    if run.counters.model_calls >= limit - keep:
        kept = ", of which one is kept for the wrap-up" if keep else ""
        return Stop("model_calls", f"{run.counters.model_calls} of {limit} model calls made{kept}")
    return None


@contextmanager
def holding(run: Run, permit: Permit) -> Generator[None]:
    """While something is awaited before an attempt: however that ends early, the room is given back, by a dropped
    stream too."""
    key = f"permit {id(permit)}"
    run.live[key] = permit.reservation.release
    try:
        yield
    except BaseException:
        permit.reservation.release()
        raise
    finally:
        run.live.pop(key, None)


async def wait_for_room(
    run: Run,
    port: Port,
    meter: PromptMeter,
    purses: Sequence[Purse],
    stop: Stop,
    *,
    reserve_of: Sequence[Purse] | None = None,
) -> Permit | Stop:
    """Wait while others hold the room that a run's first call needs, as long as its budgets say."""
    seconds = max((purse.budget.wait for purse in purses), default=0)
    if stop.refusal != "contention" or seconds <= 0 or run.parent is not None:
        return stop
    loop = asyncio.get_running_loop()
    deadline = loop.time() + (run.within(seconds) or 0)
    outcome: Permit | Stop = stop
    changed = asyncio.Event()
    forget = [purse.budget.on_room(lambda: loop.call_soon_threadsafe(changed.set)) for purse in purses]
    forget.append(run.signal.subscribe(lambda: loop.call_soon_threadsafe(changed.set)))
    try:
        while (left := deadline - loop.time()) > 0:
            changed.clear()
            outcome = admit(run, port, meter, purses, reserve_of=reserve_of)
            if isinstance(outcome, Permit) or outcome.refusal != "contention":
                break
            try:
                async with asyncio.timeout(left):
                    await changed.wait()
            except TimeoutError:
                break
    finally:
        for end in forget:
            end()
    # A run whose own time was up meanwhile did not end for want of room.
    return outcome if isinstance(outcome, Permit) else interrupted(run) or outcome
