"""The language of actor files: what may stand in one, how it is read, what is said when it is wrong.

Loaded when first used: templates and the host's names need no pydantic.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..policy import ActorPolicy
    from .load import load_actor
    from .models import ActorConfig, AgentConfig, LLMAgentConfig, ModelAgentConfig
    from .parts import Fallback, Parameters, PruningConfig, RetryConfig, SynthesisConfig
    from .reference import reference_markdown
    from .rendering import render
    from .schema import json_schema
    from .surroundings import ProviderFacts, Surroundings
    from .template import names_in, substitute

__all__ = [
    "ActorConfig",
    "ActorPolicy",
    "AgentConfig",
    "Fallback",
    "LLMAgentConfig",
    "ModelAgentConfig",
    "Parameters",
    "ProviderFacts",
    "PruningConfig",
    "RetryConfig",
    "Surroundings",
    "SynthesisConfig",
    "json_schema",
    "load_actor",
    "names_in",
    "reference_markdown",
    "render",
    "substitute",
]

_ROOMS = {
    "..policy": ("ActorPolicy",),
    ".load": ("load_actor",),
    ".models": ("ActorConfig", "AgentConfig", "LLMAgentConfig", "ModelAgentConfig"),
    ".parts": ("Fallback", "Parameters", "PruningConfig", "RetryConfig", "SynthesisConfig"),
    ".reference": ("reference_markdown",),
    ".rendering": ("render",),
    ".schema": ("json_schema",),
    ".surroundings": ("ProviderFacts", "Surroundings"),
    ".template": ("names_in", "substitute"),
}
_HOMES = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)
