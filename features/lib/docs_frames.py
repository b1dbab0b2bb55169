"""The page of events, held against what the frames of a run may hold."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cleveractors import (
    ExecutorBusyError,
    ExecutorClosedError,
    LimitReached,
    ModelOutputError,
    OutputError,
    SessionConflictError,
)
from cleveractors.events.chat import INCLUDABLE, error_frame
from cleveractors.testing import ScriptedError
from features.lib.docs_pages import ROOT

__all__ = ["unlisted"]

ERRORS: tuple[Exception, ...] = (
    ExecutorBusyError("no room"),
    ExecutorClosedError("closed"),
    SessionConflictError("it went on"),
    LimitReached("timeout", "too late"),
    OutputError("no number"),
    ModelOutputError("no answer"),
    ScriptedError("maximum context length", 400),
    ScriptedError("slowly", 429),
    TimeoutError(),
    ScriptedError("down", 503),
    ValueError("a slip"),
)
"""One of each kind that is told apart."""


def unlisted() -> list[str]:
    """What the first cells of the two tables lack, or have too much."""
    text = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
    codes = {error_frame(error, None).data["code"] for error in ERRORS}
    wanted = {"`code`": codes, "`include=`": set(INCLUDABLE)}
    wrong = {head: names ^ set(_cells(text, head)) for head, names in wanted.items()}
    return [f"{head}: {', '.join(sorted(names))}" for head, names in wrong.items() if names]


def _cells(text: str, head: str) -> Iterator[str]:
    table = text.partition(f"| {head} |")[2].partition("\n\n")[0]
    for row in table.splitlines()[2:]:
        yield from re.findall(r"`(\w+)`", row.split("|")[1])
