"""The composition root: the only room that knows all kinds."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from cleveractors.agents.base import Agent
from cleveractors.agents.children import agent_tool
from cleveractors.agents.llm import LLMAgent
from cleveractors.budget import Budget
from cleveractors.catalogue import list_prices
from cleveractors.config import ActorConfig, AgentConfig, ModelAgentConfig, ProviderFacts, Surroundings, load_actor
from cleveractors.config.tools import tool_names
from cleveractors.credentials import Credentials, CredentialSource
from cleveractors.events.observers import Observer
from cleveractors.exceptions import ConfigurationError, sentence
from cleveractors.executor.checking import check_house
from cleveractors.executor.executor import Executor
from cleveractors.executor.importing import import_for
from cleveractors.executor.pricing import refuse_unpriced
from cleveractors.limits import Limits
from cleveractors.models.registry import Models, as_spec
from cleveractors.models.spec import ModelSpec
from cleveractors.money import PriceBook, PriceSource
from cleveractors.options import Streaming
from cleveractors.policy import ActorPolicy
from cleveractors.services import Services
from cleveractors.sessions.store import SessionStore
from cleveractors.sinks import Required, ResultSink, Sink, UsageSink
from cleveractors.tools.threads import ToolThreads
from cleveractors.tools.toolset import Toolset, as_toolset

if TYPE_CHECKING:
    from cleveractors.hooks.registry import Hooks

__all__ = ["create_executor"]


def create_executor(
    actor: str | os.PathLike[str] | Mapping[str, Any] | ActorConfig,
    *,
    tools: Sequence[Any] = (),
    agent_types: Mapping[str, type[Agent[Any]]] | None = None,
    credentials: CredentialSource | None = None,
    models: Mapping[str, Any] | None = None,
    policy: ActorPolicy | None = None,
    limits: Limits | None = None,
    budgets: Sequence[Budget] = (),
    hooks: Hooks | None = None,
    prices: PriceSource | None = None,
    on_unpriced: Literal["refuse", "allow"] = "refuse",
    on_usage: Sink | Required | None = None,
    on_result: Sink | None = None,
    observers: Sequence[Observer] = (),
    streaming: Streaming | None = None,
    sessions: SessionStore | None = None,
    require_tenant: bool = False,
    max_concurrent_runs: int | None = None,
    sink_timeout: float = 10,
    stall_timeout: float = 30,
    max_threads: int = 40,
    platform: str = "library",
    transport: Literal["lean", "stock"] = "lean",
    overrides: Sequence[tuple[str, str]] = (),
) -> Executor:
    """Read an actor and make ready to run it. Opens no socket, loop or thread.

    Args:
        actor: a path of a YAML or JSON file, a mapping, or an `ActorConfig`.
        tools: what agents may name in `tools:`: functions, LangChain tools, `Tool`s.
        agent_types: custom agents by the `type:` that files give them.
        credentials: provider → key or `Credential`; or a function of provider and context; or `"env"`.
        models: provider name → a LangChain chat model, a function that makes one, or `ModelSpec`.
        policy: what a file may ask for.
        limits: what one run may do.
        budgets: purses that all runs share.
        hooks: the host's own code and commands at moments of every run.
        prices: model → `Price`, or a function of provider and model; default: list prices, with genai-prices.
        on_unpriced: what becomes of a model without a known price under a cost ceiling.
        on_usage: called with each row, sync or async; `Required(fn)` refuses calls it could not note.
        on_result: called once with each run's `ActorResult`, before anybody sees the run's end.
        observers: functions of event and origin, sync or async, told of everything in every run.
        streaming: replaces what files say of `streaming`.
        sessions: where the messages of runs with a `session_id` are kept.
        require_tenant: refuse runs without a tenant.
        max_concurrent_runs: more raise `ExecutorBusyError`.
        sink_timeout: seconds that one call of a sink may take.
        stall_timeout: seconds after which a reader of events that takes nothing is taken for gone.
        max_threads: sync tools, hooks and sinks that run at a time.
        platform: what hooks are told they run in.
        transport: `lean`, or `stock` for LangChain's own way to OpenAI.
        overrides: paths and values put over the file, such as `("agents.assistant.model", "gpt-4o")`.

    Raises:
        ConfigurationError: with everything that is wrong, each with its place. Nothing has been called.
    """
    check_house(
        policy=policy,
        limits=limits,
        budgets=budgets,
        on_unpriced=on_unpriced,
        on_usage=on_usage,
        on_result=on_result,
        streaming=streaming,
        hooks=hooks,
        platform=platform,
        sessions=sessions,
        require_tenant=require_tenant,
        max_concurrent_runs=max_concurrent_runs,
        sink_timeout=sink_timeout,
        stall_timeout=stall_timeout,
        max_threads=max_threads,
        transport=transport,
    )
    toolset = as_toolset(tools)
    types = _types(agent_types or {})
    keys = Credentials(credentials)
    specs = {name: as_spec(model) for name, model in (models or {}).items()}
    book = PriceBook(prices, list_prices() if prices is None else None)
    config = load_actor(actor, _surroundings(toolset, types, keys, specs, policy), overrides=overrides)
    import_for(config, specs)
    threads = ToolThreads(max_threads)
    # The bill must not wait for tools that hold their threads.
    sink_threads = ToolThreads(max_threads)
    services = Services(
        models=Models(keys, specs, book, transport),
        limits=limits or Limits(),
        budgets=tuple(budgets),
        usage_sink=None if on_usage is None else UsageSink(on_usage, sink_timeout, sink_threads),
        result_sink=None if on_result is None else ResultSink(on_result, sink_timeout, sink_threads),
        observers=tuple(observers),
        streaming=streaming,
        hooks=hooks,
        platform=platform,
        sessions=sessions,
        allow_unpriced=on_unpriced == "allow",
        sink_timeout=sink_timeout,
        stall_timeout=stall_timeout,
        threads=threads,
    )
    services.models.look_up_prices(one for one in config.agents.values() if isinstance(one, ModelAgentConfig))
    agents = {name: types[agent.type](agent, name=name) for name, agent in config.agents.items()}
    _equip(agents, toolset)
    refuse_unpriced(agents, services)
    return Executor(config, agents, services, require_tenant=require_tenant, max_concurrent_runs=max_concurrent_runs)


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
