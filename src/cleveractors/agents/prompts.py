"""An agent's system prompt, with the values that a run gives its variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, cast

from cleveractors.config import LLMAgentConfig
from cleveractors.config.template import substitute

if TYPE_CHECKING:
    from cleveractors.context import RunContext

__all__ = ["check_prompts", "prompt_of"]


class Prompted(Protocol):
    """An agent among those of its actor."""

    @property
    def config(self) -> Any: ...
    @property
    def colleagues(self) -> Mapping[str, Any]: ...


def prompt_of(agent: Prompted, context: RunContext[Any]) -> str:
    """The prompt of an `llm` agent in a run; a value that is for others of the actor is none of its business.

    Raises:
        ConfigurationError: a variable is given that no agent declares, or a value that is none.
    """
    given = context.run.options.get("variables") or {}
    declared = agent.config.variables
    elsewhere = {name for other in agent.colleagues.values() for name in _declared(other)}
    own = {name: value for name, value in given.items() if name in declared or name not in elsewhere}
    return substitute(agent.config.system_prompt, declared, own)


def check_prompts(agent: Prompted, context: RunContext[Any]) -> None:
    """Refuse variables that can't be right, for whichever agent they are, before anything is spent.

    Raises:
        ConfigurationError: as `prompt_of`.
    """
    prompt_of(agent, context)
    for other in agent.colleagues.values() if context.run.options.get("variables") else ():
        if other is not agent and isinstance(other.config, LLMAgentConfig):
            prompt_of(other, context)


def _declared(agent: Any) -> Mapping[str, object]:
    declared: object = getattr(agent.config, "variables", None)
    return cast("Mapping[str, object]", declared) if isinstance(declared, Mapping) else {}
