"""What has to be known of an actor's file before it is loaded; whatever is wrong with it, loading says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from cleveractors.config.document import open_problems, read_document
from cleveractors.config.models import expanded
from cleveractors.config.overrides import override

__all__ = ["Document", "read_actor"]

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Document:
    """An actor as it is written, not checked yet."""

    entry: str | None
    """The entry agent's name, where there is such an agent."""
    agents: Mapping[str, Mapping[str, object]]

    @property
    def provider(self) -> object:
        """The entry agent's provider."""
        return self.agents[self.entry].get("provider", "openai") if self.entry else None

    @property
    def model(self) -> object:
        """The entry agent's model."""
        return self.agents[self.entry].get("model") if self.entry else None

    @property
    def tools(self) -> frozenset[str]:
        """The names in `tools` that are no agents."""
        lists = [agent.get("tools") for agent in self.agents.values()]
        names = [name for names in lists if isinstance(names, list) for name in cast("list[object]", names)]
        return frozenset(name for name in names if isinstance(name, str)) - self.agents.keys()

    def choosing(self, provider: str | None, model: str | None) -> Pairs:
        """The overrides that give the entry agent another provider and model; `scripted` plays the others too."""
        if self.entry is None:
            return ()
        path = f"agents.{self.entry}"
        # In quotes they are texts, whatever they look like.
        chosen = [(f"{path}.{key}", f'"{value}"') for key, value in (("provider", provider), ("model", model)) if value]
        if provider not in (None, "scripted") and "script" in self.agents[self.entry]:
            # A script is for the scripted provider alone: whoever chooses another one wants no script.
            chosen.append((f"{path}.script", "null"))
        if provider == "scripted":
            others = [name for name, agent in self.agents.items() if name != self.entry and "model" in agent]
            chosen += [(f"agents.{name}.provider", '"scripted"') for name in others]
        return chosen


def read_actor(file: str, settings: Pairs = ()) -> Document:
    """Read a file.

    Raises:
        ConfigurationError: it can't be read or parsed.
    """
    problems = open_problems(file)
    data = expanded(override(read_document(file, problems), settings, problems))
    written = data.get("agents")
    found = cast("dict[str, object]", written) if isinstance(written, dict) else {}
    agents = {name: cast("dict[str, object]", agent) for name, agent in found.items() if isinstance(agent, dict)}
    entry = data.get("entry")
    return Document(entry if isinstance(entry, str) and entry in agents else None, agents)
