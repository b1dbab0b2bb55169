"""What must be so on every ending, whatever a scenario is about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from cleveractors import ActorResult, Budget, InvocationRecord
from cleveractors.stops import RAISING
from cleveractors.testing import RecordedRequest, ScriptedProvider
from features.lib.pairing import check_pairing

__all__ = ["check_books", "check_names", "spent"]


def check_books(
    results: Sequence[ActorResult[Any]],
    provider: ScriptedProvider | None,
    budgets: Sequence[Budget],
    told: Sequence[InvocationRecord] = (),
) -> None:
    """Hold bills against the provider's ledger, the rows against the sums, the histories against the checker."""
    for result in results:
        check_result(result)
    for budget in budgets:
        assert (budget.reserved, budget.reserved_cost) == (0, 0), budget
    check_told(results, told)
    if provider is None:
        return
    assert not provider.problems, provider.problems
    if all(result.exact for result in results):
        billed = provider.totals()
        mine = (sum(r.prompt_tokens for r in results), sum(r.completion_tokens for r in results))
        own = [row for r in results for row in r.invocations if row.provider == "tool"]
        theirs = billed.prompt_tokens + sum(row.prompt_tokens for row in own)
        assert mine == (theirs, billed.completion_tokens + sum(row.completion_tokens for row in own)), (mine, billed)


def check_result(result: ActorResult[Any]) -> None:
    """Hold one result against itself."""
    settled = [row for row in result.invocations if row.state == "settled"]
    assert all(row.state != "open" for row in result.invocations), result.invocations
    assert result.prompt_tokens == sum(row.prompt_tokens for row in settled), result
    assert result.completion_tokens == sum(row.completion_tokens for row in settled), result
    assert result.unmeasured_calls == sum(row.state == "unmeasured" for row in result.invocations), result
    assert result.stop_detail, result
    if result.stop_reason not in RAISING:
        assert result.response.strip(), result
        last = result.messages[-1]
        assert last.type == "ai" and last.text == result.response, last
    check_pairing(result.messages)


def check_told(results: Sequence[ActorResult[Any]], told: Sequence[InvocationRecord]) -> None:
    """Each row was told open first, then as it ended."""
    if not told:
        return
    for row in (row for result in results for row in result.invocations if row.provider != "tool"):
        seen = [one for one in told if one.id == row.id]
        assert [one.state for one in seen] == ["open", row.state], seen
        assert seen[-1] == row, (seen[-1], row)


def spent(provider: ScriptedProvider) -> int:
    """What the provider bills, prompts and answers."""
    totals = provider.totals()
    return totals.prompt_tokens + totals.completion_tokens


def check_names(requests: Sequence[RecordedRequest]) -> None:
    """OpenAI refuses a history with another name of a call than a tool can have."""
    for call in (call for one in requests for message in one.messages for call in message.get("tool_calls") or ()):
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", call["function"]["name"]), call
