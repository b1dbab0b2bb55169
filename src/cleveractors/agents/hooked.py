"""The host's hooks around an agent's work: its start, its tools, its answer, its end."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import TYPE_CHECKING, Any, cast

from cleveractors.abort import Aborted
from cleveractors.agents.tool import ToolAgent, error_message
from cleveractors.context import RunContext
from cleveractors.events.types import CustomEvent
from cleveractors.exceptions import ConfigurationError, FatalToolError, LimitReached
from cleveractors.history import dump_messages
from cleveractors.models.admission import interrupted
from cleveractors.stops import Stop

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage, ToolCall, ToolMessage

    from cleveractors.hooks.facts import SessionOver, ToolRan
    from cleveractors.hooks.payloads import ChildStatus, ToolStatus
    from cleveractors.hooks.run import RunHooks
    from cleveractors.run import Run
    from cleveractors.usage import TokenUsage

__all__ = [
    "ANSWERED",
    "around_child",
    "around_run",
    "hooks_of",
    "root_hooks",
    "tool_with_hooks",
]

ANSWERED = ("completed", "tool_only")


def hooks_of(context: RunContext[Any]) -> RunHooks | None:
    """The hooks of a run, or None where the host has none."""
    return cast("RunHooks | None", context.run.hooks)


def root_hooks(context: RunContext[Any]) -> RunHooks | None:
    """The hooks, where this is the entry agent of a root run: alone it has a start, an answer and an end."""
    run = context.run
    return hooks_of(context) if run.parent is None and run.entry == context.agent else None


# The run


def around_run(
    context: RunContext[Any], messages: list[BaseMessage], model: str
) -> AbstractAsyncContextManager[str | None]:
    """The first hooks of a root run, and on every ending the last.

    Args:
        context: the entry agent's.
        messages: the record; texts that hooks add stand in the user's message.
        model: as `provider/model`.

    Returns:
        Around the agent's work: the answer of a run that a hook denied, else None.
    """
    hooks = root_hooks(context)
    return nullcontext() if hooks is None else _around_run(hooks, context, messages, model)


@asynccontextmanager
async def _around_run(
    hooks: RunHooks, context: RunContext[Any], messages: list[BaseMessage], model: str
) -> AsyncGenerator[str | None]:
    # A stored session goes on when this run has ended.
    session = context.run.session
    try:
        if session is None or session.started:
            await hooks.session_start(context)
        yield await _begin(hooks, context, messages, model)
        await hooks.drain_messages(context)
    except BaseException as error:
        if isinstance(error, Exception):
            await hooks.drain_messages(context)
        if session is None:
            await hooks.session_end(context, _over(context.run, error))
        raise
    if session is None:
        await hooks.session_end(context, _over(context.run, None))


async def _begin(hooks: RunHooks, context: RunContext[Any], messages: list[BaseMessage], model: str) -> str | None:
    from cleveractors.hooks.merging import Denied

    if not hooks.wants("pre_llm_call"):
        return None
    said = messages[-1]
    outcome = await hooks.pre_llm_call(context, cast("Any", said.content), dump_messages(messages[:-1]), model)
    if isinstance(outcome, Denied):
        if not outcome.aborted:
            context.run.stop = Stop("denied", outcome.reason)
        return None if outcome.aborted else outcome.reason
    if outcome.text:
        messages[-1] = _with_context(said, outcome.text)
    return None


def _with_context(said: BaseMessage, text: str) -> BaseMessage:
    """The user's message with what hooks know; the original stays beside it."""
    content = said.content
    longer = f"{content}\n\n{text}" if isinstance(content, str) else [*content, {"type": "text", "text": text}]
    kept = {**said.additional_kwargs, "original_content": content}
    return said.model_copy(update={"content": longer, "additional_kwargs": kept})


def _over(run: Run, error: BaseException | None) -> SessionOver:
    from cleveractors.hooks.facts import SessionOver

    reason = _reason(run, error)
    usage: TokenUsage = run.ledger.totals.usage
    return SessionOver(
        reason,
        completed=reason in ANSWERED,
        failed=reason == "error",
        interrupted=reason in ("cancelled", "aborted", "timeout"),
        usage={**usage._asdict(), "total_tokens": usage.total_tokens},
    )


