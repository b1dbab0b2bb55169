"""agno: `Agent.arun`, `Team`."""

from __future__ import annotations

import asyncio
from typing import Any

from agno.agent import Agent
from agno.db.in_memory import InMemoryDb
from agno.models.openai import OpenAIChat
from agno.run.base import RunStatus
from agno.team import Team

from benchmarks.probes.stage import MESSAGE, Facts, Stage, cancelled, reports
from benchmarks.probes.tools import look

PACKAGES = ("agno", "openai")
_STORED = "a `db`, and the run that is stored there"


def _model(stage: Stage, name: str = "probe") -> OpenAIChat:
    return OpenAIChat(id=name, base_url=stage.base_url, api_key="none")


def _agent(stage: Stage, **options: Any) -> Agent:
    return Agent(model=_model(stage), tools=[look], instructions="You look.", telemetry=False, **options)


def _of(run: Any) -> Facts:
    metrics = None if run is None else run.metrics
    return {"usage": None if metrics is None else [metrics.input_tokens, metrics.output_tokens]}


async def _told(run: Any) -> Facts:
    try:
        output = await run
    except Exception as error:
        return {"raised": type(error).__name__, "usage": None}
    failed = {"failed": "a run of status `ERROR`"} if output.status == RunStatus.error else {"answer": output.content}
    return failed | _of(output)


async def _stored(agent: Agent) -> Any:
    # The run is stored by a task of its own.
    for _ in range(50):
        if (run := await agent.aget_last_run_output(session_id="probe")) is not None:
            return run
        await asyncio.sleep(0.02)
    return None


async def paid_on_error(stage: Stage) -> Facts:
    """An error is a run of status `ERROR`, with its metrics."""
    if not stage.asked:
        return await _told(_agent(stage).arun(MESSAGE)) | {"where": "on a returned run of status `ERROR`"}
    agent = _agent(stage, db=InMemoryDb())
    await _told(agent.arun(MESSAGE, session_id="probe"))
    return _of(await _stored(agent)) | {"how": _STORED}


async def paid_on_cancel(stage: Stage) -> Facts:
    """A cancelled run is stored where there is a `db`."""
    agent = _agent(stage, db=InMemoryDb()) if stage.asked else _agent(stage)
    error = await cancelled(stage, agent.arun(MESSAGE, session_id="probe"))
    usage = _of(await _stored(agent) if stage.asked else None)
    return {"raised": type(error).__name__, "how": _STORED} | usage


async def leaving(stage: Stage) -> Facts:
    """The reader breaks off; `acancel_run` is the documented way to end the run."""
    agent = _agent(stage, db=InMemoryDb())
    pieces = 0
    stream: Any = agent.arun(MESSAGE, stream=True, session_id="probe")
    async for event in stream:
        pieces += event.event == "RunContent" and bool(event.content)
        if pieces == 3 and not stage.asked:
            break
        if pieces == 3:
            await agent.acancel_run(event.run_id)
    del stream
    await stage.left()
    told = _of(await _stored(agent))
    return told | {"calls": int(bool(told["usage"] and sum(told["usage"]))), "how": "`await agent.acancel_run(run_id)`"}


async def ceiling(stage: Stage) -> Facts:
    """`tool_call_limit` counts tool calls."""
    return {"lacking": "`tool_call_limit` bounds the tool calls of one run; nothing bounds tokens"}


async def rounds(stage: Stage) -> Facts:
    """`tool_call_limit`: further calls are answered with a sentence."""
    if stage.asked:
        return {}
    return await _told(_agent(stage, tool_call_limit=2).arun(MESSAGE)) | {"where": "`tool_call_limit=2`"}


async def not_json(stage: Stage) -> Facts:
    """As it comes."""
    return {} if stage.asked else await _told(_agent(stage).arun(MESSAGE))


async def one_raises(stage: Stage) -> Facts:
    """As it comes."""
    return {} if stage.asked else await _told(_agent(stage).arun(MESSAGE))


async def same_ids(stage: Stage) -> Facts:
    """As it comes."""
    return {} if stage.asked else await _told(_agent(stage).arun(MESSAGE))


async def sub_agent(stage: Stage) -> Facts:
    """A `Team` is its way for an agent that hands work to another."""
    helper = Agent(name="helper", model=_model(stage, "helper"), telemetry=False)
    db = InMemoryDb() if stage.asked else None
    team = Team(name="lead", members=[helper], model=_model(stage, "lead"), telemetry=False, db=db)
    told = await _told(team.arun(MESSAGE, session_id="probe"))
    metrics = await team.aget_session_metrics(session_id="probe") if stage.asked else None
    whole = {"usage": [metrics.input_tokens, metrics.output_tokens]} if metrics else {}
    return told | whole | {"how": "a `db`, and the metrics of the session"}


async def no_usage(stage: Stage) -> Facts:
    """The `metrics` of the run and of its messages, but for times."""
    if stage.asked:
        return {}

    async def run() -> object:
        output = await _agent(stage).arun(MESSAGE)
        shown = [_timeless(one.metrics) for one in (output, *(output.messages or []))]
        return _of(output) | {"shown": repr(shown)}

    return {"reports": await reports(run)}


def _timeless(metrics: Any) -> dict[str, Any]:
    told = {} if metrics is None else metrics.to_dict()
    return {name: value for name, value in told.items() if "time" not in name and name != "duration"}
