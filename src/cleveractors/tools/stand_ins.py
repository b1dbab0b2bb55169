"""The tools of one run: an agent's own, fewer where the run says so, others where a test has put some."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING

from cleveractors.tools.base import Tool
from cleveractors.tools.toolset import Toolset

if TYPE_CHECKING:
    from cleveractors.run import Run

__all__ = ["tools_for", "tools_override"]

tools_override: ContextVar[Mapping[str, Tool] | None] = ContextVar("cleveractors_tools_override", default=None)
"""Tools by the names of those they stand in for, within `executor.override(tools=…)`."""


def tools_for(run: Run, toolset: Toolset) -> Toolset:
    """What a run may use of an agent's tools.

    Raises:
        ConfigurationError: the run's `tools` name one that the agent does not have.
    """
    names = run.options.get("tools")
    stand_ins = tools_override.get()
    if names is None and not stand_ins:
        return toolset
    known = run.memo.get(toolset)
    if known is None:
        # One object for the whole run: the model that is bound to it can be kept.
        known = run.memo[toolset] = _chosen(toolset, names, stand_ins or {})
    return known


def _chosen(toolset: Toolset, names: Iterable[str] | None, stand_ins: Mapping[str, Tool]) -> Toolset:
    kept = toolset if names is None else toolset.subset(names)
    return Toolset(stand_ins.get(name, tool) for name, tool in kept.items())
