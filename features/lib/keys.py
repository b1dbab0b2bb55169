"""Keys that a host's function gives, and how often it is asked."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import patch

from cleveractors import AbortSignal, ActorResult, Credential
from cleveractors.models.cooldown import Cooldown
from cleveractors.testing import StatusFault, Turn
from features.lib.bench import PATIENCE, Bench

__all__ = ["ask_and_abort", "ask_in_cooldown", "use_keys", "use_stuck_keys"]


def use_keys(bench: Bench, keys: list[str]) -> None:
    """A function that gives one key after the other, and a provider that takes only the key `good`."""

    async def give(provider: str, context: Any) -> Credential:
        await asyncio.sleep(0)
        bench.notes.append((provider, context.tenant))
        key = keys[min(len(bench.notes), len(keys)) - 1]
        if key == "none":
            raise LookupError("the vault is closed")
        if key == "late":
            raise TimeoutError("the vault is slow")
        return Credential(key, bench.provider.base_url)

    def respond(request: Any) -> Turn | StatusFault:
        good = request.api_key == "good"
        return Turn("It rains.", prompt_tokens=31, completion_tokens=7) if good else StatusFault(401)

    bench.options["credentials"] = give
    bench.provider.respond(respond)


def use_stuck_keys(bench: Bench, times: int) -> None:
    """A function that gives a bad key so many times, and then never answers."""
    begun = asyncio.Event()
    bench.notes.append(begun)

    async def give(provider: str, context: Any) -> Credential:
        bench.notes.append(provider)
        if len(bench.notes) - 1 > times:
            begun.set()
            await asyncio.get_running_loop().create_future()
        return Credential("bad", bench.provider.base_url)

    bench.options["credentials"] = give
    bench.provider.script_forever(StatusFault(401))


async def ask_and_abort(bench: Bench) -> ActorResult[Any]:
    """Ask, and abort while the function does not answer."""
    signal = AbortSignal()
    task = asyncio.create_task(bench.ask(abort_signal=signal))
    async with asyncio.timeout(PATIENCE):
        await bench.notes[0].wait()
        signal.abort("enough")
        return await task


async def ask_in_cooldown(bench: Bench, first: float, second: float) -> None:
    """A run waits for the end of a cool-down; another, which was under way, is told a longer one meanwhile."""
    bench.keys["retry"] = {"attempts": 1}
    told = StatusFault(429, retry_after=first)
    longer = StatusFault(429, retry_after=second)
    bench.provider.script(Turn(hold_before=bench.gate, fault=longer), told, Turn("It rains."))
    under_way = asyncio.create_task(bench.observe(bench.ask))
    await bench.gate.wait_reached_async()
    await bench.observe(lambda: bench.ask("and snow?"))
    waiting = asyncio.create_task(bench.ask("and hail?"))
    await asyncio.sleep(0)
    bench.gate.open()
    await under_way
    await waiting


def remembered_cooldowns(count: int) -> int:
    """The endpoints that are remembered when each had to be left alone for a second, two seconds after the last."""
    cooldown = Cooldown()
    with patch("cleveractors.models.cooldown.time.monotonic") as now:
        for number in range(count):
            now.return_value = 2.0 * number
            cooldown.start(f"tenant {number}", 1)
        assert cooldown.left(f"tenant {count - 1}") == 1
    return len(cooldown._until)  # pyright: ignore[reportPrivateUsage] - nothing public says how many there are
