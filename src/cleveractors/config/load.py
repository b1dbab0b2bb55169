"""The one way from a file, a mapping or an `ActorConfig` to a checked actor."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from .checks import check, check_types
from .document import open_problems, read_document
from .drafts import draft
from .models import MAIN, ActorConfig, AgentConfig, LLMAgentConfig, expanded, is_short
from .overrides import override
from .surroundings import Surroundings

__all__ = ["load_actor"]


def load_actor(
    source: str | os.PathLike[str] | Mapping[str, object] | ActorConfig,
    surroundings: Surroundings,
    *,
    overrides: Sequence[tuple[str, str]] = (),
) -> ActorConfig:
    """Read and check an actor. Nothing is called, no environment is read.

    Args:
        source: a path of a .yaml, .yml or .json file of at most 256 KiB, its content, or a ready configuration.
        surroundings: the names and bounds of the host.
        overrides: paths and values put over the document before it is checked.

    Returns:
        The actor, its defaults bounded by the policy too.

    Raises:
        ConfigurationError: with every problem, each with its place where the source has places. A file that can't be
            read or parsed has one problem.
    """
    if isinstance(source, ActorConfig):
        if not overrides:
            return _ready(source, surroundings)
        source = _dumped(source)
    problems = open_problems(source)
    data = override(read_document(source, problems), overrides, problems)
    if is_short(data):
        problems.prefix = ("agents", MAIN)
        problems.overridden = [_full(path) for path in problems.overridden]
    actor = draft(expanded(data), problems, surroundings.agent_types)
    check(actor, surroundings, problems)
    problems.raise_any()
    return _bounded(actor, surroundings)


def _full(path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    return path if path[0] in ActorConfig.model_fields else ("agents", MAIN, *path)


def _ready(actor: ActorConfig, surroundings: Surroundings) -> ActorConfig:
    problems = open_problems({})
    check_types(actor, surroundings, problems)
    check(actor, surroundings, problems)
    problems.raise_any()
    return _bounded(actor, surroundings)


def _dumped(actor: ActorConfig) -> dict[str, Any]:
    dumped = actor.model_dump(mode="json", exclude_unset=True)
    for name, agent in actor.agents.items():
        # A class may have its type as a default, which is left out.
        dumped["agents"][name]["type"] = agent.type
    return dumped


def _bounded(actor: ActorConfig, surroundings: Surroundings) -> ActorConfig:
    agents = {name: _agent_bounded(agent, surroundings) for name, agent in actor.agents.items()}
    return actor.model_copy(update={"agents": agents})


def _agent_bounded(agent: AgentConfig, surroundings: Surroundings) -> AgentConfig:
    if not isinstance(agent, LLMAgentConfig):
        return agent
    policy = surroundings.policy
    # A file that says nothing must not get more than one that asks.
    rounds = min(agent.tool_max_rounds, policy.max_rounds)
    parallel = min(agent.max_parallel_tools, policy.max_parallel_tools)
    if (rounds, parallel) == (agent.tool_max_rounds, agent.max_parallel_tools):
        return agent
    return agent.model_copy(update={"tool_max_rounds": rounds, "max_parallel_tools": parallel})
