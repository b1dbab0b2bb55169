"""What is to be done about an error, for somebody who types commands in place of Python."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec

from cleveractors.config.tools import NO_TOOLS_HINT
from cleveractors.exceptions import ConfigurationError, Problem
from cleveractors.executor.pricing import UNPRICED_HINT
from cleveractors.extras import install

__all__ = ["as_typed", "refuse_demo_model"]

DEMO_MODEL = "demo"
"""What the files of examples and of `cleveractors init` call it."""


def as_typed(error: ConfigurationError) -> ConfigurationError:
    """The same problems, with hints that name options in place of arguments."""
    return ConfigurationError(*map(_as_typed, error.problems))


def _as_typed(problem: Problem) -> Problem:
    if problem.hint == UNPRICED_HINT:
        known = "" if find_spec("genai_prices") else f"; many have list prices: {install('prices')}"
        return replace(problem, hint=f"bound tokens in place of money: --max-tokens N{known}")
    if problem.hint == NO_TOOLS_HINT:
        return replace(problem, hint="name the file that has them: --tools PY")
    return problem


def refuse_demo_model(asked: object, model: object) -> None:
    """Refuse to ask a real provider for the model that files name for the scripted one.

    Args:
        asked: the provider that is asked.
        model: the model that it is asked for.

    Raises:
        ConfigurationError: with the option that is missing.
    """
    if asked == "openai" and model == DEMO_MODEL:
        text = f"the model `{DEMO_MODEL}` is of the provider `scripted`; `openai` has none of that name"
        raise ConfigurationError(Problem(text, hint="name one, such as: --model gpt-4o-mini"))