def _reason(run: Run, error: BaseException | None) -> str:
    if isinstance(error, LimitReached):
        return error.reason
    cut = interrupted(run) if isinstance(error, Aborted | TimeoutError) else None
    if cut is not None:
        return cut.reason
    if error is not None:
        return "error" if isinstance(error, Exception) else "cancelled"
    if run.stop is not None:
        return run.stop.reason
    return (run.conversation.stop_reason if run.conversation is not None else None) or "completed"


@asynccontextmanager
async def around_child(caller: RunContext[Any], context: RunContext[Any]) -> AsyncGenerator[Callable[[str], str]]:
    """The hooks at a child run's start and, on every ending, at its end.

    Args:
        caller: who calls it.
        context: the child's own.

    Yields:
        A function that takes the child's answer and gives it back.
    """
    hooks = hooks_of(caller)
    answers: list[str] = []
    if hooks is None:
        yield str
        return
    from cleveractors.hooks.facts import ChildRan

    context.run.hooks = hooks.child(context)
    child, began = context.run.run_id, time.monotonic()
    status: ChildStatus = "completed"
    try:
        await hooks.subagent_start(caller, context.agent, child)
        yield lambda answer: answers.append(answer) or answer
    except BaseException as error:
        cut = interrupted(caller.run) is not None or context.abort_signal.is_aborted
        status = "failed" if isinstance(error, Exception) and not cut else "interrupted"
        raise
    finally:
        ran = ChildRan(context.agent, child, time.monotonic() - began, "".join(answers), status)
        await hooks.subagent_stop(caller, ran)


# Tools


async def tool_with_hooks(agent: ToolAgent, call: ToolCall, context: RunContext[Any]) -> ToolMessage:
    """Run one call, its gates before it and its observers behind it; `context` is the call's own."""
    hooks = hooks_of(context)
    if hooks is None or not any(hooks.wants(event, agent.name) for event in _TOOL_EVENTS):
        return await agent.answer(call, context)
    arguments, denial = await _gate(hooks, agent, call, context)
    if context.speech is not None:
        context.speech.begin(dict(arguments))
    began = time.monotonic()
    try:
        answer = denial or await agent.answer({**call, "args": dict(arguments)}, context)
    except (ConfigurationError, FatalToolError) as error:
        text = f"{type(error).__name__}: {error}"
        _record(context, error_message(call["id"] or "", agent.name, text))
        await hooks.post_tool_call(context, _ran(call, arguments, text, began, "error"))
        raise
    _record(context, answer)
    status = _status(answer, context, denied=denial is not None)
    ran = _ran(call, arguments, answer.content, began, status)
    await hooks.post_tool_call(context, ran)
    text = await hooks.transform_tool_result(context, ran)
    return answer if text is None else answer.model_copy(update={"content": text})


_TOOL_EVENTS = ("pre_tool_call", "post_tool_call", "transform_tool_result")


def _ran(call: ToolCall, arguments: Mapping[str, Any], result: object, began: float, status: ToolStatus) -> ToolRan:
    from cleveractors.hooks.facts import ToolRan

    return ToolRan(call["name"], dict(arguments), call["id"] or "", result, time.monotonic() - began, status)


async def _gate(
    hooks: RunHooks, agent: ToolAgent, call: ToolCall, context: RunContext[Any]
) -> tuple[Mapping[str, Any], ToolMessage | None]:
    """The arguments to run with, or the answer of a call that is not run."""
    from cleveractors.hooks.merging import Denied

    call_id = call["id"] or ""
    outcome = await hooks.pre_tool_call(context, agent.name, call["args"], call_id, agent.tool.validate)
    if not isinstance(outcome, Denied):
        return outcome.arguments, None
    if context.speech is not None:
        context.speech.begin({})
        if not outcome.aborted:
            await context.speech.tell(CustomEvent("hook_denied", {"reasons": list(outcome.reasons)}))
    text = "aborted before it had answered" if outcome.aborted else outcome.text
    return call["args"], error_message(call_id, agent.name, text)


def _record(context: RunContext[Any], answer: ToolMessage) -> None:
    """Keep the raw result first: whatever a hook does, a tool never runs twice."""
    if context.record is not None:
        context.record(answer)


def _status(answer: ToolMessage, context: RunContext[Any], *, denied: bool) -> ToolStatus:
    if answer.status != "error":
        return "ok"
    if context.abort_signal.is_aborted:
        return "aborted"
    return "denied" if denied else "error"
