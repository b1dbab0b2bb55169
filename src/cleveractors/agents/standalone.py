"""A run for an agent that nobody gave one: in tests and scripts."""

from __future__ import annotations

from typing import Any

from cleveractors.context import Caller, RunContext
from cleveractors.credentials import Credentials
from cleveractors.models.registry import Models
from cleveractors.run import Run
from cleveractors.services import Services

__all__ = ["standalone_run"]


def standalone_run(name: str, agent: Caller) -> RunContext[Any]:
    """A run of its own on the running loop, without credentials or sinks."""
    run = Run(Services(models=Models(Credentials())), {}, name)
    run.begin()
    return RunContext(run, name, agent)
