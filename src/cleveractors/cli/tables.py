"""The bill of a run as a table: a line for each attempt, and their sum."""

from __future__ import annotations

from decimal import Decimal
from io import StringIO
from typing import Any

from rich.console import Console
from rich.table import Table

from cleveractors.result import ActorResult

__all__ = ["bill_table"]

WIDTH = 100


def bill_table(result: ActorResult[Any]) -> str:
    """The rows of a run's bill and its sums, as text."""
    table = Table("call", "model", "state", box=None, pad_edge=False)
    for title in ("prompt", "completion", "total", "cost"):
        table.add_column(title, justify="right")
    for row in result.invocations:
        figures = (row.prompt_tokens, row.completion_tokens, row.prompt_tokens + row.completion_tokens)
        table.add_row(row.purpose, row.model, row.state, *(f"{one:,}" for one in figures), _money(row.cost))
    sums = (result.prompt_tokens, result.completion_tokens, result.total_tokens)
    table.add_row("the bill", "", result.stop_reason, *(f"{one:,}" for one in sums), _money(result.cost))
    text = StringIO()
    Console(file=text, force_terminal=False, no_color=True, width=WIDTH).print(table)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def _money(amount: Decimal | None) -> str:
    return "–" if amount is None else f"${amount.normalize():f}"
