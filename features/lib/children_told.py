"""What was told of a family's run: its events, its agent calls, its rows, as tables write them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

from cleveractors import CustomEvent, ReactEndEvent, ReactStartEvent, is_response_yield
from cleveractors.events.envelope import EventYield
from features.lib.children import Family

__all__ = ["as_value", "called", "check_events", "rows", "tokens_left"]


def check_events(family: Family) -> None:
    """Numbered without gaps; every agent call begins and ends, within the tool call of its parent that started it."""
    events = family.events
    assert [one.origin.event_seq for one in events] == list(range(1, len(events) + 1))
    assert len([one for one in family.outputs if is_response_yield(one)]) == 1
    begun = {one.origin.agent_call_id: one for one in family.of_kind(ReactStartEvent)}
    ended = {one.origin.agent_call_id: one for one in family.of_kind(ReactEndEvent)}
    assert begun.keys() == ended.keys() == {one.origin.agent_call_id for one in events}
    for call_id, start in begun.items():
        own = [one.origin.event_seq for one in events if one.origin.agent_call_id == call_id]
        assert (own[0], own[-1]) == (start.origin.event_seq, ended[call_id].origin.event_seq), call_id
        if around := _span(events, start):
            assert around[0] < own[0] and own[-1] < around[-1], (around, own)


def _span(events: Sequence[EventYield], start: EventYield) -> list[int]:
    """The events of the tool call that started an agent; what a custom agent calls by itself has none."""
    caller = (start.origin.parent_agent_call_id, start.origin.parent_tool_call_id)
    if None in caller:
        return []
    return [one.origin.event_seq for one in events if (one.origin.agent_call_id, one.origin.tool_call_id) == caller]


def called(family: Family, columns: Sequence[str]) -> list[list[str]]:
    """The agent calls, in the order in which they began, as a table writes them."""
    agents = {row.run_id: row.agent for row in family.result.invocations}
    ends = {one.origin.agent_call_id: cast("ReactEndEvent", one.event) for one in family.of_kind(ReactEndEvent)}
    starts = family.of_kind(ReactStartEvent)
    names = {one.origin.agent_call_id: agents.get(one.origin.run_id, "?") for one in starts}
    table: list[list[str]] = []
    for start in starts:
        origin, end = start.origin, ends[start.origin.agent_call_id]
        cells = {
            "agent": names[origin.agent_call_id],
            "under": names.get(origin.parent_agent_call_id or "", ""),
            "by call": origin.parent_tool_call_id or "",
            "stop_reason": end.stop_reason,
            "response": str(end.response),
            "depth": str(origin.fork_depth),
        }
        table.append([str(cells[column]) for column in columns])
    return table


def tokens_left(family: Family) -> list[int]:
    """What each `usage` event tells is left of the run's limits."""
    events = [cast("CustomEvent", one.event) for one in family.of_kind(CustomEvent)]
    return [event.data["remaining"]["tokens"] for event in events if event.event_name == "usage"]


def rows(family: Family, columns: Sequence[str]) -> list[list[str]]:
    """The ledger as a table writes it; `under` is the agent whose run called the row's."""
    parents = family.parents()
    return [
        [parents[row.run_id] if column == "under" else str(getattr(row, column)) for column in columns]
        for row in family.result.invocations
    ]


def as_value(text: str) -> Any:
    """A cell that is JSON, or text."""
    try:
        return json.loads(text)
    except ValueError:
        return text
