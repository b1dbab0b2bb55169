"""What a host offers to an actor's file: the names it may use, and where they lead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..policy import ActorPolicy

if TYPE_CHECKING:
    from .models import AgentConfig

__all__ = ["ProviderFacts", "Surroundings"]


@dataclass(frozen=True)
class ProviderFacts:
    """What is known of a provider before a file is read.

    Args:
        base_url: the endpoint of its credential, None for the provider's own.
        base_urls: further endpoints that files may name; the key goes there.
        foreign: the name stands for a model of the host's (`models=`), which has its own endpoint.
    """

    base_url: str | None = None
    base_urls: tuple[str, ...] = ()
    foreign: bool = False


@dataclass(frozen=True)
class Surroundings:
    """The host's names.

    Args:
        tools: the names of the host's tools.
        providers: those with credentials or models; `openai` is always a legal name, `scripted` if the policy says so
            or it is listed here.
        agent_types: custom `type:` names and their config classes.
        policy: what a file may ask for.
        subagents: whether agents may be named in `tools`.
    """

    tools: frozenset[str] = frozenset()
    providers: Mapping[str, ProviderFacts] = field(default_factory=dict[str, ProviderFacts])
    agent_types: Mapping[str, type[AgentConfig]] = field(default_factory=dict[str, "type[AgentConfig]"])
    policy: ActorPolicy = field(default_factory=ActorPolicy)
    subagents: bool = False

    @property
    def provider_names(self) -> tuple[str, ...]:
        """The providers a file may name."""
        extra = ("scripted",) if self.policy.scripted else ()
        return tuple(dict.fromkeys(("openai", *self.providers, *extra)))
