"""What every hook is told, whatever the event."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self

if TYPE_CHECKING:
    from cleveractors.context import RunContext

__all__ = ["Payload"]

_TOP = frozenset({"context", "session_id", "cwd", "tool_name", "tool_input"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """What every event tells. The keys of the JSON that a command reads are attributes, those of `extra` too."""

    hook_event_name: ClassVar[str] = ""
    """The event."""
    also: ClassVar[tuple[str, ...]] = ("run_id", "parent_run_id", "agent", "tenant", "metadata")
    """Attributes that stand in `extra` though they are no fields."""

    context: RunContext[Any] = field(repr=False, compare=False)
    """The run, with the host's `deps`."""
    session_id: str
    """The host's label of the conversation; without one the id of the root run: a session of one."""
    cwd: str
    """`Hooks(cwd=…)`."""
    platform: str
    """Where the run came from."""
    tool_name: str | None = None
    """The tool, off tools None."""
    tool_input: Any = None
    """The tool call's arguments, off tools None."""

    @property
    def run_id(self) -> str:
        """The run's id."""
        return self.context.run_id

    @property
    def parent_run_id(self) -> str | None:
        """The run that called this one as a child."""
        return self.context.parent_run_id

    @property
    def agent(self) -> str:
        """The agent's name."""
        return self.context.agent

    @property
    def tenant(self) -> str | None:
        """Who pays."""
        return self.context.tenant

    @property
    def metadata(self) -> Mapping[str, str]:
        """The host's labels."""
        return self.context.metadata

    @property
    def extra(self) -> Mapping[str, Any]:
        """Everything that is no key of the top level."""
        own = (one.name for one in fields(self) if one.name not in _TOP)
        return MappingProxyType({name: getattr(self, name) for name in (*self.also, *own)})

    def document(self) -> dict[str, Any]:
        """The one JSON object of it, before anything is encoded."""
        return {
            "hook_event_name": self.hook_event_name,
            "tool_name": self.tool_name,
            "tool_input": self.tool_input,
            "session_id": self.session_id,
            "cwd": self.cwd,
            "extra": dict(self.extra),
        }

    def fresh(self) -> Self:
        """The same for one hook: what it does to the arguments, no other hook sees."""
        return self if self.tool_input is None else replace(self, tool_input=deepcopy(self.tool_input))
