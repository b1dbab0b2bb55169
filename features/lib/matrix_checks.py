"""What must be so in every cell of the fault matrix, and what it tells of the provider's bill."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any, Literal

from cleveractors import ActorResult, InvocationRecord
from cleveractors.result import ErrorInfo
from cleveractors.testing import LedgerEntry
from features.lib.billing import FINAL
from features.lib.matrix_endings import Expected
from features.lib.matrix_stage import Stage
from features.lib.pairing import check_pairing

__all__ = ["Verdict", "check_cell"]

Verdict = Literal["=", "~", "0"]
"""Equal to the provider's bill; flagged and estimated; nothing billed."""

TOLERANCE = 0.15


def check_cell(stage: Stage, expected: Expected) -> Verdict:
    """Hold everything that was seen against what must be so."""
    result = stage.result
    _check_ending(stage, result, expected)
    _check_ways(stage, result, expected)
    _check_sums(result)
    _check_sinks(stage, result)
    check_pairing(result.messages)
    assert (stage.budget.reserved, stage.provider.problems) == (0, ()), (stage.budget, stage.provider.problems)
    verdicts = {_verdict(row, entry) for row, entry in _pairs(stage, result)}
    _check_budget(stage, result)
    assert result.exact == ("~" not in verdicts), result
    return "~" if "~" in verdicts else "=" if "=" in verdicts else "0"


def _check_ending(stage: Stage, result: ActorResult[Any], expected: Expected) -> None:
    error = stage.ways.error
    assert (type(error).__name__ if error else "") == expected.raises, f"{error!r}, not {expected.raises!r}"
    assert result.stop_reason == expected.stop, f"{result.stop_reason}: {result.stop_detail}"
    failed = expected.error or (expected.raises if expected.stop == "error" else "")
    assert (ErrorInfo.of(result.error).type if result.error else "") == failed, result.error


def _check_ways(stage: Stage, result: ActorResult[Any], expected: Expected) -> None:
    """The handle is the very result that was billed."""
    assert stage.bills == [result] and stage.bills[0] is result, stage.bills
    if stage.stream is not None:
        assert stage.stream.result is result
    if expected.raises:
        # `asyncio.timeout` raises an error of its own, from the one that left the run: that one is found too.
        assert stage.ways.carried is result, repr(stage.ways.error)


def _check_sums(result: ActorResult[Any]) -> None:
    rows = result.invocations
    settled = [row for row in rows if row.state == "settled"]
    unmeasured = [row for row in rows if row.state == "unmeasured"]
    assert all(row.state in FINAL for row in rows), rows
    assert result.prompt_tokens == sum(row.prompt_tokens for row in settled)
    assert result.completion_tokens == sum(row.completion_tokens for row in settled)
    assert result.unmeasured_calls == len(unmeasured) and all(row.estimated for row in unmeasured)
    assert result.estimated_prompt_tokens == sum(row.prompt_tokens for row in unmeasured)
    assert result.estimated_completion_tokens == sum(row.completion_tokens for row in unmeasured)


def _check_sinks(stage: Stage, result: ActorResult[Any]) -> None:
    """`on_usage` had each row twice: open, and as it ended."""
    for row in result.invocations:
        states = [seen.row for seen in stage.seen if seen.row.id == row.id]
        assert [one.state for one in states] == ["open", row.state] and states[-1] == row, states
        assert row.duration > 0 and states[0].duration == 0, row
    assert len(stage.seen) == 2 * len(result.invocations) and not result.undelivered, stage.seen


def _pairs(stage: Stage, result: ActorResult[Any]) -> Iterator[tuple[InvocationRecord, LedgerEntry]]:
    """Each row that was sent, with the provider's own entry."""
    sent = [row for row in result.invocations if row.state != "unsent"]
    entries = sorted(stage.provider.ledger, key=lambda entry: entry.order)
    assert len(sent) == len(entries), (sent, entries)
    return zip(sent, entries, strict=True)


def _verdict(row: InvocationRecord, entry: LedgerEntry) -> Verdict:
    if row.state == "settled":
        mine = (row.prompt_tokens, row.completion_tokens, row.cached_tokens, row.reasoning_tokens)
        theirs = (entry.prompt_tokens, entry.completion_tokens, entry.cached_tokens, entry.reasoning_tokens)
        assert entry.charged and mine == theirs, (row, entry)
        return "="
    if row.state == "rejected":
        assert not entry.charged, (row, entry)
        return "0"
    assert not entry.told, ("the wire told", row, entry)
    if entry.charged:
        _check_estimate(row, entry)
    return "~"


def _check_estimate(row: InvocationRecord, entry: LedgerEntry) -> None:
    """A stream: close to the bill. A whole answer: from its prompt alone up to all that was reserved."""
    billed = entry.prompt_tokens + entry.completion_tokens
    if entry.streamed or entry.outcome == "answered":
        assert abs(row.total_tokens - billed) <= TOLERANCE * billed, (row.total_tokens, billed, row, entry)
    else:
        assert abs(row.total_tokens - entry.prompt_tokens) <= TOLERANCE * entry.prompt_tokens, (row, entry)
        assert row.completion_tokens == 0 and billed <= row.reserved_tokens, (row, entry)


def _check_budget(stage: Stage, result: ActorResult[Any]) -> None:
    """The shared budget was charged what is known and, of what is not, at least the estimate."""
    most = sum(
        row.reserved_tokens if row.state == "unmeasured" else row.total_tokens
        for row in result.invocations
        if row.state in ("settled", "unmeasured")
    )
    least = result.total_tokens + result.estimated_prompt_tokens + result.estimated_completion_tokens
    assert least <= stage.budget.spent <= most, (least, stage.budget, most)


def check_threads(before: set[threading.Thread]) -> None:
    """No thread is left that was not there before."""
    for thread in set(threading.enumerate()) - before:
        thread.join(2)
        assert not thread.is_alive(), f"a thread is left: {thread!r}"
