"""One hook, asked once: it gives exactly one verdict, or exactly one failure."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, NamedTuple, cast

from cleveractors.abort import Aborted, AbortSignal, bounded
from cleveractors.ambient import enter, leave, peek
from cleveractors.hooks.hook import Hook
from cleveractors.hooks.payload import Payload
from cleveractors.hooks.verdicts import VERDICTS, AddContext, Ask, Continue, Deny, Modify, ReplaceText, Verdict

__all__ = ["GRACE", "FailureKind", "HookFailure", "Limit", "Outcome", "ask", "verdict_of", "within"]

GRACE = 1.0
"""Seconds between asking a process to end and killing it."""
MOST = 400

FailureKind = Literal["raised", "timeout", "aborted", "exit", "output", "verdict", "start", "untrusted"]


class HookFailure(Exception):
    """A hook gave no verdict.

    Args:
        kind: in a word.
        text: in a sentence, for the log.
    """

    def __init__(self, kind: FailureKind, text: str) -> None:
        super().__init__(text)
        self.kind: FailureKind = kind
        self.text = text


class Limit(NamedTuple):
    """How long a hook may take."""

    seconds: float | None
    signal: AbortSignal | None = None
    """Ends the wait at once."""
    grace: float = GRACE


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one hook."""

    hook: Hook
    verdict: Verdict | None = None
    failure: HookFailure | None = None

    @property
    def denies(self) -> bool:
        """Whether its failure means no."""
        failure, hook = self.failure, self.hook
        if failure is None or not hook.point.gate:
            return False
        insists = hook.required and failure.kind == "untrusted"
        return hook.on_failure == "deny" or failure.kind == "aborted" or insists


async def ask(hook: Hook, payload: Payload, limit: Limit) -> Outcome:
    """Ask a hook, within its time; nothing that it does is raised here."""
    outer = peek()
    enter(payload.context)
    try:
        answer = await within(limit, lambda: hook.action.answer(payload, limit.grace))
        return Outcome(hook, verdict_of(hook, answer))
    except HookFailure as failure:
        return Outcome(hook, failure=failure)
    finally:
        leave(outer)


async def within(limit: Limit, work: Callable[[], Awaitable[object]]) -> object:
    """Await a hook's work; an outer cancellation passes.

    Raises:
        HookFailure: it raised, took too long, or the run was aborted meanwhile.
    """
    try:
        async with bounded(limit.signal or AbortSignal(), limit.seconds):
            return await _isolated(work)
    except TimeoutError:
        raise HookFailure("timeout", f"it gave no answer within {limit.seconds or 0:g} s") from None
    except Aborted:
        raise HookFailure("aborted", "the run was aborted") from None


async def _isolated(work: Callable[[], Awaitable[object]]) -> object:
    try:
        return await work()
    except HookFailure:
        raise
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling() > 0:
            raise
        raise HookFailure("raised", "it was cancelled by itself") from None
    except (Exception, SystemExit) as error:
        raise HookFailure("raised", told(error)) from error


def verdict_of(hook: Hook, answer: object) -> Verdict | None:
    """Take an answer for what it says.

    Raises:
        HookFailure: it is nothing that this hook may say.
    """
    if answer is None:
        return None
    may = ", ".join(one.__name__ for one in hook.verdicts) or "nothing"
    if not isinstance(answer, VERDICTS):
        raise HookFailure("verdict", f"it returned a {type(answer).__name__}; allowed: {may}")
    if type(answer) not in hook.verdicts:
        raise HookFailure("verdict", f"it returned {type(answer).__name__}, which can't be taken here; allowed: {may}")
    if fault := _fault(hook, answer):
        raise HookFailure("verdict", fault)
    return answer


def _fault(hook: Hook, verdict: Verdict) -> str | None:
    if isinstance(verdict, Modify):
        arguments = cast("object", verdict.arguments)
        return None if isinstance(arguments, Mapping) else "Modify takes a mapping: all of the arguments"
    text = _text_of(verdict)
    if not isinstance(text, str):
        return f"{type(verdict).__name__} takes a text, found a {type(text).__name__}"
    # An answer always has words; a tool's result may have none.
    if isinstance(verdict, ReplaceText) and hook.point.name == "transform_llm_output" and not text.strip():
        return "ReplaceText without words: an answer has some"
    return None


def _text_of(verdict: Deny | Ask | AddContext | ReplaceText | Continue) -> object:
    return verdict.text if isinstance(verdict, AddContext | ReplaceText) else verdict.reason


def told(error: BaseException) -> str:
    """An exception in at most a few lines."""
    text = "its text can't be had"
    # Whatever a host's exception does when it is asked for its text.
    with suppress(Exception):
        text = str(error)[:MOST]
    return f"{type(error).__name__}: {text}"
