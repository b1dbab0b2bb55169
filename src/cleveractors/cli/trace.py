"""A run as a tree: rounds, model calls, tools side by side, with times, tokens and cost."""

from __future__ import annotations

import json
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text
from rich.tree import Tree

from cleveractors.config.shown import masked, printable
from cleveractors.events.envelope import EventOrigin, ReactOutput, is_event_yield
from cleveractors.events.types import (
    CustomEvent,
    LLMCallEndEvent,
    LLMCallErrorEvent,
    LLMCallStartEvent,
    LLMChunkArriveEvent,
    ReactEndEvent,
    ReActEvent,
    ReactIterationEndEvent,
    ReactIterationStartEvent,
    ReactStartEvent,
    ToolCallEndEvent,
    ToolCallErrorEvent,
    ToolCallStartEvent,
)

__all__ = ["Trace"]

WIDEST = 70
"""Characters that are shown of arguments, errors and text."""
WIDTH = 160
"""Of a line where there is no terminal that has one."""
MOST = 20
"""Things that are shown of one: the last."""
PER_SECOND = 8

_STYLES = {"runs": "yellow", "ok": "", "failed": "red"}


@dataclass(slots=True)
class Node:
    """One thing of the run, and what lies in it."""

    title: str
    began: float = field(default_factory=time.monotonic)
    seconds: float | None = None
    """None while it runs."""
    state: str = "runs"
    notes: list[str] = field(default_factory=list[str])
    within: list[Node] = field(default_factory=list["Node"])

    def end(self, state: str = "ok", seconds: float | None = None) -> None:
        """It has ended."""
        self.seconds = time.monotonic() - self.began if seconds is None else seconds
        self.state = state

    def line(self) -> Text:
        """It in one line; a moment takes no time."""
        if self.seconds == 0:
            return Text(self.title, style="dim")
        seconds = time.monotonic() - self.began if self.seconds is None else self.seconds
        text = Text(self.title, style=_STYLES[self.state], no_wrap=True, overflow="ellipsis")
        return text.append(" · ".join(["", f"{seconds:.2f} s", *self.notes]), style="dim")


@dataclass(slots=True)
class Agent:
    """One agent call, and what of it runs."""

    node: Node
    round: Node
    call: Node | None = None


class Trace:
    """Follows a run's events, and draws it.

    Args:
        name: the actor's.
    """

    def __init__(self, name: str) -> None:
        self._root = Node(printable(name))
        self._agents: dict[str, Agent] = {}
        self._calls: dict[str, Node] = {}
        """Model calls by row."""
        self._tools: dict[tuple[str, str], Node] = {}
        """Tool calls by agent call and id."""

    @contextmanager
    def shown_on(self, stream: TextIO, *, live: bool) -> Generator[None]:
        """While it is open the tree is shown as it grows; where nothing can be redrawn, at the end."""
        if live:
            console = Console(file=stream, force_terminal=True, highlight=False)
            with self._redrawn(console):
                yield
            return
        try:
            yield
        finally:
            Console(file=stream, force_terminal=False, no_color=True, highlight=False, width=WIDTH).print(self.draw())

    def _redrawn(self, console: Console) -> Live:
        return Live(
            get_renderable=self.draw,
            console=console,
            refresh_per_second=PER_SECOND,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def draw(self) -> Tree:
        """The tree as it stands."""
        return _tree(self._root)

    def __call__(self, output: ReactOutput) -> None:
        """One more output of the run."""
        if not is_event_yield(output):
            return
        event, origin = output.event, output.origin
        if isinstance(event, ReactStartEvent):
            self._start(origin)
        elif (agent := self._agents.get(origin.agent_call_id)) is not None:
            self._take(event, origin, agent)

    def _start(self, origin: EventOrigin) -> None:
        node = self._root
        if origin.parent_agent_call_id is not None:
            key = origin.parent_agent_call_id, origin.parent_tool_call_id or ""
            node = self._tools.get(key, self._root)
        self._agents[origin.agent_call_id] = Agent(node, node)

    def _take(self, event: ReActEvent, origin: EventOrigin, agent: Agent) -> None:
        match event:
            case ReactIterationStartEvent(iteration=number):
                agent.round = _begin(agent.node, f"round {number}")
            case ReactIterationEndEvent():
                agent.round.end()
                agent.round = agent.node
            case ReactEndEvent():
                self._end(event, agent)
            case ToolCallStartEvent() | ToolCallErrorEvent() | ToolCallEndEvent():
                self._take_tool(event, origin, agent)
            case CustomEvent(event_name="usage", data=data):
                self._price(data["row"])
            case CustomEvent(event_name=name, tool_call_id=call_id):
                within = agent.round if call_id is None else self._tools.get((origin.agent_call_id, call_id))
                _begin(within or agent.round, _short(name)).end(seconds=0)
            case _:
                self._take_call(event, agent)

    def _end(self, event: ReactEndEvent, agent: Agent) -> None:
        if agent.node is self._root:
            tokens = f"{event.usage.get('total_tokens', 0):,} tokens"
            agent.node.notes += [tokens, *_money(event.cost), event.stop_reason]
            agent.node.end("failed" if event.stop_reason in ("error", "cancelled") else "ok")

    def _take_call(self, event: ReActEvent, agent: Agent) -> None:
        if isinstance(event, LLMCallStartEvent):
            title = "model" if event.purpose == "turn" else f"model ({event.purpose})"
            agent.call = _begin(agent.round, title if event.attempt == 1 else f"{title}, attempt {event.attempt}")
            self._calls[event.invocation_id] = agent.call
        if agent.call is None:
            return
        if isinstance(event, LLMChunkArriveEvent) and event.text:
            agent.call.notes = [_short(event.accumulated_content[-WIDEST:])]
        elif isinstance(event, LLMCallEndEvent):
            agent.call.notes = []
            agent.call.end(seconds=event.execution_time)
        elif isinstance(event, LLMCallErrorEvent):
            agent.call.notes = [_short(f"{type(event.error).__name__}: {event.error}")]
            agent.call.end("failed")

    def _price(self, row: dict[str, Any]) -> None:
        node = self._calls.get(row["id"])
        if node is not None:
            node.notes += [f"{row['prompt_tokens']:,} + {row['completion_tokens']:,} tokens", *_money(row["cost"])]

    def _take_tool(
        self, event: ToolCallStartEvent | ToolCallErrorEvent | ToolCallEndEvent, origin: EventOrigin, agent: Agent
    ) -> None:
        key = origin.agent_call_id, event.tool_call_id
        if isinstance(event, ToolCallStartEvent):
            arguments = json.dumps(event.arguments, ensure_ascii=False, default=str)
            self._tools[key] = _begin(agent.round, _short(f"{event.tool_name} {arguments}"))
        elif isinstance(event, ToolCallErrorEvent):
            self._tools[key].notes.append(_short(event.error))
        else:
            self._tools[key].end("ok" if event.success else "failed", event.execution_time)


def _begin(within: Node, title: str) -> Node:
    node = Node(title)
    within.within.append(node)
    return node


def _tree(node: Node) -> Tree:
    tree = Tree(node.line(), guide_style="dim")
    if len(node.within) > MOST:
        tree.add(Text(f"… {len(node.within) - MOST} earlier", style="dim"))
    tree.children += [_tree(one) for one in node.within[-MOST:]]
    return tree


def _short(text: str) -> str:
    line = masked(printable(" ".join(text.split())))
    return line if len(line) <= WIDEST else f"{line[: WIDEST - 1]}…"


def _money(amount: object) -> list[str]:
    return [] if amount is None else [f"${amount}"]
