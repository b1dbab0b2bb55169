"""What a test puts in place of models and tools, for the code that runs within it."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar

from cleveractors.models.spec import ModelSpec
from cleveractors.tools.base import Tool

__all__ = ["model_override", "tools_override"]

model_override: ContextVar[ModelSpec | None] = ContextVar("cleveractors_model_override", default=None)
"""The model of every agent, within `executor.override(model=…)`."""

tools_override: ContextVar[Mapping[str, Tool] | None] = ContextVar("cleveractors_tools_override", default=None)
"""Tools by the names of those they stand in for, within `executor.override(tools=…)`."""
