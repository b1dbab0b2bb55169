"""What a host is told of the runs that run now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cleveractors.run import Run
from cleveractors.usage import TokenUsage

__all__ = ["RunInfo", "info_of"]


@dataclass(frozen=True, slots=True)
class RunInfo:
    """A run that runs now."""

    run_id: str
    session_id: str | None
    tenant: str | None
    metadata: Mapping[str, str]
    agent: str
    """The entry agent."""
    usage: TokenUsage
    """What providers told so far."""
    duration: float
    """Seconds since its start."""
    detached: bool
    """Whether its caller has left."""


def info_of(run: Run, *, detached: bool) -> RunInfo:
    """A run as it stands."""
    return RunInfo(
        run_id=run.run_id,
        session_id=run.labels.session_id,
        tenant=run.labels.tenant,
        metadata=run.labels.metadata,
        agent=run.entry,
        usage=run.ledger.totals.usage,
        duration=run.duration,
        detached=detached,
    )
