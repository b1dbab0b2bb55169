"""The only place that makes a result."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from cleveractors.agents.endings import fallback
from cleveractors.agents.orphans import end_orphans
from cleveractors.exceptions import text_of
from cleveractors.history import close_open_calls
from cleveractors.result import ActorResult, ErrorInfo, attach_result, without_frames
from cleveractors.stops import StopReason
from cleveractors.tasks import outlive

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

    from cleveractors.run import Run

__all__ = ["OBSERVER_SECONDS", "conclude", "said", "settle", "so_far", "summarise"]


OBSERVER_SECONDS = 1.0
"""How long a run's end waits for observers to have taken its events."""


def settle(run: Run) -> None:
    """Close what is open, at once: rows, reservations, history. Whoever comes first wins; nothing here awaits."""
    for cut in list(run.live.values()):
        cut()
    run.live.clear()
    if run.conversation is not None:
        close_open_calls(run.conversation.messages)
    run.end()


async def conclude(run: Run, error: BaseException | None = None) -> ActorResult[Any]:
    """End a run: settle, hand over the last rows, make the result, deliver the bill.

    A cancellation that comes meanwhile is raised after all of it.

    Args:
        run: that ended.
        error: the exception that leaves it.
    """
    settle(run)
    cancelled: BaseException | None = await _through(run, end_orphans(run)) if run.children else None
    services = run.services
    if not run.delivered:
        run.delivered = True
        if services.usage_sink is not None and run.late_rows:
            cancelled = await _through(run, services.usage_sink.flush(run, services.sink_timeout)) or cancelled
        result = run.result = run.result or summarise(run, error)
        if services.result_sink is not None:
            cancelled = await _through(run, services.result_sink.deliver(result)) or cancelled
    if run.publisher is not None and run.parent is None:
        cancelled = await _through(run, run.publisher.drain(OBSERVER_SECONDS)) or cancelled
    result = run.result or summarise(run, error)
    if error is not None:
        attach_result(error, result)
    if cancelled is not None and not isinstance(error, asyncio.CancelledError):
        attach_result(cancelled, result)
        raise cancelled
    return result


async def _through(run: Run, delivery: Any) -> BaseException | None:
    """Deliver to the end; the cancellation that came meanwhile, or what no sink may keep to itself; else None."""
    try:
        await outlive(delivery, 3 * run.services.sink_timeout, f"the bill of run {run.run_id}")
    except TimeoutError:
        return None
    except BaseException as error:  # raised by `conclude`, with the bill on it
        return error
    return None


def summarise(run: Run, error: BaseException | None, *, left: bool = False) -> ActorResult[Any]:
    """Read a run's result off its record; with `left`, as it stands while the run goes on without its caller."""
    talk, totals = run.conversation, run.ledger.totals
    reason, detail = ("detached", "its caller left; the run goes on") if left else _reason(run, error)
    messages = _messages(run)
    response = run.answer if run.answer is not None else so_far(run)
    return ActorResult(
        response=response,
        output=run.output if run.contract is not None else response,
        stop_reason=reason,
        stop_detail=detail,
        finish_reason=talk.finish_reason if talk else None,
        prompt_tokens=totals.prompt_tokens,
        completion_tokens=totals.completion_tokens,
        cached_tokens=totals.cached_tokens,
        reasoning_tokens=totals.reasoning_tokens,
        estimated_prompt_tokens=totals.estimated_prompt_tokens,
        estimated_completion_tokens=totals.estimated_completion_tokens,
        unmeasured_calls=totals.unmeasured_calls,
        cost=totals.cost,
        estimated_cost=totals.estimated_cost,
        unpriced_calls=totals.unpriced_calls,
        invocations=tuple(row.freeze() for row in run.ledger.rows),
        undelivered=tuple(dict.fromkeys(run.undelivered)),
        rounds=talk.rounds if talk else 0,
        tool_calls=talk.tool_calls if talk else 0,
        budget_exhausted=talk.budget_exhausted if talk else False,
        budget_refusal=talk.budget_refusal if talk else None,
        synthesis_was_run=talk.synthesis_was_run if talk else False,
        error=_error(run, error if reason == "error" else None),
        messages=messages,
        new_messages=messages[len(run.history) :],
        repairs=tuple(run.repairs),
        tenant=run.labels.tenant,
        metadata=run.labels.metadata,
        run_id=run.run_id,
        session_id=run.labels.session_id,
        duration=run.duration,
    )


def _error(run: Run, raised: BaseException | None) -> BaseException | ErrorInfo | None:
    """What the result tells of an error; one that still travels keeps its frames, and so is told as data."""
    if raised is not None:
        return ErrorInfo.of(raised)
    kept = run.conversation.error if run.conversation is not None else None
    return None if kept is None else without_frames(kept)


def _reason(run: Run, error: BaseException | None) -> tuple[StopReason, str]:
    if run.stop is not None:
        return run.stop.reason, run.stop.detail
    if error is None:
        talk = run.conversation
        if talk is not None and talk.stop_reason is not None:
            return talk.stop_reason, talk.stop_detail
        return "completed", "the agent answered"
    if isinstance(error, asyncio.CancelledError | GeneratorExit | KeyboardInterrupt | SystemExit):
        return "cancelled", "the run was cancelled or left by its caller"
    return "error", f"{type(error).__name__}: {text_of(error)}"


def so_far(run: Run) -> str:
    """The text that a run without an answer came to; where its own limits ended it, a sentence at least."""
    text = run.partial_text or (run.conversation.last_text if run.conversation is not None else "")
    return text if run.stop is None else fallback(run.stop.reason, run.stop.detail, text)


def said(run: Run) -> list[BaseMessage]:
    """Settle a run whose agent has ended, and tell what it added to its history."""
    settle(run)
    return _messages(run)[len(run.history) :]


def _messages(run: Run) -> list[BaseMessage]:
    return list(run.conversation.messages) if run.conversation is not None else _plain_messages(run)


def _plain_messages(run: Run) -> list[BaseMessage]:
    """The history of an agent that keeps none of its own: what was asked, what was answered."""
    from langchain_core.messages import AIMessage

    messages = [*run.history, *([run.message] if run.message is not None else ())]
    answer = so_far(run) if run.stop is not None and run.answer is None else run.answer
    return [*messages, AIMessage(answer)] if answer else messages
