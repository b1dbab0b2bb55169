"""Stand-ins in the place of models and tools."""

from __future__ import annotations

import asyncio

from cleveractors import (
    ScriptedChatModel,
)
from cleveractors.testing import call
from features.lib.bench import Bench


async def override_here(bench: Bench) -> None:
    """Within, in a task of it, and beside it in a task that was there before."""
    models = [ScriptedChatModel([call("get_weather", city="Oslo"), "Stand-in."], repeat=True)]
    entered, left = asyncio.Event(), asyncio.Event()

    async def beside() -> str:
        await entered.wait()
        return (await bench.executor.execute("?")).response

    async def stand_in(city: str) -> str:
        """A stand-in."""
        bench.notes.append(city)
        return "sun"

    stand_in.__name__ = "get_weather"
    other = asyncio.create_task(beside())
    with bench.executor.override(model=models[0], tools=[stand_in]):
        entered.set()
        answers = [(await bench.executor.execute("?")).response]
        task = asyncio.create_task(bench.executor.execute("?"))
        answers += [(await task).response, await other]
    left.set()
    answers.append((await bench.executor.execute("?")).response)
    bench.ways.value = answers


async def override_nested(bench: Bench) -> None:
    """Tools inside, the model outside."""
    model = ScriptedChatModel([call("get_weather", city="Oslo"), "Stand-in."])

    async def stand_in(city: str) -> str:
        """A stand-in."""
        bench.notes.append(city)
        return "sun"

    stand_in.__name__ = "get_weather"
    with bench.executor.override(model=model), bench.executor.override(tools=[stand_in]):
        bench.ways.value = (await bench.executor.execute("?")).response


async def override_selected(bench: Bench) -> None:
    """An agent that selects its model itself."""
    with bench.executor.override(model=ScriptedChatModel(["Stand-in."])):
        bench.ways.value = (await bench.executor.execute("?")).response


def override_stranger(bench: Bench) -> None:
    """A stand-in for nothing."""
    with bench.world.catching(), bench.executor.override(tools=[lambda_tool]):
        raise AssertionError("it was taken")


async def lambda_tool() -> str:
    """A tool that no agent has."""
    return ""
