"""Steps about the ledger."""

from __future__ import annotations

from behave import then
from behave.runner import Context

from features.lib.ledger_property import draw_ledgers


@then("the books are right in {count:d} drawn stories, asked as {mode:w}")
def books_are_right(context: Context, count: int, mode: str) -> None:
    draw_ledgers(context.world, mode, count)  # type: ignore[arg-type]
