"""One run: the one record of what it is, has spent and may still do."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from cleveractors.abort import AbortSignal
from cleveractors.budget import Budget
from cleveractors.counters import Clock, Counters
from cleveractors.exceptions import ConfigurationError
from cleveractors.history import read_history
from cleveractors.identifiers import new_id
from cleveractors.models.estimate import SaidRate, TokenRate
from cleveractors.reservation import Books, Purse
from cleveractors.stops import Stop, StopReason
from cleveractors.usage import Attempt, InvocationRecord, Ledger

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

    from cleveractors.contract import Contract
    from cleveractors.events.publisher import Publisher
    from cleveractors.events.voice import ForkPlace
    from cleveractors.options import RunOptions
    from cleveractors.result import ActorResult
    from cleveractors.services import Services
    from cleveractors.sessions.turn import SessionTurn

__all__ = ["Labels", "Run"]


@dataclass(frozen=True, slots=True)
class Labels:
    """What the host calls a run; it stands on the result and on every row."""

    session_id: str | None = None
    tenant: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])


_ending = threading.Lock()


class Talk(Protocol):
    """What a run's result reads off its agent's conversation."""

    messages: list[BaseMessage]
    rounds: int
    tool_calls: int
    stop_reason: StopReason | None
    stop_detail: str
    finish_reason: str | None
    budget_exhausted: bool
    budget_refusal: str | None
    synthesis_was_run: bool
    error: BaseException | None
    last_text: str


class Caller(Protocol):
    """A tool call that waits for a child."""

    @property
    def tool(self) -> tuple[str, str]: ...
    def pause(self) -> None: ...
    def go_on(self) -> None: ...


class Run:
    """What one `execute*` call shares with all that it causes.

    Args:
        services: the executor's, shared by its runs.
        options: the call's own.
        entry: the agent that answers.
        parent: the run that called this one as a child.
        books: where a child's spend is entered; default: the parent's.
    """

    # Thousands may wait at a time, and with so many attributes a dictionary of each would cost a kilobyte more.
    __slots__ = (  # noqa: SIM905 - as a list it would fill a page
        "_end _history_taken _unfollow answer caller children clock closed contract conversation counters delivered "
        "deps depth entry fork forks has_output history hooks labels late_rows ledger left limits live loop memo "
        "message options output over parent partial_text publisher purses rate repairs result run_id said "
        "services session signal started stop texts undelivered uses"
    ).split()

    def __init__(
        self, services: Services, options: RunOptions, entry: str, parent: Run | None = None, books: Books | None = None
    ) -> None:
        self.services = services
        self.options = options
        self.entry = entry
        self.run_id = options.get("run_id") or new_id()
        self.parent = parent
        self.labels = parent.labels if parent else _labels(options)
        self.deps: Any = parent.deps if parent else options.get("deps")
        books = books or parent
        self.ledger = Ledger(books.ledger if books else None)
        self.signal = AbortSignal()
        self.counters = parent.counters if parent else Counters()
        self.limits = parent.limits if parent else options.get("limits") or services.limits
        host_budgets = [*services.budgets, *options.get("budgets", ())]
        self.purses: list[Purse] = list(books.purses) if books else _purses(self, host_budgets)
        self.rate = parent.rate if parent else TokenRate()
        self.said = parent.said if parent else SaidRate()
        self.history, self.repairs = read_history(options.get("history"))
        self._history_taken = False
        self.uses: Counter[str] = parent.uses if parent else Counter()
        """Calls of each tool, in the whole tree."""
        self.late_rows: list[InvocationRecord] = parent.late_rows if parent else []
        self.undelivered: list[str] = parent.undelivered if parent else []
        self.depth: int = parent.depth + 1 if parent else 0
        """Runs above it."""
        self.publisher: Publisher | None = parent.publisher if parent else None
        """Where events go, where somebody listens."""
        self.live: dict[str, Callable[[], None]] = parent.live if parent else {}
        """Open attempt → what settles it at once."""
        self.clock = parent.clock if parent else Clock()
        self._make_ready()

    def _make_ready(self) -> None:
        """All that the run will find out, as it stands before anything has happened."""
        self.memo: dict[object, Any] = {}
        """What agents have worked out for this run."""
        self.message: BaseMessage | None = None
        """What the user said."""
        self.answer: str | None = None
        """What the entry agent answered."""
        self.output: Any = None
        """The answer as `output_type`, where `has_output`."""
        self.has_output = False
        self.session: SessionTurn | None = None
        """Its place in a stored session, where it has one."""
        self.contract: Contract | None = None
        """The type that the entry agent's answer must fit."""
        self.stop: Stop | None = None
        """Why the run ended, where not its agent's loop decided it."""
        self.delivered = False
        """Whether the bill has been taken up for delivery."""
        self.conversation: Talk | None = None
        """The entry agent's, where it has one."""
        self.partial_text = ""
        """What has come of the answer that streams now."""
        self.result: ActorResult[Any] | None = None
        self.left: ActorResult[Any] | None = None
        """What a caller saw that left while the run went on."""
        self.caller: Caller | None = None
        """The tool call that started a child, where somebody listens."""
        self.children: set[Run] = set()
        """Its child runs that run now."""
        self.closed = False
        """Whether it has ended: whatever is left of it may spend nothing more."""
        self.fork: ForkPlace | None = None
        """Where a fork stands among its kin."""
        self.forks = 0
        """Forks made by it."""
        self.hooks: object = None
        """The host's, where it has some; agents know what it is."""
        self.loop: asyncio.AbstractEventLoop | None = None
        self.texts: AsyncGenerator[Any, None] | None = None
        """The pieces of a stream that has begun."""
        self.over = False
        """Whether nothing is left to be done for the run."""
        self._end: Future[None] | None = None
        self.started = 0.0
        self._unfollow: list[Callable[[], None]] = []

    @property
    def parent_run_id(self) -> str | None:
        """The id of the run that called this one as a child."""
        return self.parent.run_id if self.parent else None

    def begin(self) -> None:
        """Start the clock on the running loop, and listen to the host's signal.

        Raises:
            ConfigurationError: no asyncio loop runs here.
        """
        try:
            loop = self.loop = asyncio.get_running_loop()
        except RuntimeError:
            text = "cleveractors runs on asyncio, and no asyncio loop runs here: use asyncio.run(…); trio has none"
            raise ConfigurationError(text) from None
        self.started = loop.time()
        given = self.options.get("abort_signal") or self.options.get("_abort_signal")
        outer = self.parent.signal if self.parent else given
        if outer is not None:
            self._unfollow.append(self.signal.follow(outer))
        if self.parent is None:
            clocks = [one for one in (self.limits.timeout, self.options.get("timeout")) if one is not None]
            self.clock.deadline = self.started + min(clocks) if clocks else None

    def end(self) -> None:
        """Stop listening, since a long-lived signal must not collect runs; a child that was left behind ends too."""
        self.closed = True
        for child in tuple(self.children):
            child.signal.abort("the run that called it has ended")
        for unfollow in self._unfollow:
            unfollow()
        self._unfollow.clear()

    def answered(self, agent: str, answer: str) -> None:
        """Keep an agent's answer, where it is the run's."""
        if agent == self.entry:
            self.answer = answer

    def take_history(self) -> list[BaseMessage]:
        """The earlier messages, for the run's first loop alone."""
        taken, self._history_taken = self._history_taken, True
        return [] if taken else list(self.history)

    def ended(self) -> None:
        """Nothing is left to be done for the run."""
        self.texts = None
        self.services.release(run_id=self.run_id)
        with _ending:
            self.over = True
            if self._end is not None and not self._end.done():
                self._end.set_result(None)

    def end_of(self) -> Future[None]:
        """Done when nothing is left to be done for the run; made for whoever waits for that, on any thread."""
        with _ending:
            if self._end is None:
                self._end = Future()
                if self.over:
                    self._end.set_result(None)
            return self._end

    @property
    def duration(self) -> float:
        """Seconds since the start."""
        return self.loop.time() - self.started if self.loop else 0.0

    def time_left(self) -> float | None:
        """Seconds until the run's deadline, or None."""
        return None if self.loop is None else self.clock.left(self.loop.time())

    def within(self, seconds: float | None) -> float | None:
        """The shorter of `seconds` and what is left of the run."""
        left = self.time_left()
        if left is None:
            return seconds
        return max(left, 0) if seconds is None else max(min(seconds, left), 0)

    @property
    def out_of_time(self) -> bool:
        """Whether the run's deadline has passed."""
        left = self.time_left()
        return left is not None and left <= 0

    def row(self, **values: Any) -> Attempt:
        """A new row that carries the run's labels."""
        labels = self.labels
        return Attempt(
            run_id=self.run_id,
            parent_run_id=self.parent_run_id,
            session_id=labels.session_id,
            tenant=labels.tenant,
            metadata=labels.metadata,
            **values,
        )


def _labels(options: RunOptions) -> Labels:
    return Labels(options.get("session_id"), options.get("tenant"), dict(options.get("metadata") or {}))


def _purses(owner: Run, budgets: Sequence[Budget]) -> list[Purse]:
    limits = owner.limits
    purses: list[Purse] = []
    if limits.max_tokens is not None or limits.max_cost is not None:
        own = Budget(max_tokens=limits.max_tokens, max_cost=limits.max_cost)
        purses.append(Purse(own, "the run's limits", owner, of_limits=True))
    for budget in budgets:
        title = f"budget {budget.name!r}" if budget.name else "a shared budget"
        purses.append(Purse(budget, title))
    return purses
