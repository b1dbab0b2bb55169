"""What models cost, as far as it is known when an executor is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cleveractors.agents.base import Agent
from cleveractors.config import ModelAgentConfig
from cleveractors.credentials import OPENAI_URL
from cleveractors.exceptions import ConfigurationError, Problem
from cleveractors.extras import install
from cleveractors.models.registry import Models
from cleveractors.models.target import Target, target_of
from cleveractors.services import Services

__all__ = ["UNPRICED_HINT", "refuse_unpriced"]

UNPRICED_HINT = (
    "give create_executor(prices={…}), or on_unpriced='allow' to let it run uncounted; the extra `prices` brings list "
    f"prices: {install('prices')}"
)


def refuse_unpriced(agents: Mapping[str, Agent[Any]], services: Services) -> None:
    """Refuse models without a price where the house has a cost ceiling, before a run finds out.

    Raises:
        ConfigurationError: with every agent whose model no cost ceiling could hold.
    """
    ceilings = [services.limits.max_cost, *(budget.max_cost for budget in services.budgets)]
    if services.allow_unpriced or all(ceiling is None for ceiling in ceilings):
        return
    targets = {name: target_of(agent.config) for name, agent in agents.items() if _calls_file_model(agent)}
    problems = [_problem(name, target) for name, target in targets.items() if _is_unpriced(services.models, target)]
    if problems:
        raise ConfigurationError(*problems)


def _calls_file_model(agent: Agent[Any]) -> bool:
    return isinstance(agent.config, ModelAgentConfig)


def _is_unpriced(models: Models, target: Target) -> bool:
    """Whether it is certain that no price is known; keys and prices that are asked for may tell later."""
    if not models.prices.is_fixed or (target.provider not in models.specs and models.credentials.asks):
        return False
    known = models.credentials.known.get(target.provider)
    url = target.base_url or (known.base_url if known is not None else None)
    return models.prices.quote(target.provider, target.model, None if url == OPENAI_URL else url) is None


def _problem(name: str, target: Target) -> Problem:
    return Problem(
        f"model {target.provider}/{target.model} has no known price, so that a cost ceiling can't hold it",
        path=f"agents.{name}.model",
        hint=UNPRICED_HINT,
    )
