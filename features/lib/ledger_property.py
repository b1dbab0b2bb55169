"""Whatever a story brings, the ledger adds up: the books are looked at after every step of the event loop.

`python -m features.lib.ledger_property 20000` draws so many stories.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, get_args

from hypothesis import HealthCheck, given, seed, settings

from cleveractors import (
    AbortSignal,
    ActorResult,
    FatalToolError,
    InvocationRecord,
    Limits,
    ModelSpec,
    ReactEndEvent,
    RunContext,
    ScriptedChatModel,
    create_executor,
    is_event_yield,
    result_of,
)
from cleveractors.models.turn import ScriptedTurn
from features.lib.ledger_stories import Mode, Story, stories
from features.lib.ledger_watch import Watched, WatchedBudget
from features.lib.pairing import pairing_faults
from features.lib.world import World

__all__ = ["draw_ledgers"]

STEPS = 20_000
TEXT = "It has rained since the morning, and nobody knows for how long it will."


class Telling:
    """One run of a story."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.turns = deque(story.turns)
        self.bills: list[ActorResult[Any]] = []
        self.told: list[InvocationRecord] = []
        self.events: list[Any] = []
        self.signal = AbortSignal()
        self.stream: Any = None
        self.result: ActorResult[Any] | None = None
        estimate = "strict" if story.strict else "likely"
        self.budgets = [] if story.ceiling is None else [WatchedBudget(max_tokens=story.ceiling, estimate=estimate)]
        Watched.runs.clear()
        self.executor = create_executor(
            self._actor(),
            tools=[self.adds, self.fails, self.waits, self.spends, self.asks, self.fatal],
            agent_types={"watched": Watched},
            models={"house": ModelSpec(ScriptedChatModel(self._turn, ignore_cap=False))},
            limits=Limits(story.model_calls, story.tool_calls, story.own_ceiling),
            budgets=self.budgets,
            on_usage=self.take_row,
            on_result=self.take_bill,
        )

    def _actor(self) -> dict[str, Any]:
        story = self.story
        shared: dict[str, Any] = {
            "type": "watched",
            "provider": "house",
            "model": "house-1",
            "retry": {"attempts": story.attempts, "initial": 0, "maximum": 0},
            "parameters": {"max_tokens": 300},
            "tool_max_rounds": story.rounds,
            "forks": {"max_depth": 2, "max_children": 2},
        }
        if story.pruning:
            shared["pruning"] = {"trigger_tokens": 60, "mode": "condense"}
        tools = ["adds", "fails", "waits", "spends", "asks", "fatal"]
        return {
            "agents": {
                "main": {**shared, "tools": [*tools, "helper"]},
                "helper": {**shared, "tools": tools, "description": "Helps.", "token_budget": 2000},
            }
        }

    def _turn(self) -> ScriptedTurn:
        return self.turns.popleft() if self.turns else ScriptedTurn(TEXT)

    # Tools

    async def adds(self, number: int = 0) -> str:
        """Adds."""
        return TEXT * number

    async def fails(self) -> str:
        """Fails."""
        raise RuntimeError("no")

    async def waits(self) -> str:
        """Waits a little."""
        for _ in range(5):
            await asyncio.sleep(0)
        return "waited"

    async def spends(self, context: RunContext[Any]) -> str:
        """Spends."""
        context.report_usage(model="search", prompt_tokens=30, completion_tokens=4)
        return "spent"

    async def asks(self, context: RunContext[Any]) -> str:
        """Asks the model."""
        from langchain_core.messages import HumanMessage

        return (await context.call_model([HumanMessage("And?")])).text

    async def fatal(self) -> str:
        """Ends the run."""
        raise FatalToolError("enough")

    # Sinks

    async def take_row(self, row: InvocationRecord) -> None:
        for _ in range(self.story.slow_sink):
            await asyncio.sleep(0)
        self.told.append(row)

    async def take_bill(self, result: ActorResult[Any]) -> None:
        for _ in range(self.story.slow_sink):
            await asyncio.sleep(0)
        self.bills.append(result)

    # The run

    async def _ask(self) -> None:
        mode = self.story.mode
        options: dict[str, Any] = {"abort_signal": self.signal}
        try:
            if mode == "blocking":
                self.result = await self.executor.execute("What is new?", **options)
            elif mode == "events":
                self.stream = self.executor.execute_events("What is new?", stream=True, **options)
                await self._read(self.events)
            else:
                kind = "tokens" if mode == "tokens" else "answer"
                self.stream = self.executor.execute_stream("What is new?", streaming=kind, **options)
                await self._read([])
        except BaseException as error:
            self.result = result_of(error)
            assert self.result is not None or not self.bills, error
            if isinstance(error, AssertionError):
                raise

    async def _read(self, into: list[Any]) -> None:
        stream = self.stream
        async for one in stream:
            into.append(one)
        self.result = stream.result

    async def tell(self) -> None:
        """Run it, cut it, and look at the books after each step of the loop."""
        task = asyncio.ensure_future(self._ask())
        for step in range(STEPS):
            if step == self.story.tick and not task.done():
                await self._cut(task)
            await asyncio.sleep(0)
            self._look()
            if task.done() and not [one for one in asyncio.all_tasks() if "run " in one.get_name()]:
                break
        await asyncio.wait({task}, timeout=5)
        assert task.done(), "the run did not end"
        if not task.cancelled():
            task.result()
        await self.executor.aclose()

    async def _cut(self, task: asyncio.Future[None]) -> None:
        cut = self.story.cut
        if cut == "abort":
            self.signal.abort("enough")
        elif cut == "close" and self.stream is not None:
            await self.stream.aclose()
        elif cut in ("cancel", "close"):
            task.cancel()
        elif cut == "cancel twice":
            task.cancel()
            await asyncio.sleep(0)
            task.cancel()

    def _look(self) -> None:
        """At every await at which the run can be killed, each loop's record is a valid history."""
        for run in Watched.runs:
            if run.conversation is not None:
                faults = [one for one in pairing_faults(run.conversation.messages) if "without words" not in one]
                assert not faults, (faults, run.conversation.messages)

    # The books

    def check(self) -> None:
        """Everything that must be so at the end."""
        if not self.bills:
            assert not self.told and self.result is None, self.told
            return
        (bill,) = self.bills
        assert self.result is None or self.result is bill
        _check_sums(bill)
        self._check_rows(bill)
        assert not list(pairing_faults(bill.messages)), (list(pairing_faults(bill.messages)), bill.messages)
        for budget in self.budgets:
            assert budget.reserved == 0, budget
            flagged = any(row.over_reserved for row in bill.invocations)
            assert flagged or not budget.passed, (budget, bill.invocations)
        self._check_events(bill)

    def _check_rows(self, bill: ActorResult[Any]) -> None:
        assert not bill.undelivered
        for row in bill.invocations:
            states = [one for one in self.told if one.id == row.id]
            expected = [row.state] if row.provider == "tool" else ["open", row.state]
            assert [one.state for one in states] == expected and states[-1] == row, (states, row)

    def _check_events(self, bill: ActorResult[Any]) -> None:
        events = [one.event for one in self.events if is_event_yield(one)]
        ends = [event for event in events if isinstance(event, ReactEndEvent)]
        if self.story.mode == "events" and self.story.cut is None and ends:
            told = (ends[-1].usage["prompt_tokens"], ends[-1].usage["completion_tokens"])
            assert told == (bill.prompt_tokens, bill.completion_tokens), (told, bill)

    def facts(self) -> object:
        """What must be the same whichever way the run was asked."""
        (bill,) = self.bills
        rows = [
            (row.agent, row.purpose, row.state, row.outcome, row.attempt, row.round, row.total_tokens, row.error_type)
            for row in bill.invocations
        ]
        return bill.stop_reason, bill.response, bill.rounds, bill.tool_calls, bill.total_tokens, rows


