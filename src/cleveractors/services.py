"""What an executor's runs share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from cleveractors.budget import Budget
from cleveractors.limits import Limits
from cleveractors.tasks import Background
from cleveractors.tools.threads import ToolThreads

if TYPE_CHECKING:
    from cleveractors.events.observers import Observer
    from cleveractors.models.registry import Models
    from cleveractors.options import Streaming
    from cleveractors.sessions.store import SessionStore
    from cleveractors.sinks import ResultSink, UsageSink

__all__ = ["Keeper", "Services"]


Answering = Callable[[Any, Any], Awaitable[None]]
"""Takes an agent and the child run's context; the answer, or why there is none, stands on the run."""


class Keeper(Protocol):
    """A tool that keeps something for a run or a session."""

    def release(self, owner: object = None, *, run_id: str | None = None, session_id: str | None = None) -> None:
        """Let go of what it keeps for a run or a session of an executor's, or for all of them."""
        ...


class HookHouse(Protocol):
    """The host's hooks."""

    def for_run(self, context: Any, platform: str) -> object:
        """The hooks of one run, or None where there are none."""
        ...


@dataclass(slots=True, eq=False)
class Services:
    """The house of an executor: limits, purses, sinks, models, threads, tasks."""

    models: Models
    limits: Limits = field(default_factory=Limits)
    budgets: Sequence[Budget] = ()
    usage_sink: UsageSink | None = None
    result_sink: ResultSink | None = None
    streaming: Streaming | None = None
    """Replaces what the actor's file says of streaming."""
    observers: Sequence[Observer] = ()
    """Told of every event of every run."""
    hooks: HookHouse | None = None
    redact: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    """The host's redaction of what hooks' commands read, where the hooks have none of their own."""
    platform: str = "library"
    """What hooks are told they run in."""
    allow_unpriced: bool = False
    """Whether models without a known price run under a cost ceiling."""
    stall_timeout: float = 30
    """Seconds after which a reader of events that takes nothing is taken for gone."""
    sink_timeout: float = 10
    """Seconds that one delivery to a sink may take."""
    sessions: SessionStore | None = None
    """Where the host keeps its sessions."""
    keepers: set[Keeper] = field(default_factory=set[Keeper])
    """Tools that have kept something for a run or session."""
    answer: Answering | None = None
    """How an agent is had to answer a child run; None outside an executor."""
    threads: ToolThreads = field(default_factory=ToolThreads)
    background: Background = field(default_factory=Background)

    def release(self, *, run_id: str | None = None, session_id: str | None = None) -> None:
        """What tools keep for a run, for a session, or for all of them, goes."""
        for keeper in tuple(self.keepers):
            keeper.release(self, run_id=run_id, session_id=session_id)
