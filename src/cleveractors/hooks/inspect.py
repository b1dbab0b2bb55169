"""Hooks of a file tried out: what it holds, and what one of them says."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any

from cleveractors.exceptions import ConfigurationError, Problem
from cleveractors.hooks.commands import Command
from cleveractors.hooks.hook import Hook
from cleveractors.hooks.points import HookPoint, point_of
from cleveractors.hooks.processes import Finished
from cleveractors.hooks.registry import Hooks
from cleveractors.hooks.running import GRACE, HookFailure, Limit, Outcome, verdict_of, within
from cleveractors.hooks.verdicts import Ask, Deny, Verdict

__all__ = ["FileReport", "HookReport", "RunReport", "check_file", "run_once"]

SAMPLE: Mapping[str, Any] = {
    "task_id": "run-1",
    "tool_call_id": "call-1",
    "run_id": "run-1",
    "parent_run_id": None,
    "agent": "main",
    "tenant": None,
    "metadata": {},
    "platform": "cli",
    "user_message": "Hello",
    "assistant_response": "Hello!",
    "response_text": "Hello!",
    "displayed_text": "Hello!",
    "conversation_history": [],
    "model": "openai/gpt-4o-mini",
    "message_id": "message-1",
    "is_final": True,
    "attempt": 1,
    "seq": 1,
    "outcome": "complete",
    "result": "done",
    "duration_ms": 1,
    "status": "ok",
    "stop_hook_active": False,
    "completed": True,
    "failed": False,
    "interrupted": False,
    "reason": "completed",
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    "child_role": "researcher",
    "child_session_id": "run-2",
    "result_summary": "done",
    "child_summary": "done",
    "child_status": "completed",
}
"""What a payload holds that nobody has given."""


@dataclass(frozen=True, slots=True)
class HookReport:
    """One hook of a file."""

    event: str
    matcher: str
    command: tuple[str, ...]
    timeout: float
    on_failure: str
    dialect: str
    required: bool
    digest: str | None
    """For `trust`; None where a script can't be read."""


@dataclass(frozen=True, slots=True)
class FileReport:
    """What a file holds."""

    hooks: tuple[HookReport, ...]
    problems: tuple[Problem, ...]
    starts: bool
    """Whether an executor would start with it."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """What one hook said, and what would have come of it."""

    hook: str
    event: str
    verdict: Verdict | None
    failure: str | None
    """Kind and sentence, where it gave none."""
    exit_code: int | None
    """None where it did not end by itself."""
    seconds: float
    stdout: str
    stderr: str
    consequence: str
    """A sentence."""


def check_file(
    path: str | os.PathLike[str], *, trust: Collection[str] | None = None, cwd: str | os.PathLike[str] | None = None
) -> FileReport:
    """Read a file of hooks as an executor would, and tell what is there; no command runs."""
    try:
        hooks = Hooks.from_file(path, trust=trust, cwd=cwd)
    except ConfigurationError as error:
        return FileReport((), error.problems, starts=False)
    return FileReport(tuple(_report(hook) for hook in hooks.hooks), hooks.problems, starts=True)


def run_once(
    path: str | os.PathLike[str],
    event: str,
    payload: Mapping[str, Any] | None = None,
    *,
    trust: Collection[str] | None = None,
    cwd: str | os.PathLike[str] | None = None,
) -> list[RunReport]:
    """Run a file's hooks of one event once, as they would run for an executor.

    Args:
        path: the file.
        event: which of its hooks.
        payload: keys of the JSON object, those of `extra` under `extra`; the others are made up. With `tool_name`,
            only hooks for that tool run.
        trust: as of `Hooks.from_file`.
        cwd: as of `Hooks.from_file`.

    Raises:
        ConfigurationError: the file can't be used, or there is no such event.
    """
    point = point_of(event)
    hooks = Hooks.from_file(path, trust=trust, cwd=cwd)
    given = dict(payload or {})
    name = given.get("tool_name")
    document = _document(point, given, hooks.cwd)
    chosen = [one for one in hooks.hooks if one.point is point and (name is None or one.matcher.matches(str(name)))]

    async def run() -> list[RunReport]:
        return [await _run(hook, document) for hook in chosen]

    return asyncio.run(run())


async def _run(hook: Hook, document: dict[str, Any]) -> RunReport:
    assert isinstance(hook.action, Command)
    command, ended = hook.action, list[Finished]()

    async def work() -> object:
        finished, meaning = await command.run(document, GRACE)
        ended.append(finished)
        if isinstance(meaning, HookFailure):
            raise meaning
        return meaning

    began = time.monotonic()
    try:
        outcome = Outcome(hook, verdict_of(hook, await within(Limit(hook.timeout), work)))
    except HookFailure as failure:
        outcome = Outcome(hook, failure=failure)
    return _told(outcome, ended[0] if ended else None, time.monotonic() - began)


def _told(outcome: Outcome, finished: Finished | None, seconds: float) -> RunReport:
    failure = outcome.failure
    return RunReport(
        hook=outcome.hook.name,
        event=outcome.hook.point.name,
        verdict=outcome.verdict,
        failure=f"{failure.kind}: {failure.text}" if failure else None,
        exit_code=finished.code if finished else None,
        seconds=seconds,
        stdout=finished.stdout.decode("utf-8", "replace") if finished else "",
        stderr=finished.stderr.decode("utf-8", "replace") if finished else "",
        consequence=_consequence(outcome),
    )


def _consequence(outcome: Outcome) -> str:
    verdict, what = outcome.verdict, "the tool call" if outcome.hook.point.matcher else "the run"
    if outcome.failure is not None:
        if outcome.denies:
            return f"it failed, and on_failure is deny: {what} would be denied"
        return f"it failed, and on_failure is pass: {what} would go on"
    if isinstance(verdict, Deny):
        return f"{what} would be denied"
    if isinstance(verdict, Ask):
        return f"{what} would need approval, and be denied without an approver"
    if verdict is None:
        return f"{what} would go on"
    return f"{what} would go on with what {type(verdict).__name__} says"


def _document(point: HookPoint, given: Mapping[str, Any], cwd: str) -> dict[str, Any]:
    names = [*point.payload.also, *(one.name for one in fields(point.payload))]
    extra = {name: SAMPLE[name] for name in names if name in SAMPLE}
    return {
        "hook_event_name": point.name,
        "tool_name": given.get("tool_name", "example_tool" if point.matcher else None),
        "tool_input": given.get("tool_input", {} if point.matcher else None),
        "session_id": given.get("session_id", "run-1"),
        "cwd": given.get("cwd", cwd),
        "extra": {**extra, **given.get("extra", {})},
    }


def _report(hook: Hook) -> HookReport:
    assert isinstance(hook.action, Command)
    command = hook.action
    try:
        digest = command.digest()
    except OSError:
        digest = None
    return HookReport(
        event=hook.point.name,
        matcher=str(hook.matcher),
        command=command.argv,
        timeout=hook.timeout,
        on_failure=hook.on_failure,
        dialect=command.dialect,
        required=hook.required,
        digest=digest,
    )
