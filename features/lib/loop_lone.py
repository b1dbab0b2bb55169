"""The story of one scenario about an agent that stands alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from traceback import extract_tb
from typing import Any

from cleveractors import FatalToolError, LLMAgent, ScriptedChatModel, TokenUsage, last_token_usage_var
from features.lib.loop_direct import AGENTS, SEAMS, LoneAgent, Toolless
from features.lib.loop_scale import LongRun
from features.lib.loop_script import Said
from features.lib.loop_tools import Bench
from features.lib.pairing import check_pairing

__all__ = ["AGENTS", "SEAMS", "Lone", "cause_of", "check_list", "lone_of"]


@dataclass
class Lone:
    """What one scenario knows."""

    tools: list[str] = field(default_factory=lambda: ["echo", "big"])
    settings: dict[str, Any] = field(default_factory=dict[str, Any])
    script: list[Said] = field(default_factory=list[Said])
    kind: type[LLMAgent] = LLMAgent
    toolless: bool = False
    long_run: LongRun = field(default_factory=lambda: LongRun(0))

    @cached_property
    def made(self) -> LoneAgent:
        """The agent; it is made when it is first asked for."""
        turns = [one.scripted() for one in self.script]
        model = Toolless(turns) if self.toolless else ScriptedChatModel(turns)
        return LoneAgent(Bench(), self.tools, self.settings, model, self.kind)


def lone_of(context: object) -> Lone:
    """Find the scenario's, or begin one."""
    if not hasattr(context, "lone"):
        setattr(context, "lone", Lone())  # noqa: B010 - behave's context has no types
    return getattr(context, "lone")  # noqa: B009 - likewise


def check_list(agent: LoneAgent) -> None:
    """The list that the loop was given is a valid history."""
    check_pairing(agent.messages)


async def cause_of(agent: LoneAgent, way: str, question: str) -> TokenUsage | None:
    """Ask, see that the tool's own error comes from where it was raised, and give what was told of tokens."""
    try:
        await (agent.stream(question) if way == "streaming" else agent.answer(question))
    except FatalToolError as error:
        assert "fatal" in [frame.name for frame in extract_tb(error.__traceback__)], error
        assert error.__cause__ is None and error.__suppress_context__, error.__context__
        return last_token_usage_var.get()
    raise AssertionError("nothing was raised")
