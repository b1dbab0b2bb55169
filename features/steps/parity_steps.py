"""Steps about faces that agree."""

from __future__ import annotations

from behave import then
from behave.runner import Context

from features.lib import parity as lib


@then("for {count:d} generated scripts all faces of an actor with tools agree")
def faces_with_tools(context: Context, count: int) -> None:
    lib.check_faces(context.world, count, with_tools=True)


@then("for {count:d} generated scripts all faces of an actor without tools agree")
def faces_without_tools(context: Context, count: int) -> None:
    lib.check_faces(context.world, count, with_tools=False)


@then("for {count:d} generated scripts the texts of a token stream are those that the model said")
def texts_said(context: Context, count: int) -> None:
    lib.check_texts(context.world, count)
