"""What an executor's runs share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cleveractors.budget import Budget
from cleveractors.limits import Limits
from cleveractors.tasks import Background
from cleveractors.tools.threads import ToolThreads

if TYPE_CHECKING:
    from cleveractors.events.observers import Observer
    from cleveractors.models.registry import Models
    from cleveractors.options import Streaming
    from cleveractors.sinks import ResultSink, UsageSink

__all__ = ["Services"]


Answering = Callable[[Any, Any], Awaitable[None]]
"""Takes an agent and the child run's context; the answer, or why there is none, stands on the run."""


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
    allow_unpriced: bool = False
    """Whether models without a known price run under a cost ceiling."""
    sink_timeout: float = 10
    """Seconds that one delivery to a sink may take."""
    answer: Answering | None = None
    """How an agent is had to answer a child run; None outside an executor."""
    threads: ToolThreads = field(default_factory=ToolThreads)
    background: Background = field(default_factory=Background)
