"""Steps about the fault matrix."""

from __future__ import annotations

from behave import then
from behave.runner import Context

from features.lib.matrix import row_of


@then('runs that end by "{ending}" have the cells "{blocking}", "{answer}" and "{tokens}"')
def cells_are(context: Context, ending: str, blocking: str, answer: str, tokens: str) -> None:
    found = row_of(ending)
    assert found == [blocking, answer, tokens], found
