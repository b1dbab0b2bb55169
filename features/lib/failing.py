"""Models and tools that fail on purpose, and what a failed run has to leave behind."""

from __future__ import annotations

import asyncio
import builtins
from typing import Any

from langchain_core.exceptions import OutputParserException
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from cleveractors import Credential, FatalToolError, ModelSpec, ScriptedChatModel, create_executor, result_of
from cleveractors.testing import StatusFault
from cleveractors.testing import call as asks
from features.lib.bench import PATIENCE, Bench, Ways


def error_named(name: str) -> Exception:
    """An error of LangChain's or of Python's own, with a text."""
    kind: Any = OutputParserException if name == "OutputParserException" else getattr(builtins, name)
    return kind("boom")


def use_failing_model(bench: Bench, name: str) -> None:
    """A foreign model that asks for the weather once, and then raises."""
    turns = [{"calls": [asks("get_weather", city="Paris")], "usage": (11, 3)}, *[error_named(name) for _ in range(3)]]
    bench.keys |= {"provider": "house", "model": "house-1"}
    bench.options["models"] = {"house": ModelSpec(ScriptedChatModel(turns))}
    bench.declare(["get_weather"])


def use_waiting_tool(bench: Bench) -> None:
    """A tool that says when it is called, and then waits."""
    begun, released = asyncio.Event(), asyncio.Event()

    async def wait() -> str:
        """Waits."""
        begun.set()
        await released.wait()
        return "released"

    bench.notes += [begun, released]
    bench.keys["tools"] = ["wait"]
    bench.tools.append(wait)


async def cancel_in_tool(bench: Bench) -> Ways:
    """Cancel the run's task when its tool works."""
    task = asyncio.create_task(bench.observe(bench.ask))
    async with asyncio.timeout(PATIENCE):
        await bench.notes[0].wait()
    task.cancel()
    return await task


def use_asking_tool(bench: Bench) -> None:
    """A tool that asks a second actor, whose provider refuses everything."""
    key = Credential("sk-other", bench.provider.base_url)
    other = create_executor({"model": "other", "retry": {"attempts": 1}}, credentials={"openai": key})
    bench.world.defer(other.aclose)
    bench.provider.script(StatusFault(401), model="other")

    async def ask_more() -> str:
        """Asks another actor."""
        try:
            return (await other.execute("?")).response
        except Exception as error:
            raise FatalToolError("the other actor failed") from error

    bench.keys["tools"] = ["ask_more"]
    bench.tools.append(ask_more)


def check_two_bills(ways: Ways) -> None:
    """The outer error carries the outer bill, its cause the inner one."""
    error = ways.error
    assert error is not None and error.__cause__ is not None
    inner, outer = result_of(error.__cause__), result_of(error)
    assert inner is not None and outer is not None and inner.run_id != outer.run_id
    assert [row.model for row in inner.invocations] == ["other"]
    assert [row.model for row in outer.invocations] == ["gpt-4o-mini"]


def check_paired(messages: list[BaseMessage]) -> dict[str, str]:
    """Each call has its one result right behind its message; the results by name."""
    answers: dict[str, str] = {}
    waiting: list[Any] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            assert waiting and message.tool_call_id == waiting[0]["id"], f"stray result {message.tool_call_id}"
            answers[waiting.pop(0)["name"]] = message.text
        else:
            assert not waiting, f"calls without a result: {waiting}"
            waiting = list(message.tool_calls) if isinstance(message, AIMessage) else []
    assert not waiting, f"calls without a result: {waiting}"
    return answers
