"""Room for one attempt, taken in every purse of a chain or in none."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, Decimal
from typing import Literal, NamedTuple, Protocol

from cleveractors.budget import Budget, Held, budget_lock
from cleveractors.money import Price
from cleveractors.usage import Ledger

__all__ = ["MIN_OUTPUT", "Ask", "Books", "Purse", "Refusal", "Reservation", "reserve"]

MIN_OUTPUT = 64
"""Tokens of output; a call that may not answer that much is not made."""

FREE_OUTPUT = 4096
"""Tokens of output that a call may ask for even where that is more than half of what is left."""


@dataclass(slots=True, eq=False)
class Purse:
    """A budget as one run draws on it: what is kept for the run's own wrap-up is not for its turns."""

    budget: Budget
    title: str
    """How `stop_detail` names it."""
    owner: object = None
    """The run or loop whose own it is: the wrap-up of that one alone has a reserve in it."""
    of_limits: bool = False
    """Whether it is what `Limits` allow a run and all below it."""
    children: int = 0
    """Child runs that draw on it now, beyond the first of each parent: that one draws while its parent waits."""
    keep_tokens: int = 0
    keep_cost: Decimal = Decimal(0)
    _below: dict[object, int] = field(default_factory=dict[object, int])
    """Parent → its child runs that draw on it now."""

    def enter(self, parent: object) -> None:
        """One more child run of a parent draws on it."""
        beside = self._below.get(parent, 0)
        self.children += beside > 0
        self._below[parent] = beside + 1

    def leave(self, parent: object) -> None:
        """One less."""
        beside = self._below.pop(parent) - 1
        if beside:
            self.children -= 1
            self._below[parent] = beside


class Books(Protocol):
    """Where spend is entered: a run, or one loop of it."""

    @property
    def ledger(self) -> Ledger: ...
    @property
    def purses(self) -> Sequence[Purse]: ...


class Ask(NamedTuple):
    """What a call wants to hold."""

    likely_prompt: int
    strict_prompt: int
    wanted_output: int
    price: Price | None
    wrapping_up: Sequence[Purse] = ()
    """Purses whose reserve this call may use."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a purse did not let a call through."""

    purse: Purse
    kind: Literal["contention", "exhausted"]
    reason: Literal["token_budget", "cost_budget"]
    detail: str


@dataclass(slots=True, eq=False)
class Reservation:
    """Room for one attempt in every purse of a chain."""

    held: list[Held]
    output_cap: int | None
    """Tokens of output to send as the cap; None where no budget applies."""
    tokens: int = 0
    """The largest number of tokens held in a purse."""
    by_money: bool = False
    """Whether it is a money ceiling that set the cap."""
    _over: bool = field(default=False)

    def settle(self, tokens: int, cost: Decimal | None) -> bool:
        """Replace what was held by what was spent; a second call changes nothing.

        Returns:
            Whether more was spent than was held.
        """
        with budget_lock:
            held, self.held = self.held, []
            for one in held:
                one.budget.give_back(one, tokens, cost)
                over_cost = one.budget.max_cost is not None and (cost or 0) > one.cost
                self._over |= over_cost or (one.budget.max_tokens is not None and tokens > one.tokens)
        _tell(held)
        return self._over

    def settle_held(self) -> None:
        """Count all that was held as spent: the provider may have answered in full."""
        with budget_lock:
            held, self.held = self.held, []
            for one in held:
                one.budget.give_back(one, one.tokens, one.cost)
        # No room has come, yet who waits for it learns that none will.
        _tell(held)

    def release(self) -> None:
        """Give back what was held: nothing was spent."""
        self.settle(0, None)


def _tell(held: Sequence[Held]) -> None:
    """Wake those who wait for room, outside the lock."""
    with budget_lock:
        waiting = [listener for one in held for listener in one.budget.listeners()]
    for listener in waiting:
        # One whose loop has closed must not keep the others from hearing.
        with suppress(RuntimeError):
            listener()


