"""The story of one scenario about the tool loop: an actor, a provider that keeps its own ledger, and the bill."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from langchain_core.messages import BaseMessage

from cleveractors import (
    AbortSignal,
    ActorPolicy,
    ActorResult,
    Budget,
    Credential,
    Executor,
    InvocationRecord,
    Limits,
    Price,
    create_executor,
    result_of,
)
from cleveractors.testing import Gate, RecordedRequest, ScriptedProvider, Turn, refused_base_url
from features.lib.loop_books import check_books, check_names
from features.lib.loop_script import Said, read_script
from features.lib.loop_tools import LABEL, Bench
from features.lib.world import World

__all__ = ["LoopWorld", "loop_of"]

MODEL = "scripted-model"
PRICE = Price(Decimal(1), Decimal(2))


@dataclass
class LoopWorld:
    """What one scenario about the loop knows."""

    world: World
    bench: Bench = field(default_factory=Bench)
    gate: Gate = field(default_factory=Gate)
    settings: dict[str, Any] = field(default_factory=dict[str, Any])
    tools: list[str] = field(default_factory=list[str])
    limits: dict[str, Any] = field(default_factory=dict[str, Any])
    budgets: list[Budget] = field(default_factory=list[Budget])
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    model: Any = None
    """A chat model in place of the provider."""
    label: str = "none"
    """What `LABEL` is where the run is asked for."""
    priced: bool = False
    refuses: bool = False
    """Whether nobody listens at the provider's address."""
    signal: AbortSignal = field(default_factory=AbortSignal)
    results: list[ActorResult[Any]] = field(default_factory=list[ActorResult[Any]])
    errors: list[BaseException] = field(default_factory=list[BaseException])
    texts: list[str] = field(default_factory=list[str])
    """The chunks of the last stream."""
    heard: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a stream has yielded its first text."""
    told: list[InvocationRecord] = field(default_factory=list[InvocationRecord])
    """The rows as the sink was told."""
    strict_names: bool = False
    """Whether every call in every request must have a name that a tool can have."""
    bytes_are_tokens: bool = False
    """Whether the provider counts each byte of a request as a token."""
    provider_given: ScriptedProvider | None = None
    """A provider that several stories share."""
    _executor: Executor | None = None

    @property
    def provider(self) -> ScriptedProvider:
        """The provider; it starts when it is first asked for."""
        if self.provider_given is None:
            self.provider_given = self.world.use(ScriptedProvider())
        return self.provider_given

    def says(self, script: Sequence[Said], *, honour_cap: bool = True, usage: bool = True) -> None:
        """Add to what the provider will say."""
        for said in script:
            self.provider.script(said.turn(self.gate, honour_cap=honour_cap, usage=usage))

    def asks_until_forbidden(self, calls: str, text: str, *, honour_cap: bool = True) -> None:
        """The provider asks for the same tools again and again, and answers only where they are forbidden."""
        asking, saying = read_script([{"calls": calls}, {"says": text}])
        turns = [one.turn(self.gate, honour_cap=honour_cap, usage=True) for one in (asking, saying)]

        def respond(request: RecordedRequest) -> Turn:
            turn = turns[request.tool_choice == "none"]
            return replace(turn, prompt_tokens=_bytes(request)) if self.bytes_are_tokens else turn

        self.provider.respond(respond)

    def give_budget(self, tokens: int) -> None:
        """Give the executor a purse."""
        self.budgets.append(Budget(max_tokens=tokens))

    def use_tools(self, names: str) -> None:
        """Give the agent tools of the bench."""
        self.tools = [name.strip() for name in names.split(",")]

    @property
    def executor(self) -> Executor:
        """The executor; it is made when it is first asked for."""
        if self._executor is None:
            self._executor = self._made()
            self.world.defer(self._executor.aclose)
        return self._executor

    def _made(self) -> Executor:
        agent = {"model": MODEL, "tools": self.tools, **self.settings}
        url = refused_base_url() if self.refuses else self.provider.base_url
        foreign = {} if self.model is None else {"house": self.model}
        return create_executor(
            {"name": "looping", "agents": {"main": agent | ({"provider": "house"} if foreign else {})}},
            tools=self.bench.pick(self.tools),
            credentials={"openai": Credential("sk-loop", base_url=url)},
            models=foreign,
            policy=ActorPolicy(max_rounds=100_000),
            limits=Limits(**self.limits),
            budgets=self.budgets,
            prices={MODEL: PRICE} if self.priced else None,
            on_usage=self.told.append,
        )

    @property
    def result(self) -> ActorResult[Any]:
        """The bill of the last run."""
        assert self.results, f"there is no result; errors: {self.errors!r}"
        return self.results[-1]

    async def ask(self, question: str, *, streaming: str = "") -> None:
        """Ask, and hold the bill against all that must be so on every ending."""
        await self.ask_and(question, None, streaming=streaming)

    async def ask_and(
        self, question: str, meanwhile: Callable[[asyncio.Task[Any]], Awaitable[None]] | None, *, streaming: str = ""
    ) -> None:
        """Ask, do something while the run runs, and wait for its end."""
        LABEL.set(self.label)
        task = asyncio.ensure_future(self._stream(question, streaming) if streaming else self._execute(question))
        if meanwhile is not None:
            await meanwhile(task)
        # Also a cancelled task has left its result behind.
        with suppress(asyncio.CancelledError):
            await task
        self.check()

    async def ask_again(self, question: str, history: Sequence[BaseMessage]) -> None:
        """Ask in a conversation; the limits of the first run are not this one's."""
        self.options |= {"history": history, "limits": Limits()}
        await self.ask(question)

    async def ask_unchecked(self, question: str) -> None:
        """Ask beside others; `check` has to come after all of them."""
        await self._execute(question)

    async def _execute(self, question: str) -> None:
        try:
            self.results.append(await self.executor.execute(question, **self._all_options()))
        except BaseException as error:
            self._keep(error)
            if not isinstance(error, Exception):
                raise

    async def _stream(self, question: str, streaming: str) -> None:
        self.texts = []
        options = self._all_options()
        options["streaming"] = streaming
        stream = self.executor.execute_stream(question, **options)
        try:
            async for text in stream:
                self.texts.append(text)
                self.heard.set()
        except BaseException as error:
            self._keep(error)
            if not isinstance(error, Exception):
                raise
        else:
            assert stream.result is not None
            self.results.append(stream.result)

    def _keep(self, error: BaseException) -> None:
        self.errors.append(error)
        result = result_of(error)
        if result is not None:
            self.results.append(result)
        with suppress(Exception):
            self.world.keep_error(error)

    def _all_options(self) -> dict[str, Any]:
        # A signal that was given once ends every later run too.
        return {"abort_signal": self.signal, **self.options}

    def check(self) -> None:
        """Hold every bill against the provider's ledger, and every history against the checker."""
        billed = None if self.provider_given is None or self.model is not None else self.provider_given
        check_books(self.results, billed, self.budgets, self.told)
        if self.strict_names:
            check_names(self.provider.requests)

    @property
    def rows(self) -> tuple[InvocationRecord, ...]:
        """The rows of the last run."""
        return self.result.invocations

    def tool_texts(self) -> list[str]:
        """What the tools answered, in the order of the history."""
        return [message.text for message in self.result.new_messages if message.type == "tool"]


def loop_of(context: object) -> LoopWorld:
    """Find the scenario's, or begin one."""
    found = getattr(context, "loop_world", None)
    if found is None:
        found = LoopWorld(getattr(context, "world"))  # noqa: B009 - behave's context has no types
        setattr(context, "loop_world", found)  # noqa: B010 - likewise
    return found


def _bytes(request: RecordedRequest) -> int:
    """The bytes of a prompt: its messages and its tools, as they were sent."""
    return sum(len(json.dumps(request.body.get(part), ensure_ascii=False).encode()) for part in ("messages", "tools"))
