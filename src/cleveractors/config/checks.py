"""What no schema can say: names that must exist, endpoints, templates, the host's policy."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from .endpoints import fault_of
from .hints import PROVIDER_PREFIXES
from .models import ActorConfig, AgentConfig, Fallback, LLMAgentConfig, ModelAgentConfig, known_types
from .problems import Problems
from .shown import listing, quoted
from .source import Path
from .surroundings import Surroundings
from .template import mentions_in, mistakes_in
from .tools import check_tools

__all__ = ["check", "check_types"]

_FRAGMENTS = 51


def check(actor: ActorConfig, surroundings: Surroundings, problems: Problems) -> None:
    """Add a problem for everything an actor asks for that does not exist or is not allowed."""
    policy = surroundings.policy
    if actor.agents and actor.entry not in actor.agents:
        message = f"unknown agent {quoted(actor.entry, '`')}; allowed: {listing(actor.agents)}"
        problems.add(("entry",), message, hint=(actor.entry, actor.agents))
    if len(actor.agents) > policy.max_agents:
        message = f"found {len(actor.agents)} agents; the host's policy allows {policy.max_agents}"
        problems.add(("agents",), message, at="key")
    for name, agent in actor.agents.items():
        _check_agent(name, agent, surroundings, problems)
    check_tools(actor, surroundings, problems)


def check_types(actor: ActorConfig, surroundings: Surroundings, problems: Problems) -> None:
    """Check the agents of an actor that was made in Python: their `type` did not choose their class."""
    types = known_types(surroundings.agent_types)
    for name, agent in actor.agents.items():
        if agent.type not in types:
            message = f"unknown type {quoted(agent.type, '`')}; allowed: {listing(types)}"
            problems.add(("agents", name, "type"), message, hint=(agent.type, types))
        elif not isinstance(agent, types[agent.type]):
            needed = types[agent.type].__name__
            message = f"found a {type(agent).__name__}; the type `{agent.type}` needs a {needed}"
            problems.add(("agents", name), message)


def _check_agent(name: str, agent: AgentConfig, surroundings: Surroundings, problems: Problems) -> None:
    path: Path = ("agents", name)
    if name in surroundings.tools:
        problems.add(path, f"the name {quoted(name, '`')} is a tool's of the host; names are unique", at="key")
    if isinstance(agent, ModelAgentConfig):
        for place, use in _model_uses(path, agent):
            _check_model(place, use, surroundings, problems)
        if agent.script is not None and agent.provider != "scripted":
            message = f"a script is for the provider `scripted`, found `{agent.provider}`"
            problems.add((*path, "script"), message, at="key")
    if isinstance(agent, LLMAgentConfig):
        _check_prompt(path, agent, problems)
        _check_figures(path, agent, surroundings, problems)


def _model_uses(path: Path, agent: ModelAgentConfig) -> Iterator[tuple[Path, ModelAgentConfig | Fallback]]:
    yield path, agent
    for at, fallback in enumerate(agent.fallbacks):
        yield (*path, "fallbacks", at), fallback


def _check_model(path: Path, use: ModelAgentConfig | Fallback, surroundings: Surroundings, problems: Problems) -> None:
    provider = use.provider
    names = surroundings.provider_names
    if provider not in names:
        if provider == "scripted":
            message = f"the host's policy does not allow the provider `scripted`; allowed: {listing(names)}"
            problems.add((*path, "provider"), message, hint="the host allows it by ActorPolicy(scripted=True)")
        else:
            message = f"unknown provider {quoted(provider, '`')}; allowed: {listing(names)}"
            problems.add((*path, "provider"), message, hint=(provider, names))
    else:
        _check_endpoint(path, use, surroundings, problems)
    _check_model_name((*path, "model"), use, surroundings, problems)


def _check_endpoint(
    path: Path, use: ModelAgentConfig | Fallback, surroundings: Surroundings, problems: Problems
) -> None:
    facts = surroundings.providers.get(use.provider)
    # A scripted model calls nobody, so that any actor can be tried with it, as it stands.
    if use.provider == "scripted" and facts is None:
        return
    if use.base_url is not None:
        if fault := fault_of(use.base_url, use.provider, facts):
            problems.add((*path, "base_url"), fault)
    elif use.provider != "openai" and facts and not facts.foreign and not facts.base_url:
        listed = f"; allowed in the file: {listing(facts.base_urls)}" if facts.base_urls else ""
        message = f"the provider `{use.provider}` has no `base_url`: its credential gives none{listed}"
        hint = f'the host writes credentials={{"{use.provider}": Credential(key, base_url="https://…")}}'
        problems.add((*path, "provider"), message, hint=hint)


def _check_model_name(
    path: Path, use: ModelAgentConfig | Fallback, surroundings: Surroundings, problems: Problems
) -> None:
    prefix, _, model = use.model.partition(":")
    policy = surroundings.policy
    if model and prefix in PROVIDER_PREFIXES.union(surroundings.provider_names):
        message = f"found {quoted(use.model)}; a model's name does not hold its provider"
        problems.add(path, message, hint=f"write `provider: {prefix}` and `model: {quoted(model, '')}`")
    elif not policy.allows(use.provider, use.model):
        message = f"found {quoted(use.model)}; the host's policy allows: {listing(sorted(policy.models or ()))}"
        problems.add(path, message)


def _check_prompt(path: Path, agent: LLMAgentConfig, problems: Problems) -> None:
    place = (*path, "system_prompt")
    for fragment, message in islice(mistakes_in(agent.system_prompt), _FRAGMENTS):
        problems.add(place, message, within=fragment)
    if problems.is_broken((*path, "variables")):
        return
    mentions = mentions_in(agent.system_prompt).items()
    undeclared = ((name, fragment) for name, fragment in mentions if name not in agent.variables)
    for name, fragment in islice(undeclared, _FRAGMENTS):
        message = f"undeclared variable `{name}`; declared in `variables`: {listing(agent.variables)}"
        problems.add(place, message, hint=(name, agent.variables), within=fragment)


def _check_figures(path: Path, agent: LLMAgentConfig, surroundings: Surroundings, problems: Problems) -> None:
    policy = surroundings.policy
    bounds = {"tool_max_rounds": policy.max_rounds, "max_parallel_tools": policy.max_parallel_tools}
    for key, bound in bounds.items():
        figure = getattr(agent, key)
        if key in agent.model_fields_set and figure > bound:
            problems.add((*path, key), f"found {figure}; the host's policy allows at most {bound}")