def reserve(purses: Sequence[Purse], ask: Ask) -> Reservation | Refusal:
    """Take room in every purse, or in none.

    The output cap is the largest that every purse has room for: at most what was wanted, and of each
    purse at most half of what is left where that is more than 4,096 tokens.
    """
    if not purses:
        return Reservation([], None)
    with budget_lock:
        cap, by_money = ask.wanted_output, False
        for purse in purses:
            room = _room(purse, ask)
            if room < min(MIN_OUTPUT, ask.wanted_output):
                return _refusal(purse, ask)
            if room < cap:
                cap, by_money = room, room < _token_room(purse, ask)
        held = [_hold(purse.budget, ask, cap) for purse in purses]
    return Reservation(held, cap, max(one.tokens for one in held), by_money)


def _prompt(budget: Budget, ask: Ask) -> int:
    return ask.strict_prompt if budget.estimate == "strict" else ask.likely_prompt


def _hold(budget: Budget, ask: Ask, cap: int) -> Held:
    prompt = _prompt(budget, ask)
    price = ask.price
    cost = Decimal(0) if price is None else prompt * price.highest_prompt + cap * price.highest_completion
    budget.hold(prompt + cap, cost)
    return Held(budget, prompt + cap, cost)


def _room(purse: Purse, ask: Ask, *, alone: bool = False) -> int:
    """Tokens of output that a purse has room for; `alone` as if nobody else held anything."""
    return min(_token_room(purse, ask, alone=alone), _money_room(purse, ask, alone=alone))


def _token_room(purse: Purse, ask: Ask, *, alone: bool = False) -> int:
    budget = purse.budget
    if budget.max_tokens is None:
        return ask.wanted_output
    keep = 0 if purse in ask.wrapping_up else purse.keep_tokens
    left = budget.max_tokens - budget.spent - (0 if alone else budget.reserved) - keep
    return min(_part(left - _prompt(budget, ask), _share(purse, alone=alone)), ask.wanted_output)


def _money_room(purse: Purse, ask: Ask, *, alone: bool = False) -> int:
    budget = purse.budget
    if budget.max_cost is None or ask.price is None:
        return ask.wanted_output
    keep = 0 if purse in ask.wrapping_up else purse.keep_cost
    left = budget.max_cost - budget.spent_cost - (0 if alone else budget.reserved_cost) - keep
    return min(_affordable(left, _prompt(budget, ask), ask.price, _share(purse, alone=alone)), ask.wanted_output)


def _share(purse: Purse, *, alone: bool) -> int:
    """Of n agents that run side by side none may take what the others need for their first call."""
    return 1 if alone else purse.children + 1


def _affordable(left: Decimal, prompt: int, price: Price, share: int) -> int:
    after_prompt = left - prompt * price.highest_prompt
    if after_prompt < 0:
        return 0
    if not price.highest_completion:
        return 1 << 31
    return _part(int((after_prompt / price.highest_completion).to_integral_value(ROUND_DOWN)), share)


def _part(left: int, share: int) -> int:
    """Output to grant of `left`: half of it, or 4,096 where that is more; an n-th among n agents."""
    return min(left // share, max(FREE_OUTPUT, left // 2)) if left > 0 else 0


def _refusal(purse: Purse, ask: Ask) -> Refusal:
    budget = purse.budget
    enough = _room(purse, ask, alone=True) >= min(MIN_OUTPUT, ask.wanted_output)
    by_money = _token_room(purse, ask) >= min(MIN_OUTPUT, ask.wanted_output)
    if by_money:
        figures = f"{budget.spent_cost} of {budget.max_cost} spent, {budget.reserved_cost} reserved"
    else:
        figures = f"{budget.spent} of {budget.max_tokens} tokens spent, {budget.reserved} reserved"
    kept = "" if purse in ask.wrapping_up or not purse.keep_tokens else f", {purse.keep_tokens} kept for the wrap-up"
    return Refusal(
        purse,
        "contention" if enough else "exhausted",
        "cost_budget" if by_money else "token_budget",
        f"{purse.title}: {figures}{kept}; the next call needs about {_prompt(budget, ask)} tokens of prompt "
        f"and {min(MIN_OUTPUT, ask.wanted_output)} of output at least",
    )
