"""`cleveractors usage`: what a log of rows comes to, by tenant, model and day."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from cleveractors.cli.terminal import problems
from cleveractors.exceptions import ConfigurationError
from cleveractors.usage_log import UsageSum, read_usage_log, sum_usage

__all__ = ["show_usage"]

WIDTH = 160

_COLUMNS = {
    "tenant": "tenant",
    "model": "model",
    "day": "day (UTC)",
    "calls": "calls",
    "prompt_tokens": "prompt",
    "completion_tokens": "completion",
    "unmeasured_calls": "unmeasured",
    "open_calls": "open",
    "cost": "cost",
    "unpriced_calls": "unpriced",
}


def show_usage(file: str, *, as_json: bool) -> int:
    """Print the sums of a log.

    Returns:
        The exit status: 2 where the file can't be read.
    """
    try:
        sums = sum_usage(read_usage_log(file))
    except OSError as error:
        problems(ConfigurationError(f"{file}: {error.strerror or error}"))
        return 2
    if as_json:
        typer.echo(json.dumps([_plain(one) for one in sums], ensure_ascii=False))
    else:
        # Wide, so that no figure is cut where the terminal is narrow: the lines wrap.
        Console(highlight=False, width=max(Console().width, WIDTH)).print(_table(sums))
    return 0


def _plain(total: UsageSum) -> dict[str, Any]:
    return {name: str(value) if isinstance(value, Decimal) else value for name, value in asdict(total).items()}


def _table(sums: Sequence[UsageSum]) -> Table:
    table = Table(box=None)
    for name, title in _COLUMNS.items():
        table.add_column(title, justify="left" if name in ("tenant", "model", "day") else "right", no_wrap=True)
    for one in sums:
        row = _plain(one)
        table.add_row(*("–" if row[name] is None else str(row[name]) for name in _COLUMNS))
    return table
