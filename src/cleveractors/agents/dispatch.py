"""The fourth verb: every tool call gets exactly one answer, in the order asked."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, cast

from cleveractors.agents.hooked import hooks_of, tool_with_hooks
from cleveractors.agents.tool import ToolAgent, error_message, no_such_tool
from cleveractors.context import RunContext
from cleveractors.events.speech import Speech
from cleveractors.events.voice import Voice
from cleveractors.exceptions import ConfigurationError, FatalToolError, text_of
from cleveractors.identifiers import new_call_id
from cleveractors.models.asked import AskedCall
from cleveractors.tasks import run_all
from cleveractors.tools.base import Tool
from cleveractors.tools.results import preview, render

if TYPE_CHECKING:
    from langchain_core.messages import ToolCall, ToolMessage

__all__ = ["FatalAnswers", "dispatch", "run_aloud", "run_tool"]

_log = logging.getLogger("cleveractors")

Seam = Callable[["ToolCall", RunContext[Any]], "Awaitable[ToolMessage]"]


class Put(Protocol):
    """Takes each answer with its call's place, as soon as it is there; before hooks have seen it, a raw one."""

    def __call__(self, place: int, result: ToolMessage, *, raw: bool = False) -> object: ...


async def run_tool(
    tools: Mapping[str, Tool], call: ToolCall, context: RunContext[Any], *, timeout: float | None
) -> ToolMessage:
    """Run one call through an agent of its own that lives as long as the call."""
    tool = tools.get(call["name"])
    call_id = call["id"] or ""
    if tool is None:
        return error_message(call_id, call["name"], no_such_tool(call["name"], tools))
    own = tool.options.timeout
    default = timeout if tool.timed else None
    agent = ToolAgent(tool, timeout=own if own is not None else default)
    spoken = context.for_tool(call_id)
    if context.tool_call_id == call_id:
        # A call that a tool makes itself is on no record.
        spoken.record = context.record
    return await tool_with_hooks(agent, call, spoken)


async def run_aloud(seam: Seam, call: ToolCall, context: RunContext[Any]) -> ToolMessage:
    """Run a call of an agent that has no loop, and tell of it where somebody listens."""
    if context.voice is None or context.speech is not None:
        return await seam(call, context)
    asked = AskedCall(call["id"] or new_call_id(), call["name"], dict(call["args"]))
    answers: list[ToolMessage] = []
    fatal: list[Exception] = []

    def put(place: int, result: ToolMessage, *, raw: bool = False) -> None:
        del place, raw
        answers.append(result)

    await _answer_aloud(asked, seam, context, context.voice, fatal, 0, put)
    if fatal:
        raise fatal[0]
    return answers[-1]


async def dispatch(
    calls: Sequence[AskedCall],
    seam: Seam,
    context: RunContext[Any],
    put: Put,
    *,
    limit: int,
) -> None:
    """Answer every call, at most `limit` at a time; trouble in one cancels nobody.

    Args:
        calls: in the order asked.
        seam: runs one of them.
        context: of the loop.
        put: takes each answer.
        limit: calls that run at a time.

    Raises:
        FatalAnswers: a tool ended the run; the calls beside it have finished.
    """
    fatal: list[Exception] = []

    async def one(index: int) -> None:
        call = calls[index]
        if context.voice is not None:
            await _answer_aloud(call, seam, context, context.voice, fatal, index, put)
            return
        own = context
        if context.run.hooks is not None:
            own = context.for_tool(call.id)
            own.record = partial(put, index, raw=True)
        put(index, await _answer(call, seam, own, fatal))

    await run_all([partial(one, index) for index in range(len(calls))], limit, f"tools of run {context.run_id}")
    if fatal:
        raise FatalAnswers(fatal[0])


class FatalAnswers(Exception):
    """Internal: a tool ended the run.

    Args:
        error: what it raised.
    """

    def __init__(self, error: Exception) -> None:
        super().__init__(text_of(error))
        self.error = error


async def _answer_aloud(
    call: AskedCall,
    seam: Seam,
    context: RunContext[Any],
    voice: Voice,
    fatal: list[Exception],
    place: int,
    put: Put,
) -> None:
    """Answer a call; its start and, on every way out, its end are told, with what the tool says between them."""
    call_id = call.id or ""
    known = context.talk is None or call.name in getattr(context.talk, "tools", ())
    arguments = call.arguments if call.arguments is not None and known else {}
    speech, answer = Speech(voice, call.name, call_id), None
    # Where a gate may change the arguments, the call's start is told behind it.
    room = _is_gated(call, context) or speech.begin(arguments)
    began = time.monotonic()
    try:
        if not room:
            await voice.wait_for_room()
            began = time.monotonic()
        own = context.for_tool(call_id, speech)
        own.record = partial(put, place, raw=True)
        answer = await _answer(call, seam, own, fatal)
        put(place, answer)
    finally:
        speech.begin(arguments)
        speech.end()
        seconds = max(time.monotonic() - began - speech.held, 0.0)
        room = voice.end_call((call.name, call_id), speech.arguments or {}, answer, seconds)
    if not room:
        await voice.wait_for_room()


def _is_gated(call: AskedCall, context: RunContext[Any]) -> bool:
    hooks = hooks_of(context)
    return hooks is not None and call.arguments is not None and hooks.wants("pre_tool_call", call.name)


async def _answer(call: AskedCall, seam: Seam, context: RunContext[Any], fatal: list[Exception]) -> ToolMessage:
    call_id = call.id or ""
    if call.arguments is None:
        return error_message(call_id, call.name, f"not run: {call.error}; the arguments were: {preview(call.raw)}")
    asked: ToolCall = {"name": call.name, "args": call.arguments, "id": call_id, "type": "tool_call"}
    try:
        return _paired(await seam(asked, context), asked)
    except (ConfigurationError, FatalToolError) as error:
        fatal.append(error)
        return error_message(call_id, call.name, f"{type(error).__name__}: {text_of(error)}")
    except asyncio.CancelledError:
        if _cancelled_by_us():
            raise
        return error_message(call_id, call.name, "the tool was cancelled by itself")
    except Exception as error:
        # The seam may be a host's own; whatever it does, the call is answered.
        _log.warning("call_tool failed", exc_info=error)
        return error_message(call_id, call.name, f"{type(error).__name__}: {text_of(error)}")


def _paired(answer: object, call: ToolCall) -> ToolMessage:
    """What a seam gave, as the answer to its call: a host's own may have made it for another id, or of plain text."""
    from langchain_core.messages import ToolMessage

    if not isinstance(answer, ToolMessage):
        return ToolMessage(cast("Any", render(answer)), tool_call_id=call["id"] or "", name=call["name"])
    if answer.tool_call_id == call["id"]:
        return answer
    return answer.model_copy(update={"tool_call_id": call["id"]})


def _cancelled_by_us() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
