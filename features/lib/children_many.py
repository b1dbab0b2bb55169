"""Families by the thousand, and of every shape: what must hold whoever calls whom, and wherever a run is cut."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Literal

import hypothesis
from hypothesis import strategies as st
from langchain_core.messages import BaseMessage

from cleveractors import (
    AbortSignal,
    ActorPolicy,
    ActorResult,
    Budget,
    Credential,
    Executor,
    ModelSpec,
    ReactEndEvent,
    ReActEvent,
    ReactStartEvent,
    ScriptedChatModel,
    create_executor,
    result_of,
)
from cleveractors.events.envelope import EventOrigin
from cleveractors.testing import Call, Gate, RecordedRequest, ScriptedProvider, ScriptedTurn, Turn, call
from features.lib.bench import NO_PAUSE, soon
from features.lib.loop_books import check_result, spent
from features.lib.pairing import check_pairing
from features.lib.world import World

__all__ = ["check_cuts", "check_many", "check_trees"]

PATIENCE = 90.0
HEALTH = (hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.data_too_large)

# A thousand


def _play(messages: list[BaseMessage]) -> ScriptedTurn:
    """Two children for each question; every call costs what its number says."""
    number = next(int(found[1]) for one in messages if (found := re.search(r"number (\d+)", one.text)))
    if messages[-1].type == "human" and "part" not in messages[-1].text:
        asked = [call("worker", task=f"part {part} of number {number}") for part in (1, 2)]
        return ScriptedTurn(calls=asked, usage=(1000 + number, 10))
    if messages[-1].type == "human":
        return ScriptedTurn(messages[-1].text, usage=(number, 1))
    return ScriptedTurn(f"done with {number}", usage=(2000 + number, 20))


async def check_many(count: int) -> None:
    """Each run has the bill of its own question, children included once, and all share one purse."""
    keys = {"provider": "house", "model": "scripted"}
    agents = {"boss": {**keys, "tools": ["worker"]}, "worker": {**keys, "description": "Does a part."}}
    purse = Budget(max_tokens=10**9)
    models = {"house": ModelSpec(ScriptedChatModel(_play), cap="max_tokens", usage="last")}
    async with create_executor({"agents": agents}, models=models, budgets=[purse]) as executor:
        results = await asyncio.gather(
            *(asyncio.ensure_future(executor.execute(f"number {number}")) for number in range(count))
        )
    for number, result in enumerate(results):
        assert (result.prompt_tokens, result.completion_tokens) == (3000 + 4 * number, 32), result
        assert result.response == f"done with {number}" and (result.rounds, result.tool_calls) == (1, 2)
        parts = [one.text for one in result.messages if one.type == "tool"]
        assert parts == [f"part {part} of number {number}" for part in (1, 2)], parts
        check_result(result)
    assert (purse.spent, purse.reserved) == (sum(result.total_tokens for result in results), 0)


# Trees


def trees() -> st.SearchStrategy[dict[str, Any]]:
    """Three levels of agents, forks among them, and what each may spend."""
    level = st.fixed_dictionaries(
        {},
        optional={
            "token_budget": st.integers(200, 8_000),
            "max_parallel_tools": st.sampled_from([1, 2, 32]),
            "forks": st.just({"max_depth": 1, "max_children": 2}),
        },
    )
    return st.fixed_dictionaries(
        {
            "levels": st.tuples(level, level, level),
            "fan": st.integers(1, 3),
            "letters": st.integers(1, 2_000),
            "ceiling": st.integers(150, 30_000),
            "rounds": st.integers(1, 2),
        }
    )


def actor_of(tree: dict[str, Any]) -> dict[str, Any]:
    """The actor of a tree."""
    agents: dict[str, Any] = {}
    for name, below, keys in zip("abc", (["b"], ["c"], []), tree["levels"], strict=True):
        agents[name] = {"model": name, "description": name, "tools": below, "retry": NO_PAUSE, **keys}
    return {"agents": agents}


def respond_as(tree: dict[str, Any], provider: ScriptedProvider, hold: tuple[int, Gate] | None = None) -> None:
    """Every model asks for all its tools some rounds long, then answers; from some request on all are held."""
    text = "word " * (tree["letters"] // 5 + 1)
    arrived: list[int] = []

    def respond(request: RecordedRequest) -> Turn:
        arrived.append(request.order)
        gate = hold[1] if hold is not None and len(arrived) >= hold[0] else None
        names = [one["function"]["name"] for one in request.tools or ()]
        rounds = sum(message["role"] == "assistant" for message in request.messages)
        if not names or request.tool_choice == "none" or rounds >= tree["rounds"]:
            return Turn(text, honour_cap=True, hold_before=gate)
        calls = [Call(name, {"task": text[:100]}) for name in names for _ in range(tree["fan"])]
        return Turn(calls=calls, honour_cap=True, hold_before=gate)

    provider.respond(respond)


def executor_of(tree: dict[str, Any], provider: ScriptedProvider, purse: Budget, **options: Any) -> Executor:
    """An executor of a tree's actor."""
    credentials = {"openai": Credential("sk-tree", base_url=provider.base_url)}
    return create_executor(
        actor_of(tree), credentials=credentials, budgets=[purse], policy=ActorPolicy(max_rounds=100), **options
    )


