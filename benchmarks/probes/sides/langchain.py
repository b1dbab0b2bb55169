"""LangChain's `create_agent` with `ChatOpenAI`."""

from __future__ import annotations

from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import ModelCallLimitMiddleware, ToolErrorMiddleware
from langchain_core.callbacks import UsageMetadataCallbackHandler
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

from benchmarks.probes.stage import MESSAGE, Facts, Stage, cancelled, reports
from benchmarks.probes.tools import look

PACKAGES = ("langchain", "langgraph", "langchain-openai", "openai")
_CALLBACK = "a `UsageMetadataCallbackHandler` among the run's callbacks"
_INPUT: Any = {"messages": [("user", MESSAGE)]}


def _model(stage: Stage, name: str = "probe") -> ChatOpenAI:
    return ChatOpenAI(model=name, base_url=stage.base_url, api_key="none", stream_usage=True)


def _agent(stage: Stage, *middleware: Any) -> Any:
    return create_agent(_model(stage), [look], middleware=middleware)


def _sum(usages: Any) -> list[int]:
    told = [usage for usage in usages if usage]
    return [sum(usage["input_tokens"] for usage in told), sum(usage["output_tokens"] for usage in told)]


def _of(state: Any) -> list[int]:
    return _sum(message.usage_metadata for message in state["messages"] if isinstance(message, AIMessage))


async def _told(run: Any) -> Facts:
    try:
        state = await run
    except Exception as error:
        return {"raised": type(error).__name__, "usage": None}
    last = state["messages"][-1]
    return {"answer": last.text if isinstance(last, AIMessage) else None, "usage": _of(state)}


async def paid_on_error(stage: Stage) -> Facts:
    """Usage stands on the state's messages, which an exception does not have."""
    watch = UsageMetadataCallbackHandler()
    config: Any = {"callbacks": [watch]} if stage.asked else {}
    told = await _told(_agent(stage).ainvoke(_INPUT, config))
    return told | {"how": _CALLBACK} | ({"usage": _sum(watch.usage_metadata.values())} if stage.asked else {})


async def paid_on_cancel(stage: Stage) -> Facts:
    """As for an error."""
    watch = UsageMetadataCallbackHandler()
    config: Any = {"callbacks": [watch]} if stage.asked else {}
    error = await cancelled(stage, _agent(stage).ainvoke(_INPUT, config))
    usage = _sum(watch.usage_metadata.values()) if stage.asked else getattr(error, "usage", None)
    return {"raised": type(error).__name__, "usage": usage, "how": _CALLBACK}


async def leaving(stage: Stage) -> Facts:
    """The reader breaks off; usage is told by the last piece, or by a callback."""
    watch = UsageMetadataCallbackHandler()
    config: Any = {"callbacks": [watch]} if stage.asked else {}
    stream: Any = _agent(stage).astream(_INPUT, config, stream_mode="messages")
    pieces = 0
    async for message, _ in stream:
        pieces += isinstance(message, AIMessageChunk) and bool(message.text)
        if pieces == 3:
            break
    del stream
    await stage.left()
    usage = _sum(watch.usage_metadata.values())
    return {"usage": usage, "calls": len(watch.usage_metadata), "how": _CALLBACK}


async def ceiling(stage: Stage) -> Facts:
    """`ModelCallLimitMiddleware` counts calls."""
    return {"lacking": "`ModelCallLimitMiddleware` counts calls of a run or thread; nothing bounds tokens"}


async def rounds(stage: Stage) -> Facts:
    """The graph's own `recursion_limit` raises; the middleware for it ends the run."""
    if not stage.asked:
        return await _told(_agent(stage).ainvoke(_INPUT, {"recursion_limit": 4})) | {"where": "`recursion_limit=4`"}
    limit = ModelCallLimitMiddleware(run_limit=2, exit_behavior="end")
    return await _told(_agent(stage, limit).ainvoke(_INPUT)) | {"how": "`ModelCallLimitMiddleware`"}


async def not_json(stage: Stage) -> Facts:
    """As it comes."""
    return {} if stage.asked else await _told(_agent(stage).ainvoke(_INPUT))


async def one_raises(stage: Stage) -> Facts:
    """What a tool raises ends the run; a middleware tells the model."""
    middleware = [ToolErrorMiddleware(on_error=lambda error, request: str(error))] if stage.asked else []
    return await _told(_agent(stage, *middleware).ainvoke(_INPUT)) | {"how": "`ToolErrorMiddleware`"}


async def same_ids(stage: Stage) -> Facts:
    """As it comes."""
    return {} if stage.asked else await _told(_agent(stage).ainvoke(_INPUT))


async def sub_agent(stage: Stage) -> Facts:
    """A sub-agent wrapped in a tool, as its documentation shows."""
    helper = create_agent(_model(stage, "helper"), [])

    @tool
    async def ask_helper(task: str) -> str:
        """Ask the helper."""
        return (await helper.ainvoke({"messages": [("user", task)]}))["messages"][-1].text

    watch = UsageMetadataCallbackHandler()
    lead: Any = create_agent(_model(stage, "lead"), [ask_helper])
    told = await _told(lead.ainvoke(_INPUT, {"callbacks": [watch]}))
    return told | {"how": _CALLBACK} | ({"usage": _sum(watch.usage_metadata.values())} if stage.asked else {})


async def no_usage(stage: Stage) -> Facts:
    """Each message's `usage_metadata`."""
    if stage.asked:
        return {}

    async def run() -> object:
        state = await _agent(stage).ainvoke(_INPUT)
        shown = [message.usage_metadata for message in state["messages"] if isinstance(message, AIMessage)]
        return {"usage": _of(state), "shown": repr(shown)}

    return {"reports": await reports(run), "where": "on the messages; sums do not tell"}
