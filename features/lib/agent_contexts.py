"""What the code of agents and tools finds out about its run."""

from __future__ import annotations

import asyncio
from typing import Any

from cleveractors import (
    RunContext,
    ScriptedChatModel,
    current_context,
)
from cleveractors.testing import call, run_context
from features.lib.bench import Bench


def use_looking_tool(bench: Bench) -> None:
    """A tool that takes the context, and a helper below it that looks for it."""

    def helper() -> RunContext[Any]:
        return current_context()

    async def look(city: str, run: RunContext[Any]) -> str:
        """Looks around."""
        bench.notes += [run, helper(), run.usage, run.tool_call_id]
        await asyncio.sleep(0)
        return "seen"

    bench.keys |= {"provider": "house", "model": "house-1", "tools": ["look"]}
    model = ScriptedChatModel([{"calls": [call("look", city="Paris", id="c9")], "usage": (10, 1)}, "Done."])
    bench.options["models"] = {"house": model}
    bench.tools.append(look)
    bench.ways.value = model


async def ask_with_deps(bench: Bench) -> None:
    """One run with everything that a host may hand over."""
    bench.run_options = {"deps": bench, "tenant": "t1", "metadata": {"plan": "pro"}}
    await bench.ask()


def check_tool_saw(bench: Bench) -> None:
    """What the tool found in its context."""
    run, _, usage, call_id = bench.notes
    assert run.deps is bench and run.tenant == "t1" and run.metadata == {"plan": "pro"}
    assert run.agent == "main" and run.run_id == bench.result.run_id and run.parent_run_id is None
    assert call_id == "c9" and usage == (10, 1), (call_id, usage)


def check_model_saw(bench: Bench) -> None:
    """The schema has the model's own parameter alone."""
    model: ScriptedChatModel = bench.ways.value
    assert list(model.calls[0].tools[0]["function"]["parameters"]["properties"]) == ["city"]
    assert "Bench" not in repr(model.calls) and "Bench" not in repr(bench.result.to_dict())


def check_no_context() -> None:
    """Outside any run there is none."""
    try:
        current_context()
    except LookupError:
        return
    raise AssertionError("there is a context")


async def check_test_context() -> None:
    """A context made by `testing.run_context`."""
    context = run_context({"city": "Paris"}, tenant="t1", session_id="s1", run_id="r1", metadata={"plan": "pro"})
    assert context.deps == {"city": "Paris"} and context.tenant == "t1" and context.run_id == "r1"
    assert context.session_id == "s1" and context.metadata == {"plan": "pro"} and context.agent == "test"
    context.report_usage(model="search-1", prompt_tokens=3, completion_tokens=1)
    assert context.usage == (3, 1) and not context.abort_signal.is_aborted
    try:
        await context.call_model([])
    except RuntimeError as error:
        assert "belongs to no agent" in str(error)
    else:
        raise AssertionError("it called a model")


def check_loopless_context() -> None:
    """The same in a plain test function."""
    context = run_context(5, tenant="t1", tool_call_id="c1")
    assert (context.deps, context.tenant, context.tool_call_id, context.usage) == (5, "t1", "c1", (0, 0))
    try:
        run_context(tenant="")
    except ValueError as error:
        assert "tenant must be text" in str(error)
    else:
        raise AssertionError("it took an empty tenant")