def _drawn(count: int) -> Any:
    return hypothesis.settings(max_examples=count, deadline=None, suppress_health_check=HEALTH)


def check_trees(world: World, count: int) -> None:
    """No tree overspends one ceiling for all of it, and each comes to its end."""
    provider = world.use(ScriptedProvider())

    @_drawn(count)
    @hypothesis.given(trees())
    def holds(tree: dict[str, Any]) -> None:
        world.run(_check_tree(tree, provider))

    holds()


async def _check_tree(tree: dict[str, Any], provider: ScriptedProvider) -> None:
    provider.reset()
    respond_as(tree, provider)
    purse = Budget(max_tokens=tree["ceiling"])
    async with executor_of(tree, provider, purse) as executor, asyncio.timeout(PATIENCE):
        result = await executor.execute("Go.")
    check_result(result)
    assert not provider.problems, provider.problems
    assert result.total_tokens == spent(provider) == purse.spent <= tree["ceiling"], (result, purse)
    assert purse.reserved == 0 and result.response.strip()
    _check_kin(result)


def _check_kin(result: ActorResult[Any]) -> None:
    """Each row belongs to the root, or to a run whose caller's run is there too."""
    runs = {row.run_id for row in result.invocations} | {result.run_id}
    assert {row.parent_run_id for row in result.invocations} <= {*runs, None}
    assert all((row.parent_run_id is None) == (row.run_id == result.run_id) for row in result.invocations)


# Cuts

Way = Literal["cancel", "abort", "timeout"]


def check_cuts(world: World, count: int) -> None:
    """Wherever a run is cut, and however: rows are final, sums are the rows', histories valid, purses even."""

    @_drawn(count)
    @hypothesis.given(trees(), st.sampled_from(["cancel", "abort", "timeout"]), st.integers(1, 12))
    def holds(tree: dict[str, Any], way: Way, place: int) -> None:
        # One for each: a request that was cut may arrive at any time later.
        with ScriptedProvider() as provider:
            world.run(_check_cut(tree, way, place, provider))

    holds()


async def _check_cut(tree: dict[str, Any], way: Way, place: int, provider: ScriptedProvider) -> None:
    gate = Gate()
    respond_as(tree, provider, (place, gate))
    purse, heard = Budget(max_tokens=tree["ceiling"]), list[ReActEvent]()

    def hear(event: ReActEvent, origin: EventOrigin) -> None:
        heard.append(event)

    async with executor_of(tree, provider, purse, observers=[hear]) as executor:
        try:
            result = await _cut(executor, gate, way)
        finally:
            gate.open()
    # What was held when it was cut is billed late.
    await provider.wait_settled_async(len(provider.requests))
    check_result(result)
    _check_kin(result)
    assert purse.reserved == 0, purse
    # What the client did not read any more may have been told.
    assert result.prompt_tokens <= provider.totals().told_prompt_tokens
    assert len(result.invocations) >= provider.totals().billed, (result.invocations, provider.ledger)
    ends = [event for event in heard if isinstance(event, ReactEndEvent)]
    assert len(ends) == sum(isinstance(event, ReactStartEvent) for event in heard)
    for end in ends:
        check_pairing(end.final_messages)


async def _cut(executor: Executor, gate: Gate, way: Way) -> ActorResult[Any]:
    signal = AbortSignal()
    options: dict[str, Any] = {"timeout": 0.05} if way == "timeout" else {}
    task = asyncio.ensure_future(executor.execute("Go.", abort_signal=signal, **options))
    if way != "timeout":
        await soon(lambda: task.done() or gate.reached > 0)
    if way == "cancel":
        task.cancel()
    elif way == "abort":
        signal.abort("enough")
    async with asyncio.timeout(PATIENCE):
        await asyncio.wait([task])
    if not task.cancelled():
        return task.result()
    found: ActorResult[Any] | None = None
    try:
        await task
    except asyncio.CancelledError as error:
        found = result_of(error)
    assert found is not None
    return found
