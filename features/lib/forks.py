"""The forks of a family's run, by the events that were told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from cleveractors import CustomEvent, ReactStartEvent
from cleveractors.events.envelope import EventOrigin
from features.lib.children import Family

__all__ = ["check_unique_forks", "forks"]


def forks(family: Family, columns: Sequence[str]) -> list[list[str]]:
    """The forks in the order in which they began, as a table writes them; `source` is `run`, or a fork's place."""
    origins = _origins(family)
    memories = {origin.memory_key: str(place) for place, origin in enumerate(origins, 1)}
    spawned, completed = _told(family, "selfref_fork_spawn"), _told(family, "selfref_fork_complete")
    assert list(spawned) == [origin.fork_id for origin in origins] and spawned.keys() == completed.keys()
    table: list[list[str]] = []
    for origin in origins:
        cells = {
            "depth": str(origin.fork_depth),
            "number": str(origin.fork_seq),
            "source": memories.get(origin.source_memory_key, str(origin.source_memory_key).partition("/")[0]),
            "status": str(completed[str(origin.fork_id)]["status"]),
        }
        table.append([cells[column] for column in columns])
    return table


def check_unique_forks(family: Family) -> None:
    """What a fork is known by is its own, and stands on each of its events."""
    origins = _origins(family)
    for name in ("fork_id", "selfref_instance_id", "memory_key", "fork_seq", "run_id", "agent_call_id"):
        values = [getattr(origin, name) for origin in origins]
        assert None not in values and len(set(values)) == len(values) > 1, (name, values)
    root = family.result.run_id
    assert origins[0].source_memory_key == f"run/{root}", origins[0]
    for output in family.events:
        of_fork = [one for one in origins if one.agent_call_id == output.origin.agent_call_id]
        assert _place(output.origin) == (_place(of_fork[0]) if of_fork else (None, 0, None, None, None, None))


def _origins(family: Family) -> list[EventOrigin]:
    return [one.origin for one in family.of_kind(ReactStartEvent) if one.origin.fork_id is not None]


def _place(origin: EventOrigin) -> tuple[object, ...]:
    kin = (origin.fork_id, origin.fork_depth, origin.fork_seq)
    return (*kin, origin.selfref_instance_id, origin.memory_key, origin.source_memory_key)


def _told(family: Family, name: str) -> dict[str, dict[str, Any]]:
    events = [cast("CustomEvent", one.event) for one in family.of_kind(CustomEvent)]
    return {str(event.data["fork_id"]): event.data for event in events if event.event_name == name}
