"""pydantic-ai: `Agent.run`, `run_stream`, `UsageLimits`, `RunUsage`."""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic_ai import Agent, RunContext
from pydantic_ai.exceptions import RunCancelled, ToolFailed
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RunUsage, UsageLimits

from benchmarks.probes.stage import MESSAGE, Facts, Stage, cancelled, reports
from benchmarks.probes.tools import look

PACKAGES = ("pydantic-ai-slim", "openai")
_OWN = "a `RunUsage` of one's own as `usage=`"


def _model(stage: Stage, name: str = "probe") -> OpenAIChatModel:
    return OpenAIChatModel(name, provider=OpenAIProvider(base_url=stage.base_url, api_key="none"))


def _agent(stage: Stage, *tools: Any, **options: Any) -> Agent[None, str]:
    return Agent(_model(stage), tools=tools or [look], **options)


def _of(usage: RunUsage | None) -> Facts:
    if usage is None:
        return {"usage": None}
    return {"usage": [usage.input_tokens, usage.output_tokens], "unknown": usage.unmeasured_requests}


async def _told(run: Any) -> Facts:
    try:
        result = await run
    except Exception as error:
        return {"raised": type(error).__name__}
    return {"answer": result.output} | _of(result.usage)


async def paid_on_error(stage: Stage) -> Facts:
    """A `ModelHTTPError` has the status and the body."""
    own = RunUsage()
    try:
        await _agent(stage).run(MESSAGE, usage=own if stage.asked else None)
    except Exception as error:
        usage = own if stage.asked else getattr(error, "usage", None)
        return {"raised": type(error).__name__, "how": _OWN} | _of(usage)
    return {}


async def paid_on_cancel(stage: Stage) -> Facts:
    """`RunCancelled.from_cancellation` is the documented way from a `CancelledError` to what the run had."""
    if stage.asked:
        return {}
    error = await cancelled(stage, _agent(stage).run(MESSAGE))
    told = RunCancelled.from_cancellation(error)
    where = {"raised": type(error).__name__, "where": "by `RunCancelled.from_cancellation(error)`"}
    return where | _of(None if told is None else told.usage)


async def leaving(stage: Stage) -> Facts:
    """`run_stream` is a context manager; leaving it ends the stream."""
    pieces = 0
    own = RunUsage()
    async with _agent(stage).run_stream(MESSAGE, usage=own) as result:
        async for _ in result.stream_text(delta=True, debounce_by=None):
            pieces += 1
            if pieces == 3:
                if stage.asked:
                    await result.cancel()
                break
    await stage.left()
    return _of(result.usage) | {"calls": result.usage.requests, "how": "`await result.cancel()`"}


async def ceiling(stage: Stage) -> Facts:
    """Runs that are given one `usage` count into it, and `UsageLimits` look at it."""
    one, limits = RunUsage(), UsageLimits(total_tokens_limit=2000)
    options: dict[str, Any] = {"max_concurrency": 1} if stage.asked else {}
    agent = _agent(stage, model_settings=ModelSettings(max_tokens=100), **options)
    message = "word " * 540
    runs = [_told(agent.run(message, usage=one, usage_limits=limits)) for _ in range(10)]
    told = await asyncio.gather(*runs)
    answered = sum("answer" in one for one in told)
    where = "one `RunUsage` for all runs, and `UsageLimits(total_tokens_limit=2000)`"
    return {"answered": answered, "where": where, "how": "one run at a time (`max_concurrency=1`)"}


async def rounds(stage: Stage) -> Facts:
    """`request_limit` bounds the requests."""
    if stage.asked:
        return {}
    told = await _told(_agent(stage).run(MESSAGE, usage_limits=UsageLimits(request_limit=2)))
    return told | {"where": "`UsageLimits(request_limit=2)`"}


async def not_json(stage: Stage) -> Facts:
    """As it comes."""
    return {} if stage.asked else await _told(_agent(stage).run(MESSAGE))


async def one_raises(stage: Stage) -> Facts:
    """What a tool raises ends the run; `ToolFailed` in its place is told to the model."""

    async def safe_look(what: str = "everything") -> str:
        """Look at a thing."""
        try:
            return await look(what)
        except RuntimeError as error:
            raise ToolFailed(str(error)) from error

    safe_look.__name__ = "look"
    agent = _agent(stage, safe_look if stage.asked else look)
    return await _told(agent.run(MESSAGE)) | {"how": "raising `ToolFailed` or `ModelRetry` in the tool"}


async def same_ids(stage: Stage) -> Facts:
    """As it comes."""
    return {} if stage.asked else await _told(_agent(stage).run(MESSAGE))


async def sub_agent(stage: Stage) -> Facts:
    """Delegation by a tool; its documentation shows how to pass `ctx.usage` on."""
    helper = Agent(_model(stage, "helper"))

    async def ask_helper(ctx: RunContext[None], task: str) -> str:
        """Ask the helper."""
        return (await helper.run(task, usage=ctx.usage if stage.asked else None)).output

    lead: Agent[None, str] = Agent(_model(stage, "lead"), tools=[ask_helper])
    return await _told(lead.run(MESSAGE)) | {"how": "passing `usage=ctx.usage` on"}


async def no_usage(stage: Stage) -> Facts:
    """The result's `usage`."""
    if stage.asked:
        return {}

    async def run() -> object:
        usage = (await _agent(stage).run(MESSAGE)).usage
        return _of(usage) | {"shown": repr(usage)}

    return {"reports": await reports(run)}
