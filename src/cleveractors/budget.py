"""A ceiling on tokens or money, shared by all the runs it is given to."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, Never

from cleveractors.money import Money, money

__all__ = ["Budget", "Held", "budget_lock"]

# One lock for all budgets: a reservation spans several, from any thread, and holds it for microseconds.
# Reentrant, since a dropped stream gives back inside a garbage collection.
budget_lock = threading.RLock()


class Budget:
    """A ceiling shared by all the runs it is given to; safe from any thread and event loop.

    Args:
        max_tokens: prompt and completion tokens, or None.
        max_cost: money in the currency of the prices, or None.
        spent: tokens spent before, as when a budget is read from a database.
        spent_cost: money spent before.
        name: told to users in `stop_detail`.
        wait: seconds that a run may wait for its first call while others hold the room.
        estimate: how prompts are bounded: `likely`, or `strict` (a token is at least one byte).
        visible: whether events may show what is left.

    Raises:
        TypeError: a ceiling without its name: `max_tokens=` or `max_cost=`.
        ValueError: a figure is negative, or there is no ceiling.
    """

    def __init__(
        self,
        *ceilings: Never,
        max_tokens: int | None = None,
        max_cost: Money | None = None,
        spent: int = 0,
        spent_cost: Money = 0,
        name: str | None = None,
        wait: float = 0,
        estimate: Literal["likely", "strict"] = "likely",
        visible: bool = False,
    ) -> None:
        if ceilings:
            given = ", ".join(map(repr, ceilings))
            raise TypeError(
                f"Budget({given}) does not say of what: write max_tokens=… for tokens, max_cost=… for money"
            )
        if max_tokens is None and max_cost is None:
            raise ValueError("Budget needs max_tokens or max_cost")
        for what, figure in (("max_tokens", 0 if max_tokens is None else max_tokens), ("spent", spent)):
            if type(figure) is not int or figure < 0:
                raise ValueError(f"Budget.{what} must be a whole number of 0 or more, found {figure!r}")
        if type(wait) not in (int, float) or not 0 <= wait < float("inf"):
            raise ValueError(f"Budget.wait must be seconds, 0 or more, found {wait!r}")
        if estimate not in ("likely", "strict"):
            raise ValueError(f"Budget.estimate must be 'likely' or 'strict', found {estimate!r}")
        self.max_tokens = max_tokens
        self.max_cost = None if max_cost is None else money(max_cost, "Budget.max_cost")
        self.name = name
        self.wait = wait
        self.estimate = estimate
        self.visible = visible
        self._spent = spent
        self._spent_cost = money(spent_cost, "Budget.spent_cost")
        self._reserved = 0
        self._reserved_cost = Decimal(0)
        self._waiting: dict[object, Callable[[], object]] = {}

    @property
    def spent(self) -> int:
        """Tokens settled, estimates of unmeasured calls included."""
        return self._spent

    @property
    def reserved(self) -> int:
        """Tokens held for calls that run."""
        return self._reserved

    @property
    def remaining(self) -> int | None:
        """Tokens neither spent nor reserved, 0 at least; None without a token ceiling."""
        return None if self.max_tokens is None else max(self.max_tokens - self._spent - self._reserved, 0)

    @property
    def spent_cost(self) -> Decimal:
        """Money settled."""
        return self._spent_cost

    @property
    def reserved_cost(self) -> Decimal:
        """Money held for calls that run."""
        return self._reserved_cost

    @property
    def remaining_cost(self) -> Decimal | None:
        """Money neither spent nor reserved; None without a money ceiling."""
        if self.max_cost is None:
            return None
        return max(self.max_cost - self._spent_cost - self._reserved_cost, Decimal(0))

    @property
    def exhausted(self) -> bool:
        """Whether what was spent has reached a ceiling."""
        return (self.max_tokens is not None and self._spent >= self.max_tokens) or (
            self.max_cost is not None and self._spent_cost >= self.max_cost
        )

    @property
    def overdrawn(self) -> bool:
        """Whether what was spent and what is held are more than a ceiling."""
        return (self.max_tokens is not None and self._spent + self._reserved > self.max_tokens) or (
            self.max_cost is not None and self._spent_cost + self._reserved_cost > self.max_cost
        )

    def charge(self, tokens: int = 0, cost: Decimal | None = None) -> None:
        """Book what was spent without a reservation, as a tool's own spend."""
        with budget_lock:
            self._spent += tokens
            self._spent_cost += cost or 0

    def on_room(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Call `listener` whenever a reservation is given back, from whichever thread does it.

        Returns:
            A function that ends it.
        """
        key = object()
        with budget_lock:
            self._waiting[key] = listener
        return lambda: self._forget(key)

    def _forget(self, key: object) -> None:
        with budget_lock:
            self._waiting.pop(key, None)

    def hold(self, tokens: int, cost: Decimal) -> None:
        """Take a reservation; the caller holds the lock and has checked the room."""
        self._reserved += tokens
        self._reserved_cost += cost

    def give_back(self, held: Held, tokens: int, cost: Decimal | None) -> None:
        """Replace a reservation by what was spent; the caller holds the lock."""
        self._reserved -= held.tokens
        self._reserved_cost -= held.cost
        self._spent += tokens
        self._spent_cost += cost or 0

    def listeners(self) -> list[Callable[[], object]]:
        """Who waits for room."""
        return list(self._waiting.values())

    def __repr__(self) -> str:
        parts = [f"name={self.name!r}"] if self.name else []
        if self.max_tokens is not None:
            parts.append(f"tokens={self._spent}+{self._reserved}/{self.max_tokens}")
        if self.max_cost is not None:
            parts.append(f"cost={self._spent_cost}+{self._reserved_cost}/{self.max_cost}")
        return f"<Budget {' '.join(parts)}>"


@dataclass(frozen=True, slots=True)
class Held:
    """What a reservation holds in one budget."""

    budget: Budget
    tokens: int
    cost: Decimal
