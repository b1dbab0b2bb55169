"""From data to an `ActorConfig`, or to as much of one as can still be checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails, to_json

from .mistakes import report
from .models import ActorConfig, AgentConfig, known_types
from .problems import Problems

__all__ = ["draft"]

_STAND_IN = "unknown"


def draft(data: dict[str, object], problems: Problems, custom: Mapping[str, type[AgentConfig]]) -> ActorConfig:
    """Validate a document in its full form.

    With mistakes, which are added to the problems, a draft is returned all the same: the parts that are right, so
    that names and policies of the rest are checked in the same go.
    """
    try:
        return ActorConfig.model_validate(data, context={"agent_types": custom})
    except ValidationError as error:
        report(error, data, problems, custom)
        return _salvaged(data, error.errors(include_url=False, include_input=False), known_types(custom))


def _salvaged(
    data: dict[str, object], errors: Sequence[ErrorDetails], types: Mapping[str, type[AgentConfig]]
) -> ActorConfig:
    wrong: dict[object, set[object]] = {}
    for error in errors:
        root, name, key, *_ = *error["loc"], None, None
        if root == "agents":
            wrong.setdefault(name, set()).add(key)
    # When the agents as a whole are wrong (none, too many), none of them is looked at.
    agents = None if None in wrong else data.get("agents")
    named = cast("dict[str, object]", agents) if isinstance(agents, dict) else {}
    kept = {name: _agent(value, wrong.get(name, set()), types) for name, value in named.items()}
    entry = data.get("entry")
    return ActorConfig.model_construct(name="actor", entry=entry if isinstance(entry, str) else "", agents=kept)


def _agent(value: object, wrong: set[object], types: Mapping[str, type[AgentConfig]]) -> AgentConfig:
    fields = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    right = {key: field for key, field in fields.items() if key not in wrong}
    named = right.get("type", "llm")
    config = types.get(named) if isinstance(named, str) else None
    if config is not None:
        stand_ins = {"model": _STAND_IN} if "model" in wrong else {}
        # What is missing or wrong elsewhere in the agent was reported; then only its name can be checked.
        with suppress(ValidationError):
            return config.model_validate_json(to_json({"type": named, **right, **stand_ins}, inf_nan_mode="constants"))
    return AgentConfig(type=_STAND_IN, description=_STAND_IN)
