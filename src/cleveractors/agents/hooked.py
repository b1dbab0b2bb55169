"""The host's hooks around an agent's work: its start, its tools, its answer, its end."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Protocol, cast

from cleveractors.abort import Aborted
from cleveractors.agents.tool import ToolAgent, error_message
from cleveractors.context import RunContext
from cleveractors.events.types import CustomEvent
from cleveractors.exceptions import ConfigurationError, FatalToolError, LimitReached
from cleveractors.history import dump_messages
from cleveractors.stops import Stop

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage, ToolCall, ToolMessage

    from cleveractors.agents.conversation import Conversation
    from cleveractors.hooks.facts import SessionOver, ToolRan
    from cleveractors.hooks.payloads import ChildStatus, ToolStatus
    from cleveractors.hooks.run import RunHooks
    from cleveractors.run import Run
    from cleveractors.usage import TokenUsage

__all__ = [
    "accept_answer",
    "accept_plain",
    "around_child",
    "around_run",
    "hooks_of",
    "root_hooks",
    "tell_answer",
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


@asynccontextmanager
async def around_run(context: RunContext[Any], messages: list[BaseMessage], model: str) -> AsyncGenerator[str | None]:
    """The first hooks of a root run, and on every ending the last.

    Args:
        context: the entry agent's.
        messages: the record; texts that hooks add stand in the user's message.
        model: as `provider/model`.

    Yields:
        The answer of a run that a hook denied, else None.
    """
    hooks = root_hooks(context)
    if hooks is None:
        yield None
        return
    try:
        await hooks.session_start(context)
        yield await _begin(hooks, context, messages, model)
    except BaseException as error:
        await hooks.session_end(context, _over(context.run, error))
        raise
    await hooks.session_end(context, _over(context.run, None))


async def _begin(hooks: RunHooks, context: RunContext[Any], messages: list[BaseMessage], model: str) -> str | None:
    from cleveractors.hooks.merging import Denied

    if not hooks.wants("pre_llm_call"):
        return None
    said = messages[-1]
    outcome = await hooks.pre_llm_call(context, cast("Any", said.content), dump_messages(messages[:-1]), model)
    if isinstance(outcome, Denied):
        if outcome.aborted:
            return None
        context.run.stop = Stop("denied", outcome.reason)
        return outcome.reason
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
    if isinstance(error, Aborted | TimeoutError) and run.signal.is_aborted:
        return "aborted"
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
    await hooks.subagent_start(caller, context.agent, child)
    status: ChildStatus = "completed"
    try:
        yield lambda answer: answers.append(answer) or answer
    except BaseException as error:
        status = "failed" if isinstance(error, Exception) else "interrupted"
        raise
    finally:
        ran = ChildRan(context.agent, child, time.monotonic() - began, "".join(answers), status)
        await hooks.subagent_stop(caller, ran)


# The answer


class Step(Protocol):
    """The agent's own last step."""

    async def finish(self, answer: str, context: RunContext[Any]) -> str: ...


async def accept_answer(
    agent: Step, talk: Conversation, context: RunContext[Any], answer: AIMessage
) -> AIMessage | None:
    """Have the agent and the hooks see a loop's answer before anybody else does.

    Returns:
        The answer as it is delivered, which stands in the record; None where a hook sent the agent back.
    """
    text = await agent.finish(answer.text, context)
    hooks = root_hooks(context)
    model = f"{talk.port.provider}/{talk.port.name}"
    if hooks is not None:
        await hooks.drain_messages(context)
    if hooks is not None and talk.stop_reason not in _CUT_SHORT:
        replaced = await hooks.transform_llm_output(context, text, model)
        more = await hooks.stop(context, replaced) if talk.stop_reason in ANSWERED else None
        if more is not None or replaced != text:
            await _take_back(context, "stop" if more is not None else "transform_llm_output")
        if more is not None:
            talk.go_on(more)
            return None
        text = replaced
    if text != answer.text:
        answer = answer.model_copy(update={"content": text})
        talk.messages[-1] = answer
    if hooks is not None and talk.stop_reason not in _CUT_SHORT:
        await tell_answer(hooks, context, talk.messages, text, model)
    return answer


_CUT_SHORT = ("aborted", "timeout", "denied")


async def _take_back(context: RunContext[Any], why: str) -> None:
    """What was streamed of an answer is not what counts."""
    if context.voice is not None:
        await context.voice.custom("stream_reset", reason=why)


async def tell_answer(
    hooks: RunHooks, context: RunContext[Any], messages: list[BaseMessage], text: str, model: str
) -> None:
    """Tell that the run has answered."""
    if hooks.wants("post_llm_call"):
        said = next((one for one in reversed(messages) if one.type == "human"), None)
        question: Any = said.additional_kwargs.get("original_content", said.content) if said else ""
        await hooks.post_llm_call(context, question, text, dump_messages(messages), model)


async def accept_plain(context: RunContext[Any], messages: list[BaseMessage], text: str) -> str:
    """Have the hooks see the answer of an agent that keeps no conversation, and so can't be sent back."""
    hooks = root_hooks(context)
    if hooks is None:
        return text
    await hooks.drain_messages(context)
    text = await hooks.transform_llm_output(context, text, "")
    await tell_answer(hooks, context, messages, text, "")
    return text


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
        await hooks.post_tool_call(context, _ran(call, arguments, str(error), began, "error"))
        raise
    if context.record is not None:
        # The raw result first: whatever a hook does, a tool never runs twice.
        context.record(answer)
    status: ToolStatus = "denied" if denial is not None else _status(answer, context)
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


def _status(answer: ToolMessage, context: RunContext[Any]) -> ToolStatus:
    if answer.status != "error":
        return "ok"
    return "aborted" if context.abort_signal.is_aborted else "error"
