"""The OpenAI Agents SDK on chat completions: `Runner.run`, `Runner.run_streamed`."""

from __future__ import annotations

from typing import Any

from agents import (
    Agent,
    ModelSettings,
    OpenAIChatCompletionsModel,
    RunHooks,
    Runner,
    Usage,
    function_tool,
    set_tracing_disabled,
)
from openai import AsyncOpenAI
from openai.types.responses import ResponseTextDeltaEvent

from benchmarks.probes.stage import MESSAGE, Facts, Stage, cancelled, reports
from benchmarks.probes.tools import look

PACKAGES = ("openai-agents", "openai")
_HOOK = "`RunHooks.on_llm_end`, which is given `context.usage`"


class _Watch(RunHooks[Any]):
    """Keeps the usage that a hook is shown."""

    usage: Usage | None = None

    async def on_llm_end(self, context: Any, agent: Any, response: Any) -> None:
        """After each call."""
        self.usage = context.usage


def _model(stage: Stage, name: str = "probe") -> OpenAIChatCompletionsModel:
    set_tracing_disabled(True)
    return OpenAIChatCompletionsModel(name, AsyncOpenAI(base_url=stage.base_url, api_key="none"))


def _agent(stage: Stage, *tools: Any, settings: ModelSettings | None = None) -> Agent[Any]:
    settings = settings or ModelSettings(include_usage=True)
    kept = list(tools) or [function_tool(look)]
    return Agent(name="probe", instructions="You look.", model=_model(stage), model_settings=settings, tools=kept)


def _of(usage: Usage | None) -> Facts:
    return {"usage": None if usage is None else [usage.input_tokens, usage.output_tokens]}


def _on(error: BaseException) -> Usage | None:
    data = getattr(error, "run_data", None)
    return None if data is None else data.context_wrapper.usage


async def _told(run: Any) -> Facts:
    try:
        result = await run
    except Exception as error:
        return {"raised": type(error).__name__} | _of(_on(error))
    return {"answer": result.final_output} | _of(result.context_wrapper.usage)


async def paid_on_error(stage: Stage) -> Facts:
    """The SDK's own exceptions have `run_data`; the client's pass as they are."""
    watch = _Watch()
    told = await _told(Runner.run(_agent(stage), MESSAGE, hooks=watch if stage.asked else None))
    return told | {"how": _HOOK} | (_of(watch.usage) if stage.asked else {})


async def paid_on_cancel(stage: Stage) -> Facts:
    """A `CancelledError` is a plain one."""
    watch = _Watch()
    error = await cancelled(stage, Runner.run(_agent(stage), MESSAGE, hooks=watch if stage.asked else None))
    return {"raised": type(error).__name__, "how": _HOOK} | _of(watch.usage if stage.asked else _on(error))


async def leaving(stage: Stage) -> Facts:
    """The reader breaks off; `result.cancel()` is the documented way to end the run."""
    result = Runner.run_streamed(_agent(stage), MESSAGE)
    pieces = 0
    events = result.stream_events()
    async for event in events:
        if event.type == "raw_response_event" and isinstance(event.data, ResponseTextDeltaEvent):
            pieces += 1
        if pieces == 3 and not stage.asked:
            break
        if pieces == 3:
            result.cancel()
    await stage.left()
    usage = result.context_wrapper.usage
    return _of(usage) | {"calls": usage.requests, "how": "`result.cancel()`"}


async def ceiling(stage: Stage) -> Facts:
    """`max_turns` counts turns of one run."""
    return {"lacking": "`max_turns` bounds the turns of one run; nothing bounds tokens"}


async def rounds(stage: Stage) -> Facts:
    """`max_turns`, and an error handler that gives an answer in its place."""
    options: dict[str, Any] = {"error_handlers": {"max_turns": lambda told: "I have to stop here."}}
    run = Runner.run(_agent(stage), MESSAGE, max_turns=2, **(options if stage.asked else {}))
    return await _told(run) | {
        "where": "`max_turns=2`",
        "how": 'a sentence of the host\'s from `error_handlers={"max_turns": …}`',
    }


async def not_json(stage: Stage) -> Facts:
    """As it comes."""
    return {} if stage.asked else await _told(Runner.run(_agent(stage), MESSAGE))


async def one_raises(stage: Stage) -> Facts:
    """The default `failure_error_function` tells the model."""
    return {} if stage.asked else await _told(Runner.run(_agent(stage), MESSAGE))


async def same_ids(stage: Stage) -> Facts:
    """As it comes."""
    return {} if stage.asked else await _told(Runner.run(_agent(stage), MESSAGE))


async def sub_agent(stage: Stage) -> Facts:
    """`Agent.as_tool`."""
    if stage.asked:
        return {}
    helper = Agent(name="helper", instructions="You help.", model=_model(stage, "helper"))
    tool = helper.as_tool(tool_name="ask_helper", tool_description="Ask the helper.")
    lead = Agent(name="lead", instructions="You ask.", model=_model(stage, "lead"), tools=[tool])
    return await _told(Runner.run(lead, MESSAGE))


async def no_usage(stage: Stage) -> Facts:
    """`Usage`, and each response's raw one where it is kept."""
    settings = ModelSettings(preserve_raw_usage=True) if stage.asked else ModelSettings()
    agent = _agent(stage, settings=settings)

    async def run() -> object:
        result = await Runner.run(agent, MESSAGE)
        usage = result.context_wrapper.usage
        shown = [response.raw_usage for response in result.raw_responses] if stage.asked else usage
        return _of(usage) | {"shown": repr(shown)}

    return {"reports": await reports(run), "how": "`ModelSettings(preserve_raw_usage=True)`"}
