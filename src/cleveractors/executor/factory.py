"""The composition root: the only room that knows all kinds."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from typing_extensions import Unpack

from cleveractors.agents.base import Agent
from cleveractors.agents.children import agent_tool
from cleveractors.agents.llm import LLMAgent
from cleveractors.catalogue import list_prices
from cleveractors.config import ActorConfig, AgentConfig, ModelAgentConfig, ProviderFacts, Surroundings, load_actor
from cleveractors.config.tools import tool_names
from cleveractors.credentials import Credentials
from cleveractors.exceptions import ConfigurationError, sentence
from cleveractors.executor.arguments import ExecutorOptions
from cleveractors.executor.checking import check_house
from cleveractors.executor.executor import Executor
from cleveractors.executor.importing import import_for
from cleveractors.executor.pricing import refuse_unpriced
from cleveractors.limits import Limits
from cleveractors.models.registry import Models, as_spec
from cleveractors.models.spec import ModelSpec
from cleveractors.money import PriceBook
from cleveractors.policy import ActorPolicy
from cleveractors.services import Services
from cleveractors.sinks import ResultSink, UsageSink
from cleveractors.tools.threads import MAX_THREADS, ToolThreads
from cleveractors.tools.toolset import Toolset, as_toolset

__all__ = ["create_executor"]


def create_executor(
    actor: str | os.PathLike[str] | Mapping[str, Any] | ActorConfig, **options: Unpack[ExecutorOptions]
) -> Executor:
    """Read an actor and make ready to run it. Opens no socket, loop or thread.

    Args:
        actor: a path of a YAML or JSON file, a mapping, or an `ActorConfig`.
        **options: see `ExecutorOptions`.

    Raises:
        TypeError: an option is unknown.
        ConfigurationError: with everything that is wrong, each with its place. Nothing has been called.
    """
    check_house(options)
    toolset = as_toolset(options.get("tools", ()))
    types = _types(options.get("agent_types") or {})
    keys = Credentials(options.get("credentials"))
    specs = {name: as_spec(model) for name, model in (options.get("models") or {}).items()}
    surroundings = _surroundings(toolset, types, keys, specs, options.get("policy"))
    config = load_actor(actor, surroundings, overrides=options.get("overrides", ()))
    import_for(config, specs)
    services = _services(options, keys, specs)
    services.models.look_up_prices(one for one in config.agents.values() if isinstance(one, ModelAgentConfig))
    agents = {name: types[agent.type](agent, name=name) for name, agent in config.agents.items()}
    _equip(agents, toolset)
    refuse_unpriced(agents, services)
    return Executor(
        *(config, agents, services),
        require_tenant=options.get("require_tenant", False),
        max_concurrent_runs=options.get("max_concurrent_runs"),
    )


def _services(options: ExecutorOptions, keys: Credentials, specs: Mapping[str, ModelSpec]) -> Services:
    """What all runs share; what is not said of it stands in `Services` itself."""
    max_threads = options.get("max_threads", MAX_THREADS)
    # The bill must not wait for tools that hold their threads.
    sink_threads = ToolThreads(max_threads)
    prices, on_usage, on_result = options.get("prices"), options.get("on_usage"), options.get("on_result")
    book = PriceBook(prices, list_prices() if prices is None else None)
    services = Services(
        models=Models(keys, specs, book, options.get("transport", "lean")),
        limits=options.get("limits") or Limits(),
        budgets=tuple(options.get("budgets", ())),
        observers=tuple(options.get("observers", ())),
        streaming=options.get("streaming"),
        hooks=options.get("hooks"),
        redact=options.get("redact"),
        sessions=options.get("sessions"),
        allow_unpriced=options.get("on_unpriced") == "allow",
        threads=ToolThreads(max_threads),
    )
    services.platform = options.get("platform", services.platform)
    services.sink_timeout = options.get("sink_timeout", services.sink_timeout)
    services.stall_timeout = options.get("stall_timeout", services.stall_timeout)
    if on_usage is not None:
        services.usage_sink = UsageSink(on_usage, services.sink_timeout, sink_threads)
    if on_result is not None:
        services.result_sink = ResultSink(on_result, services.sink_timeout, sink_threads)
    return services


def _types(given: Mapping[str, type[Agent[Any]]]) -> dict[str, type[Agent[Any]]]:
    types: dict[str, type[Agent[Any]]] = {"llm": LLMAgent}
    for name, kind in given.items():
        if not _is_subclass(kind, Agent):
            raise ConfigurationError(f"agent_types[{name!r}] must be a subclass of Agent, found {kind!r}")
        if not _is_subclass(kind.Config, AgentConfig):
            raise ConfigurationError(f"{kind.__name__}.Config must be a subclass of AgentConfig, found {kind.Config!r}")
        if kind.__abstractmethods__:
            raise ConfigurationError(f"{kind.__name__} must define {sentence(sorted(kind.__abstractmethods__))}")
        types[name] = kind
    return types


def _is_subclass(kind: object, base: type) -> bool:
    return isinstance(kind, type) and issubclass(kind, base)


def _surroundings(
    toolset: Toolset,
    types: Mapping[str, type[Agent[Any]]],
    keys: Credentials,
    specs: Mapping[str, ModelSpec],
    policy: ActorPolicy | None,
) -> Surroundings:
    providers = {name: ProviderFacts(one.base_url, one.base_urls) for name, one in keys.known.items()}
    providers |= {name: ProviderFacts(foreign=True) for name in specs}
    return Surroundings(
        tools=frozenset(toolset),
        providers=providers,
        agent_types={name: kind.Config for name, kind in types.items() if name != "llm"},
        policy=policy or ActorPolicy(),
        subagents=True,
    )


def _equip(agents: Mapping[str, Agent[Any]], toolset: Toolset) -> None:
    """Give each agent the tools that it names, other agents among them."""
    for agent in agents.values():
        declared = tool_names(agent.config)
        # A custom agent is the host's own code: without a list of its own it may call every tool.
        names = list(toolset) if declared is None else declared
        own = [toolset[name] if name in toolset else agent_tool(agents[name]) for name in names]
        agent.equip(toolset if declared is None else Toolset(own), agents)
