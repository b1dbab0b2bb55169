"""A run's context outside any run, for unit tests of tools and agents."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TypeVar, cast

from cleveractors.context import RunContext
from cleveractors.credentials import Credentials
from cleveractors.models.registry import Models
from cleveractors.options import RunOptions, check_options
from cleveractors.run import Run
from cleveractors.services import Services

__all__ = ["run_context"]

T = TypeVar("T")


def run_context(
    deps: T | None = None,
    *,
    agent: str = "test",
    tool_call_id: str | None = None,
    run_id: str | None = None,
    session_id: str | None = None,
    tenant: str | None = None,
    metadata: Mapping[str, str] | None = None,
) -> RunContext[T]:
    """Make a context to hand to a tool or an agent: `await get_weather("Paris", context=run_context(database))`.

    What is reported to it stands in its `usage`. It belongs to no agent, so it can call neither models nor tools.

    Args:
        deps: the host's object.
        agent: the agent's name.
        tool_call_id: the tool call that runs.
        run_id: default a new one.
        session_id: the label of the conversation.
        tenant: who pays.
        metadata: the host's labels.

    Raises:
        TypeError: a label is of the wrong type.
        ValueError: a label is out of its range.
    """
    labels = {"run_id": run_id, "session_id": session_id, "tenant": tenant, "metadata": metadata or {}}
    options = cast("RunOptions", {"deps": deps, **labels})
    check_options(options)
    run = Run(Services(models=Models(Credentials())), options, agent)
    if _loop_runs():
        run.begin()
    return cast("RunContext[T]", RunContext(run, agent, tool_call_id=tool_call_id))


def _loop_runs() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
