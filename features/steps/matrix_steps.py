"""Steps about the fault matrix."""

from __future__ import annotations

from behave import then, when
from behave.runner import Context

from features.lib.matrix import row_of


@when('runs end by "{ending}"')
def end_runs(context: Context, ending: str) -> None:
    context.cells = row_of(ending)


@then('their cells are "{blocking}", "{answer}" and "{tokens}"')
def cells_are(context: Context, blocking: str, answer: str, tokens: str) -> None:
    assert context.cells == [blocking, answer, tokens], context.cells
