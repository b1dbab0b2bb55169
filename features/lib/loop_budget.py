"""Spending in scenarios about the loop: long answers, drawn ceilings, runs at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from decimal import Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.language_models.fake_chat_models import FakeListChatModel

from cleveractors import Budget, InvocationRecord
from cleveractors.budget import Held
from cleveractors.testing import Gate, RecordedRequest, ScriptedProvider, Turn
from features.lib.loop import PRICE, LoopWorld
from features.lib.loop_books import spent
from features.lib.tools import until
from features.lib.world import World

__all__ = [
    "SPENT",
    "WatchedBudget",
    "ask_all",
    "ask_and_wait",
    "ask_at_gate",
    "check_caps",
    "draw_budgets",
    "draw_money",
    "long_turn",
    "uncapped_model",
]


def long_turn(tokens: int, gate: Gate | None = None) -> Turn:
    """An answer of so many tokens, cut where the request says so."""
    return Turn("word" * tokens, honour_cap=True, hold_before=gate)


def uncapped_model() -> FakeListChatModel:
    """A model that knows no bound of its output."""
    return FakeListChatModel(responses=["I can't stop."])


async def ask_at_gate(loop: LoopWorld, count: int, letters: int) -> None:
    """Ask as often as that at once; the gate opens when all that could start have started."""
    _ = loop.executor
    runs = asyncio.gather(*(loop.ask_unchecked("x" * letters) for _ in range(count)))
    await loop.gate.wait_reached_async()
    await until(lambda: len(loop.results) + loop.gate.reached >= count)
    loop.gate.open()
    await runs
    loop.check()


class WatchedBudget(Budget):
    """Keeps the most that was ever spent and reserved together."""

    most: int = 0

    def hold(self, tokens: int, cost: Decimal) -> None:
        super().hold(tokens, cost)
        self.most = max(self.most, self.spent + self.reserved)

    def give_back(self, held: Held, tokens: int, cost: Decimal | None) -> None:
        super().give_back(held, tokens, cost)
        self.most = max(self.most, self.spent + self.reserved)


async def ask_all(loop: LoopWorld, count: int) -> None:
    """Ask as often as that at once."""
    await asyncio.gather(*(loop.ask_unchecked("Well?") for _ in range(count)))
    loop.check()


async def ask_and_wait(loop: LoopWorld, letters: int, *, cancelled: bool) -> None:
    """Ask twice; when the second run waits for what the first holds, the first goes on or is cancelled."""
    first = asyncio.ensure_future(loop.ask_unchecked("x" * letters))
    await loop.gate.wait_reached_async()
    second = asyncio.ensure_future(loop.ask_unchecked("x" * letters))
    await until(lambda: bool(loop.budgets[0].listeners()))
    if cancelled:
        first.cancel()
        await asyncio.wait({first})
    loop.gate.open()
    await asyncio.wait({first, second}, timeout=10)
    assert second.done(), "the second run still waits"
    loop.check()


def check_caps(requests: Sequence[RecordedRequest], rows: Sequence[InvocationRecord]) -> None:
    """Every request is capped, within what its row reserved."""
    for request, row in zip(requests, rows, strict=True):
        assert request.token_cap is not None and 64 <= request.token_cap < row.reserved_tokens, (request, row)


def _reserved(loop: LoopWorld) -> int:
    return sum(row.reserved_tokens for row in loop.rows)


def _estimated(loop: LoopWorld) -> int:
    return sum(row.total_tokens for row in loop.rows)


SPENT: Mapping[str, Callable[[LoopWorld], int]] = {
    "nothing": lambda loop: 0,
    "all that was reserved": _reserved,
    "what the rows estimate": _estimated,
    "what the provider bills": lambda loop: spent(loop.provider),
}

# Prose, figures, and what JSON writes with two bytes.
TEXTS = ("abcdefghi ", '{"n": 1}\n', "8391 77.2 ", "zwölf Fähren ", "東京の天気 ")


@st.composite
def stories(draw: st.DrawFn) -> dict[str, Any]:
    """A ceiling, and a model that never has enough of a tool."""
    return {
        "ceiling": draw(st.integers(1, 30_000) | st.integers(100, 3_000)),
        "size": draw(st.integers(0, 12_000) | st.integers(0, 300)),
        "text": draw(st.sampled_from(TEXTS)),
        "calls": draw(st.integers(1, 3)),
        "said": draw(st.integers(0, 200)),
        "final": draw(st.integers(1, 3_000)),
        "reserve": draw(st.none() | st.integers(1, 5_000)),
        "system": draw(st.integers(0, 400)),
        "purse": draw(st.sampled_from(["token_budget", "limits", "shared"])),
        "pruning": draw(st.none() | st.sampled_from(["truncate", "condense"])),
    }


def _script(loop: LoopWorld, story: Mapping[str, Any]) -> None:
    loop.bench.filler = story["text"]
    asking = Turn("word" * story["said"], calls=[("fills", {"size": story["size"]})] * story["calls"], honour_cap=True)
    saying = Turn("done" * story["final"], honour_cap=True)
    loop.provider.respond(lambda request: saying if request.tool_choice == "none" or request.tools is None else asking)
    pruning = story["pruning"] and {"trigger_tokens": 1_500, "mode": story["pruning"]}
    loop.settings = {
        "system_prompt": "s" * story["system"],
        "synthesis": {"reserve_tokens": story["reserve"]} if story["reserve"] else {},
        "max_repeated_calls": None,
        "tool_max_rounds": 12,
        **({"pruning": pruning} if pruning else {}),
    }
    loop.tools = ["fills"]


def in_turn(world: World, one: Callable[[dict[str, Any]], Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test of Hypothesis that runs each story on the scenario's loop."""

    def run(story: dict[str, Any]) -> None:
        world.run(one(story))

    return run


def draw_budgets(world: World, count: int) -> None:
    """Whatever is drawn, the provider's bill is not above the ceiling."""
    provider = world.use(ScriptedProvider())

    async def one(story: dict[str, Any]) -> None:
        loop = LoopWorld(world, provider_given=provider)
        provider.reset()
        _script(loop, story)
        if story["purse"] == "shared":
            loop.give_budget(story["ceiling"])
        elif story["purse"] == "limits":
            loop.limits["max_tokens"] = story["ceiling"]
        else:
            loop.settings["token_budget"] = story["ceiling"]
        await loop.ask("What is new?")
        await loop.executor.aclose()
        assert spent(provider) <= story["ceiling"], (spent(provider), story, provider.ledger)
        assert not any(row.over_reserved for row in loop.rows), loop.rows

    settings(max_examples=count)(given(stories())(in_turn(world, one)))()


def draw_money(world: World, count: int) -> None:
    """Whatever is drawn, the provider's bill at our prices is not above the ceiling."""
    provider = world.use(ScriptedProvider())

    async def one(story: dict[str, Any]) -> None:
        loop = LoopWorld(world, provider_given=provider)
        provider.reset()
        _script(loop, story)
        loop.priced = True
        ceiling = PRICE.prompt * story["ceiling"] / 1_000_000
        loop.limits["max_cost"] = ceiling
        await loop.ask("What is new?")
        await loop.executor.aclose()
        totals = provider.totals()
        cost = (totals.prompt_tokens * PRICE.prompt + totals.completion_tokens * PRICE.completion) / 1_000_000
        assert cost <= ceiling, (cost, story, provider.ledger)

    settings(max_examples=count)(given(stories())(in_turn(world, one)))()
