"""This library: `create_executor`, `result_of`, `Budget`."""

from __future__ import annotations

import asyncio
from typing import Any

from benchmarks.probes.stage import MESSAGE, Facts, Stage, cancelled, reports
from benchmarks.probes.tools import look
from cleveractors import Budget, Credential, Executor, create_executor, result_of

PACKAGES = ("cleveractors", "langchain-openai", "openai")


def _executor(stage: Stage, agents: Any = None, **agent: Any) -> Executor:
    credentials = {"openai": Credential("none", base_url=stage.base_url)}
    actor: Any = {"agents": agents} if agents else {"model": "probe", "tools": ["look"], **agent}
    return create_executor(actor, tools=[look], credentials=credentials)


def _of(result: Any) -> Facts:
    if result is None:
        return {"usage": None}
    return {"usage": [result.prompt_tokens, result.completion_tokens], "unknown": result.unmeasured_calls}


async def _told(executor: Executor, message: str = MESSAGE, **options: Any) -> Facts:
    async with executor:
        try:
            result = await executor.execute(message, **options)
        except Exception as error:
            return {"raised": type(error).__name__} | _of(result_of(error))
    return {"answer": result.response} | _of(result)


async def paid_on_error(stage: Stage) -> Facts:
    """`result_of(error)`."""
    return {"where": "by `result_of(error)`"} | await _told(_executor(stage))


async def paid_on_cancel(stage: Stage) -> Facts:
    """`result_of(error)`."""
    async with _executor(stage) as executor:
        error = await cancelled(stage, executor.execute(MESSAGE))
    return {"raised": type(error).__name__, "where": "by `result_of(error)`"} | _of(result_of(error))


async def leaving(stage: Stage) -> Facts:
    """A stream is a context manager; leaving it ends the run."""
    async with _executor(stage, streaming="tokens") as executor:
        async with executor.execute_stream(MESSAGE) as stream:
            pieces = 0
            async for _ in stream:
                pieces += 1
                if pieces == 3:
                    break
        await stage.left()
        result = stream.result
    return _of(result) | {"calls": 0 if result is None else len(result.invocations)}


async def ceiling(stage: Stage) -> Facts:
    """One `Budget` for all."""
    purse = Budget(max_tokens=2000)
    async with _executor(stage, parameters={"max_tokens": 100}) as executor:
        runs = [executor.execute("word " * 540, budgets=[purse]) for _ in range(10)]
        results = await asyncio.gather(*runs)
    answered = sum(result.stop_reason == "completed" for result in results)
    return {"answered": answered, "where": "one `Budget(max_tokens=2000)` for all runs"}


async def rounds(stage: Stage) -> Facts:
    """`tool_max_rounds`."""
    return await _told(_executor(stage, tool_max_rounds=2)) | {"where": "`tool_max_rounds: 2`"}


async def not_json(stage: Stage) -> Facts:
    """As it comes."""
    return await _told(_executor(stage))


async def one_raises(stage: Stage) -> Facts:
    """As it comes."""
    return await _told(_executor(stage))


async def same_ids(stage: Stage) -> Facts:
    """As it comes."""
    return await _told(_executor(stage))


async def sub_agent(stage: Stage) -> Facts:
    """An agent among another one's tools."""
    lead = {"model": "lead", "tools": ["helper"]}
    helper = {"model": "helper", "description": "Helps."}
    return await _told(_executor(stage, {"lead": lead, "helper": helper}))


async def no_usage(stage: Stage) -> Facts:
    """The result's figures."""
    async with _executor(stage) as executor:

        async def run() -> object:
            result = await executor.execute(MESSAGE)
            return _of(result) | {"shown": f"{result.total_tokens} tokens, {result.unmeasured_calls} unmeasured"}

        return {"reports": await reports(run), "where": "`result.unmeasured_calls` and `result.exact`"}
