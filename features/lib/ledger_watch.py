"""Whoever watches runs and budgets while they are at work."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, ClassVar

from cleveractors import Budget, LLMAgent, RunContext
from cleveractors.budget import Held

__all__ = ["Watched", "WatchedBudget"]


class Watched(LLMAgent):
    """Tells its test of every run that it answers in."""

    runs: ClassVar[list[Any]] = []

    async def prepare_tools(self, tools: Any, context: RunContext[Any]) -> Any:
        self.runs.append(context.run)
        return await super().prepare_tools(tools, context)


class WatchedBudget(Budget):
    """Notes every change after which more is spent and held than its ceiling."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.passed = 0

    def _look(self) -> None:
        self.passed += self.overdrawn

    def hold(self, tokens: int, cost: Decimal) -> None:
        super().hold(tokens, cost)
        assert not self.overdrawn, f"a reservation passed the ceiling: {self!r}"

    def give_back(self, held: Held, tokens: int, cost: Decimal | None) -> None:
        super().give_back(held, tokens, cost)
        self._look()

    def charge(self, tokens: int = 0, cost: Decimal | None = None) -> None:
        super().charge(tokens, cost)
        self._look()
