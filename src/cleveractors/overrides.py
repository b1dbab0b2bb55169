"""What a test puts in place of models, for the code that runs within it."""

from __future__ import annotations

from contextvars import ContextVar

from cleveractors.models.spec import ModelSpec

__all__ = ["model_override"]

model_override: ContextVar[ModelSpec | None] = ContextVar("cleveractors_model_override", default=None)
"""The model of every agent, within `executor.override(model=…)`."""
