"""The code of a family's host: agents and tools of its own, and what is done while a run runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from cleveractors import (
    ConfigurationError,
    Credential,
    ExecutionError,
    RunContext,
    ToolCallErrorEvent,
    tool,
)
from cleveractors.events.envelope import EventYield
from cleveractors.testing import Call, RecordedRequest, Turn
from features.lib.bench import soon
from features.lib.children import Family
from features.lib.events_delivery import later, settle_down

__all__ = ["ASKED", "STORIES", "ask_until_forbidden", "check_references", "fork_and_hold", "use_tool"]


CHATTER = 1000


# Tools


async def ask_researcher(context: RunContext[Any]) -> str:
    """Ask the researcher."""
    return await context.call_agent("researcher", "Find A.")


async def stop_here(context: RunContext[Any]) -> str:
    """Abort the run that calls it."""
    context.abort_signal.abort("enough of it")
    return "stopped"


async def look(context: RunContext[Any]) -> str:
    """Look around."""
    context.deps.append([context.agent, context.tenant, dict(context.metadata), context.session_id])
    return "seen"


async def hang() -> str:
    """Wait for ever."""
    await asyncio.Event().wait()
    return ""


@tool(max_uses=1)
async def pay_once() -> str:
    """Pay."""
    return "paid"


async def fork() -> str:
    """Lay the table."""
    return "knife"


async def read(task: str = "") -> str:
    """Read."""
    return "rain and wind " * 40


async def chatter(context: RunContext[Any]) -> str:
    """Tell more than a reader takes at a time."""
    for number in range(CHATTER):
        context.deps.append(number)
        await context.emitter.emit("told", {"number": number})
    return "told"


TOOLS: dict[str, Callable[..., Any]] = {
    "tells more than a reader takes": chatter,
    "says a lot": read,
    "is named fork": fork,
    "calls researcher": ask_researcher,
    "aborts its run": stop_here,
    "looks around": look,
    "hangs": hang,
    "may be used once": pay_once,
}


def use_tool(family: Family, does: str) -> None:
    """Give the host a tool."""
    family.tools.append(_leaving(family) if does == "leaves a call of researcher behind" else TOOLS[does])


def _leaving(family: Family) -> Callable[..., Any]:
    async def leave_behind(context: RunContext[Any]) -> str:
        """Start a call that nobody waits for."""
        left = asyncio.ensure_future(context.call_agent("researcher", "Find A."))
        family.notes += [left, context]
        await family.gate.wait_reached_async(1)
        return "left"

    return leave_behind


# Runs


async def _own_keys(family: Family) -> None:
    await family.ask(credentials={"openai": Credential("sk-run", base_url=family.provider.base_url)})


async def _keys_by_function(family: Family) -> None:
    async def give(provider: str, context: RunContext[Any]) -> Credential:
        await asyncio.sleep(0)
        family.notes.append(f"{provider} for {context.tenant}")
        return Credential("sk-asked", base_url=family.provider.base_url)

    await family.ask(credentials=give, tenant="t1")


async def _labels(family: Family) -> None:
    await family.ask(deps=family.notes, tenant="t1", metadata={"plan": "free"}, session_id="s1")


async def _other_model(family: Family) -> None:
    await family.ask(model="other", parameters={"temperature": 0.5})


ASKED: dict[str, Callable[[Family], Awaitable[None]]] = {
    "keys of its own": _own_keys,
    "keys that a function gives": _keys_by_function,
    "deps and labels": _labels,
    "another model and parameters": _other_model,
}


async def _hold_both(family: Family) -> None:
    async def open_for_two(task: asyncio.Task[Any]) -> None:
        await family.gate.wait_reached_async(2)
        family.gate.open()

    await family.ask(open_for_two)


async def _outlast_a_tool(family: Family) -> None:
    def on_event(output: EventYield) -> None:
        if isinstance(output.event, ToolCallErrorEvent):
            family.notes.append(output.event.error)
            family.gate.open()

    await family.listen(on_event)


async def _leave_behind(family: Family) -> None:
    family.results.append(await family.executor.execute("Go."))
    left, context = family.notes
    late = context.call_agent("researcher", "Find B.")
    family.notes[:] = [str(await _error_of(left)), str(await _error_of(late))]
    family.check()


async def _error_of(work: Awaitable[object]) -> BaseException | None:
    try:
        await work
    except ExecutionError as error:
        return error
    return None


async def _abort_aloud(family: Family) -> None:
    stream = family.executor.execute_events("Go.")

    async def end() -> None:
        await family.gate.wait_reached_async(2)
        stream.abort("enough")

    ending = asyncio.ensure_future(end())
    family.outputs += [output async for output in stream]
    await ending
    assert stream.result is not None
    family.results.append(stream.result)
    family.check()


async def _let_forks_go(family: Family) -> None:
    async def open_for_all(task: asyncio.Task[Any]) -> None:
        await family.gate.wait_reached_async(family.notes[0])
        family.gate.open()

    await family.ask(open_for_all)


async def _read_late(family: Family) -> None:
    stream = family.executor.execute_events("Go.", deps=family.notes)
    family.outputs += [await anext(stream) for _ in range(10)]
    await soon(lambda: len(family.notes) > CHATTER // 5)
    await settle_down()
    assert len(family.notes) < CHATTER
    with later(3):
        await settle_down()
        family.outputs += [output async for output in stream]
    assert stream.result is not None
    family.results.append(stream.result)
    family.check()


STORIES: dict[str, Callable[[Family], Awaitable[None]]] = {
    "its reader stops for 3 s of the loop's time": _read_late,
    "its forks are let go when all are held": _let_forks_go,
    "both children are held before they go on": _hold_both,
    "a tool beside the held child runs out of its time": _outlast_a_tool,
    "a call is left behind": _leave_behind,
    "its stream is aborted while two children are held": _abort_aloud,
}


def ask_until_forbidden(family: Family, text: str) -> None:
    """Every model asks for each of its tools, again and again, and answers only where tools are forbidden."""

    def respond(request: RecordedRequest) -> Turn:
        names = [one["function"]["name"] for one in request.tools or ()]
        if not names or request.tool_choice == "none":
            return Turn(text, honour_cap=True)
        return Turn(calls=[Call(name, {"task": "More."}) for name in names], honour_cap=True)

    family.provider.respond(respond)


def fork_and_hold(family: Family, count: int) -> None:
    """The model forks for A, B … at once; each fork is held, and then answers to its own task."""
    family.notes.append(count)

    def respond(request: RecordedRequest) -> Turn:
        last = request.messages[-1]
        if last["role"] == "tool":
            return Turn("Well.")
        if last["content"] == "Go.":
            return Turn(calls=[Call("fork", {"task": chr(ord("A") + number)}) for number in range(count)])
        return Turn(f"Answer to {last['content']}", hold_before=family.gate)

    family.provider.respond(respond)


def check_references(family: Family, count: int) -> None:
    """A schema may refer to its own parts, but not so that they unfold without measure."""
    keys = {"model": "b", "description": "Finds."}
    plain = {"properties": {"place": {"$ref": "#/$defs/place"}}, "$defs": {"place": {"type": "string"}}}
    family.agents |= {"boss": {"model": "boss", "tools": ["b"]}, "b": {**keys, "input_schema": plain}}
    family.make()
    doubling: dict[str, Any] = {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(count)}
    schema: dict[str, Any] = {"$ref": "#/$defs/a0", "$defs": {**doubling, f"a{count}": {}}}
    family.agents["b"] = {**keys, "input_schema": schema}
    with family.world.catching():
        family.make()
    assert "unfold to too many" in str(family.world.error_of(ConfigurationError))
