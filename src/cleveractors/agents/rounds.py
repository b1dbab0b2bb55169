"""One round: a response that asks for tools, and the running of those tools."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from cleveractors.agents.conversation import CUT, Conversation
from cleveractors.agents.dispatch import FatalAnswers, dispatch
from cleveractors.agents.endings import ENDINGS
from cleveractors.agents.tool import error_message
from cleveractors.context import RunContext
from cleveractors.models.asked import AskedCall
from cleveractors.stops import StopReason

if TYPE_CHECKING:
    from langchain_core.messages import ToolCall, ToolMessage

    from cleveractors.config import LLMAgentConfig

__all__ = ["run_round"]


class Host(Protocol):
    """The agent whose round it is."""

    @property
    def config(self) -> LLMAgentConfig: ...

    async def call_tool(self, call: ToolCall, context: RunContext[Any]) -> ToolMessage: ...


async def run_round(
    agent: Host, talk: Conversation, calls: Sequence[AskedCall], context: RunContext[Any]
) -> StopReason | None:
    """Answer every call of a response, or none of them.

    Returns:
        Why the loop ends with this round, if it does; calls that were not answered are left open.
    """
    config = agent.config
    if talk.rounds >= config.tool_max_rounds:
        await leave_unrun(talk, calls, ENDINGS["max_rounds"].open_calls)
        return talk.stop("max_rounds", f"the model asked for tools again after {talk.rounds} rounds, all it may have")
    talk.rounds += 1
    allowed = len(calls)
    if talk.finish_reason in CUT or talk.finish_reason == "content_filter":
        why = f"not run: the provider cut the response ({talk.finish_reason}), so that its calls may be incomplete"
        await leave_unrun(talk, calls, why)
    else:
        allowed = _allowed(talk, len(calls))
        talk.tool_calls += allowed
        talk.run.counters.tool_calls += allowed
        await _answer(agent, talk, calls, allowed, context)
    if allowed < len(calls):
        limit = talk.run.limits.max_tool_calls
        return talk.stop("tool_calls", f"the limit of {limit} tool calls is reached")
    if talk.note_round(_signature(talk, calls), config.max_repeated_calls):
        return talk.stop("repeated_calls", f"{config.max_repeated_calls} rounds running were equal: {_names(calls)}")
    return None


def _allowed(talk: Conversation, asked: int) -> int:
    limit = talk.run.limits.max_tool_calls
    return asked if limit is None else max(min(asked, limit - talk.run.counters.tool_calls), 0)


async def _answer(
    agent: Host, talk: Conversation, calls: Sequence[AskedCall], allowed: int, context: RunContext[Any]
) -> None:
    """Run the calls that are allowed; each result goes to its call's place in the record as soon as it is there."""
    able = [_within_uses(talk, call) for call in calls[:allowed]]
    async with _Batch(talk, calls):
        try:
            if able:
                await dispatch(able, agent.call_tool, context, talk.put_result, limit=agent.config.max_parallel_tools)
        except FatalAnswers as fatal:
            raise fatal.error from fatal.error.__cause__
        await _not_run(talk, calls[allowed:], ENDINGS["tool_calls"].open_calls)


async def leave_unrun(talk: Conversation, calls: Sequence[AskedCall], text: str) -> None:
    """Answer calls without running any of them."""
    async with _Batch(talk, calls):
        await _not_run(talk, calls, text)


async def _not_run(talk: Conversation, calls: Sequence[AskedCall], text: str) -> None:
    if not calls:
        return
    talk.close(text)
    if talk.voice is not None:
        await talk.voice.not_run([error_message(call.id or "", call.name, text) for call in calls])


class _Batch:
    """Tells that the calls of a response begin and, on every way out, that they have ended."""

    __slots__ = ("_calls", "_voice")

    def __init__(self, talk: Conversation, calls: Sequence[AskedCall]) -> None:
        self._voice = talk.voice
        self._calls = calls

    async def __aenter__(self) -> None:
        if self._voice is None:
            return
        try:
            await self._voice.begin_batch(self._calls)
        except BaseException:
            self._voice.end_batch()
            raise

    async def __aexit__(self, *error: object) -> None:
        if self._voice is not None:
            self._voice.end_batch()


def _within_uses(talk: Conversation, call: AskedCall) -> AskedCall:
    """The call, or one that is not run since its tool was used as often as it may be."""
    tool = talk.tools.get(call.name)
    if tool is None or tool.options.max_uses is None or call.arguments is None:
        return call
    talk.run.uses[call.name] += 1
    if talk.run.uses[call.name] <= tool.options.max_uses:
        return call
    raw = json.dumps(call.arguments, ensure_ascii=False, default=str)
    return AskedCall(call.id, call.name, None, raw, f"{call.name} may be used {tool.options.max_uses} times in a run")


def _signature(talk: Conversation, calls: Sequence[AskedCall]) -> object:
    """What makes two rounds equal: names, arguments, results; None where a tool may be repeated."""
    parts: list[object] = []
    for call, answer in zip(calls, talk.results(len(calls)), strict=True):
        tool = talk.tools.get(call.name)
        if tool is not None and tool.options.repeatable:
            return None
        parts += call.name, repr(call.arguments), call.raw, repr(answer.content)
    return parts


def _names(calls: Sequence[AskedCall]) -> str:
    return ", ".join(dict.fromkeys(call.name for call in calls))
