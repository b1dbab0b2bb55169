"""What an actor's runs will need, imported when its executor is made: inside a run it would hold up the loop."""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module

from cleveractors.config import ActorConfig, ModelAgentConfig

__all__ = ["import_for"]

_ALWAYS = (
    "anyio._backends._asyncio",
    "anyio.to_thread",
    "langchain_core.env",
    "langchain_core.language_models",
    "langchain_core.messages.block_translators.langchain_v0",
    "langchain_core.tracers.context",
    "langchain_core.tracers.langchain",
    "langchain_core.tracers.run_collector",
    "langchain_core.tracers.stdout",
)
_OPENAI = (
    "cleveractors.models.openai",
    "openai.resources.chat.chat",
    "httpcore2._backends.anyio",
    "httpcore2._async",
    "h11",
    "encodings.idna",
)


def import_for(actor: ActorConfig, foreign: Collection[str]) -> None:
    """Import the providers that an actor names.

    Args:
        actor: whose agents they are.
        foreign: providers whose models the host brings along.
    """
    agents = [agent for agent in actor.agents.values() if isinstance(agent, ModelAgentConfig)]
    providers = {one.provider for agent in agents for one in (agent, *agent.fallbacks)} - set(foreign)
    wanted = [*_ALWAYS]
    if "scripted" in providers:
        wanted.append("cleveractors.models.scripted")
    if providers - {"scripted"}:
        wanted += _OPENAI
        if any(agent.api == "responses" for agent in agents):
            wanted.append("openai.resources.responses")
    for name in wanted:
        import_module(name)
