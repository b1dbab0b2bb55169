"""The names in `tools`: the host's tools, and agents that serve as tools."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from .inputs import check_input_schema
from .models import ActorConfig, AgentConfig, LLMAgentConfig
from .problems import Problems
from .shown import listing, quoted
from .source import Path
from .surroundings import Surroundings

__all__ = ["FORK", "NO_TOOLS_HINT", "check_tools", "tool_names"]

NO_TOOLS_HINT = "give create_executor(tools=[…])"

FORK = "fork"
"""The tool that `forks` gives an agent."""


def tool_names(agent: AgentConfig) -> tuple[str, ...] | None:
    """What an agent names in `tools`; None where its type has no such list, as one of the host's own may have none."""
    named: object = getattr(agent, "tools", None)
    if not isinstance(named, list | tuple):
        return None
    names = tuple(cast("Iterable[object]", named))
    return cast("tuple[str, ...]", names) if all(isinstance(one, str) for one in names) else None


def check_tools(actor: ActorConfig, surroundings: Surroundings, problems: Problems) -> None:
    """Add a problem for each name in `tools` that is unknown, doubled, or an agent that can't be a tool."""
    for name, agent in actor.agents.items():
        if agent.input_schema is not None:
            check_input_schema(("agents", name, "input_schema"), agent.input_schema, problems)
        forks = isinstance(agent, LLMAgentConfig) and agent.forks is not None
        seen: set[str] = set()
        for at, tool in enumerate(tool_names(agent) or ()):
            path: Path = ("agents", name, "tools", at)
            # To word each of thousands of wrong names would cost a hostile file nothing and its host seconds.
            if problems.full:
                return
            if tool == FORK and forks:
                message = f"the tool `{FORK}` is what `forks` gives the agent; no other can have that name beside it"
                problems.add(path, message)
            elif tool in seen:
                problems.add(path, f"the tool {quoted(tool, '`')} is listed twice")
            elif tool not in surroundings.tools:
                _check_agent_as_tool(path, tool, actor, surroundings, problems)
            seen.add(tool)
    if surroundings.subagents:
        _check_cycles(_callees(actor, surroundings), problems)


def _check_agent_as_tool(
    path: Path, tool: str, actor: ActorConfig, surroundings: Surroundings, problems: Problems
) -> None:
    if tool not in actor.agents:
        agents = set(actor.agents) - {path[1]} if surroundings.subagents else set[str]()
        known = sorted(surroundings.tools | agents)
        message = f"unknown tool {quoted(tool, '`')}; allowed: {listing(known, none='none, the host gave no tools')}"
        problems.add(path, message, hint=(tool, known) if known else NO_TOOLS_HINT)
    elif not surroundings.subagents:
        problems.add(path, f"{quoted(tool, '`')} is an agent; agents as tools are not available")
    elif not actor.agents[tool].description.strip():
        message = f"the agent `{tool}` needs a `description` to be a tool: it is what the caller's model is told"
        problems.add(("agents", tool, "description"), message, at="key")


def _callees(actor: ActorConfig, surroundings: Surroundings) -> dict[str, dict[str, Path]]:
    """Return, for each agent, the agents it calls and where it names them."""
    return {
        name: {
            tool: ("agents", name, "tools", at)
            for at, tool in enumerate(tool_names(agent) or ())
            if tool in actor.agents and tool not in surroundings.tools
        }
        for name, agent in actor.agents.items()
    }


def _check_cycles(callees: Mapping[str, Mapping[str, Path]], problems: Problems) -> None:
    """Report each cycle once, where its last step is written."""
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in done:
            return
        for callee, path in callees.get(name, {}).items():
            chain = (*above, name)
            if callee in chain:
                problems.add(path, f"agents call each other in a circle: {_arrows(chain, callee)}")
            else:
                visit(callee, chain)
        done.add(name)

    for name in callees:
        visit(name, ())


def _arrows(chain: tuple[str, ...], callee: str) -> str:
    circle: Iterable[str] = (*chain[chain.index(callee) :], callee)
    return " → ".join(circle)
