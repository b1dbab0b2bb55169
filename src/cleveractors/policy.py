"""What an actor's file may ask for: the host's bounds on files that strangers write."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fnmatch import fnmatchcase

from .exceptions import ConfigurationError

__all__ = ["ActorPolicy"]


@dataclass(frozen=True)
class ActorPolicy:
    """The bounds of a file. A file that asks for more is refused, with its line and the policy's figure.

    Args:
        models: the models a file may name, as `fnmatch` patterns; None allows all. A pattern with a `/` is matched
            with `provider/model`, one without it with the model's name on any provider. `scripted` is free.
        max_rounds: the most `tool_max_rounds` may say. It also bounds the default of files that say nothing.
        max_agents: the most agents of one actor.
        max_parallel_tools: the most `max_parallel_tools` may say. It also bounds the default.
        scripted: whether a file may use the embedded `scripted` provider.

    Raises:
        ConfigurationError: `models` is a string, or a figure is below 1.
    """

    models: Collection[str] | None = None
    max_rounds: int = 50
    max_agents: int = 20
    max_parallel_tools: int = 32
    scripted: bool = False

    def __post_init__(self) -> None:
        # A lone string would pass as a collection of letters, and allow nothing.
        if isinstance(self.models, str):
            raise ConfigurationError(f"ActorPolicy(models={self.models!r}) is a string; give a list of patterns")
        for name in ("max_rounds", "max_agents", "max_parallel_tools"):
            if getattr(self, name) < 1:
                raise ConfigurationError(f"ActorPolicy({name}={getattr(self, name)}) is below 1")

    def allows(self, provider: str, model: str) -> bool:
        """Tell whether a file may use this model of this provider."""
        if self.models is None or provider == "scripted":
            return True
        # A model's name may hold a slash itself: it must not pass for another provider's.
        names = {True: f"{provider}/{model}", False: model}
        return any(fnmatchcase(names["/" in pattern], pattern) for pattern in self.models)
