"""One agent's voice: says what happens, with where it happened."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from cleveractors.events.publisher import Place, Publisher
from cleveractors.events.types import (
    CustomEvent,
    ReActEvent,
    ReactIterationEndEvent,
    ReactIterationStartEvent,
    ToolCallEndEvent,
    ToolCallErrorEvent,
    ToolCallsBatchEndEvent,
    ToolCallsBatchStartEvent,
    ToolCallStartEvent,
)
from cleveractors.history import INTERRUPTED
from cleveractors.identifiers import new_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.messages import ToolMessage

    from cleveractors.abort import AbortSignal
    from cleveractors.models.asked import AskedCall
    from cleveractors.reservation import Purse
    from cleveractors.tasks import Background
    from cleveractors.usage import Ledger

__all__ = ["NO_TOOL", "ForkPlace", "Tool", "Voice"]

Tool = tuple[str | None, str | None]
NO_TOOL: Tool = (None, None)


class Clock(Protocol):
    """The run's clock, which stands still while somebody holds it."""

    def hold(self, now: float) -> None: ...
    def resume(self, now: float) -> None: ...


class Caller(Protocol):
    """A tool call that waits for an agent."""

    @property
    def tool(self) -> tuple[str, str]: ...
    def pause(self) -> None: ...
    def go_on(self) -> None: ...


class Served(Protocol):
    """What runs share."""

    @property
    def background(self) -> Background: ...


class Labelled(Protocol):
    """What the host calls a run."""

    @property
    def session_id(self) -> str | None: ...


class Speaking(Protocol):
    """The run that is spoken of."""

    purses: list[Purse]

    signal: AbortSignal

    @property
    def run_id(self) -> str: ...
    @property
    def labels(self) -> Labelled: ...
    @property
    def ledger(self) -> Ledger: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def services(self) -> Served: ...


class Voice:
    """Says the events of one agent call; there is none where nobody listens.

    Args:
        publisher: of the root run.
        run: whose agent it is.
        parent: the voice of the agent that called this one.
        caller: the tool call by which it did.
    """

    __slots__ = ("_place", "agent_call_id", "callers", "held", "iteration", "publisher", "run", "talk")

    def __init__(
        self,
        publisher: Publisher,
        run: Speaking,
        parent: Voice | None = None,
        caller: Caller | None = None,
        fork: ForkPlace | None = None,
    ) -> None:
        self.publisher = publisher
        self.run = run
        self.agent_call_id = new_id()
        self.iteration = 0
        self.held = 0.0
        """Seconds for which it waited for the reader; they count on no clock."""
        self.talk: object = None
        """The agent's conversation, once it has one."""
        self.callers: tuple[Caller, ...] = parent.callers if parent else ()
        """The tool calls that wait for the agent, and so for its reader too."""
        if caller is not None:
            self.callers = (*self.callers, caller)
        place = fork or ForkPlace()
        self._place = Place(
            (run.labels.session_id or (parent.session_id if parent else run.run_id), self.agent_call_id),
            (
                parent.agent_call_id if parent else None,
                place.fork_id,
                place.depth,
                place.sequence,
                place.instance_id,
                place.source_memory_key,
                place.memory_key,
            ),
            (run.run_id, caller.tool[1] if caller else None),
        )

    @property
    def session_id(self) -> str:
        """The host's label, else the root run's id: a plain run is a session of one."""
        return self._place.call[0]

    def say(self, event: ReActEvent, tool: Tool = NO_TOOL) -> bool:
        """Say it now, waiting for nobody; whether the reader has room for more."""
        return self.publisher.deliver(event, self._place, tool)

    async def tell(self, event: ReActEvent, tool: Tool = NO_TOOL) -> None:
        """Say it, and wait where the reader is behind; the run's clock stands still meanwhile."""
        if not self.publisher.deliver(event, self._place, tool):
            await self.wait_for_room()

    async def wait_for_room(self) -> None:
        """Wait for a reader that is behind; the run's clock stands still meanwhile."""
        loop, clock = asyncio.get_running_loop(), self.run.clock
        began = loop.time()
        clock.hold(began)
        for caller in self.callers:
            caller.pause()
        try:
            await self.publisher.wait_for_room(self.run.signal)
        finally:
            now = loop.time()
            clock.resume(now)
            for caller in self.callers:
                caller.go_on()
            self.held += now - began

    async def custom(self, name: str, **data: Any) -> None:
        """An event of the library's own."""
        await self.tell(CustomEvent(name, data))

    async def begin_iteration(self) -> None:
        """Another turn, or the wrap-up, begins."""
        self.iteration += 1
        await self.tell(ReactIterationStartEvent(self.iteration))

    async def end_iteration(self) -> None:
        """It has ended."""
        await self.tell(ReactIterationEndEvent(self.iteration))

    async def begin_batch(self, calls: Sequence[AskedCall]) -> None:
        """The calls of one response begin to run."""
        asked: list[dict[str, Any]] = [
            {"name": call.name, "args": call.arguments or {}, "id": call.id, "type": "tool_call"} for call in calls
        ]
        await self.tell(ToolCallsBatchStartEvent(asked))

    def end_batch(self) -> None:
        """All of them have their answers, or are answered on the way out; nobody is waited for."""
        self.say(ToolCallsBatchEndEvent())

    def begin_call(self, name: str, call_id: str, arguments: dict[str, Any]) -> bool:
        """A tool call begins; whether the reader has room for more."""
        return self.say(ToolCallStartEvent(name, call_id, arguments), (name, call_id))

    def end_call(
        self, call: tuple[str, str], arguments: dict[str, Any], answer: ToolMessage | None, seconds: float = 0.0
    ) -> bool:
        """A tool call, by name and id, has ended; whether the reader has room for more.

        Where it went wrong, it is first said why. No answer: it was cancelled.
        """
        result: Any = INTERRUPTED if answer is None else answer.content
        failed = answer is None or answer.status == "error"
        if failed:
            self.say(ToolCallErrorEvent(*call, INTERRUPTED if answer is None else answer.text), call)
        return self.say(ToolCallEndEvent(*call, arguments, result, seconds, not failed), call)

    async def not_run(self, answers: Sequence[ToolMessage]) -> None:
        """Calls that are answered without having been run."""
        room = True
        for answer in answers:
            call = answer.name or "", answer.tool_call_id
            self.begin_call(*call, {})
            room = self.end_call(call, {}, answer)
        if not room:
            await self.wait_for_room()


@dataclass(frozen=True, slots=True)
class ForkPlace:
    """Where a fork stands among its kin; of a run that is no fork, all is empty."""

    fork_id: str | None = None
    depth: int = 0
    sequence: int | None = None
    source_memory_key: str | None = None
    """Whose conversation it was copied from."""

    @property
    def instance_id(self) -> str | None:
        """The copy of the agent."""
        return f"fork-{self.fork_id}" if self.fork_id else None

    @property
    def memory_key(self) -> str | None:
        """Its own conversation."""
        return f"fork/{self.fork_id}" if self.fork_id else None