def _check_sums(bill: ActorResult[Any]) -> None:
    rows = bill.invocations
    settled = [row for row in rows if row.state == "settled"]
    unmeasured = [row for row in rows if row.state == "unmeasured"]
    assert all(row.state in ("settled", "unmeasured", "rejected", "unsent") for row in rows), rows
    assert bill.prompt_tokens == sum(row.prompt_tokens for row in settled)
    assert bill.completion_tokens == sum(row.completion_tokens for row in settled)
    assert (bill.unmeasured_calls, bill.exact) == (len(unmeasured), not unmeasured)
    assert bill.estimated_prompt_tokens == sum(row.prompt_tokens for row in unmeasured)
    assert bill.estimated_completion_tokens == sum(row.completion_tokens for row in unmeasured)


async def _one(story: Story) -> None:
    telling = Telling(story)
    await telling.tell()
    telling.check()
    other: Mode = "blocking" if story.mode != "blocking" else "tokens"
    if story.comparable:
        again = Telling(story.asked(other))
        await again.tell()
        again.check()
        assert telling.facts() == again.facts(), (telling.facts(), again.facts())


def _on(world: World, one: Callable[[Story], Coroutine[Any, Any, None]]) -> Callable[[Story], None]:
    def run(story: Story) -> None:
        world.run(one(story))

    return run


def draw_ledgers(world: World, mode: Mode, count: int) -> None:
    """So many stories in a mode."""
    drawn = given(stories(mode))(_on(world, _one))
    if settings.default is not None and settings.default.derandomize:
        # Else all modes would be told the same stories.
        drawn = seed(len(mode))(drawn)
    settings(max_examples=count, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])(drawn)()


def main(count: int) -> int:
    settings.register_profile("endurance", deadline=None, database=None)
    settings.load_profile("endurance")
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    for mode in get_args(Mode):
        draw_ledgers(World(loop), mode, count // 4)
        print(f"{count // 4} stories, asked as {mode}: the books are right", flush=True)
    loop.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
