"""`cleveractors run`: one run, its answer, and its bill on every ending."""

from __future__ import annotations

import asyncio
import json
import os
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import typer

from cleveractors import ActorPolicy, ActorResult, ConfigurationError, Executor, Limits, Problem, create_executor
from cleveractors.cli.actors import read_actor
from cleveractors.cli.bill import bill_line, error_text, note
from cleveractors.cli.signals import Interruption
from cleveractors.cli.terminal import Output, OutputClosed, problems, say
from cleveractors.cli.toolfiles import load_tools

__all__ = ["POLICY", "RunRequest", "run_actor"]

POLICY = ActorPolicy(scripted=True)
"""What files may ask for that are run from the command line."""

_PIPE_CLOSED = 141
"""The exit status of every program that writes to a pipe which nobody reads."""


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    """What was typed."""

    file: str
    message: str
    tools: tuple[str, ...]
    provider: str | None
    model: str | None
    settings: tuple[tuple[str, str], ...]
    variables: Mapping[str, str]
    as_json: bool
    stream: bool
    limits: Mapping[str, Any]
    """Of `Limits`; None: its own default."""
    debug: bool


def run_actor(request: RunRequest) -> int:
    """Run an actor.

    Returns:
        The exit status.
    """
    limits = _limits(request)
    try:
        executor = _executor(request, limits)
    except ConfigurationError as error:
        problems(error)
        return 2
    output, interruption = Output(), Interruption()
    error: BaseException | None = None
    try:
        asyncio.run(_run(executor, request, output, interruption))
    except (Exception, asyncio.CancelledError, KeyboardInterrupt) as caught:
        error = caught
    result = executor.last_result
    return _report(request, output, result, error, interruption)


def _limits(request: RunRequest) -> Limits:
    try:
        return Limits(**{name: value for name, value in request.limits.items() if value is not None})
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _executor(request: RunRequest, limits: Limits) -> Executor:
    document = read_actor(request.file, request.settings)
    keyed = (request.provider or document.provider) == "openai"
    if keyed and not os.environ.get("OPENAI_API_KEY", "").strip():
        raise ConfigurationError(
            Problem(
                "the provider `openai` needs a key: OPENAI_API_KEY is not set",
                hint="set it, or try the actor without key and network: --provider scripted",
            )
        )
    return create_executor(
        request.file,
        tools=load_tools(request.tools),
        credentials="env" if keyed else None,
        policy=POLICY,
        limits=limits,
        overrides=[*request.settings, *document.choosing(request.provider, request.model)],
    )


async def _run(executor: Executor, request: RunRequest, output: Output, interruption: Interruption) -> None:
    task = asyncio.current_task()
    assert task is not None
    interruption.watch(task)
    async with executor:
        if request.as_json or not request.stream:
            result = await executor.execute(request.message, variables=request.variables)
            if not request.as_json:
                output.write(result.response)
            return
        stream = executor.execute_stream(request.message, variables=request.variables, streaming="tokens")
        async with stream:
            async for text in stream:
                output.write(text)


def _report(
    request: RunRequest,
    output: Output,
    result: ActorResult[Any] | None,
    error: BaseException | None,
    interruption: Interruption,
) -> int:
    """Show what is to be shown after the answer; return the exit status."""
    try:
        output.end_line()
        if request.as_json and result is not None:
            output.write(json.dumps(result.to_dict(), indent=2) + "\n")
    except OutputClosed as closed:
        error = error or closed
    spent = result is not None and bool(result.invocations)
    code = _status(error, interruption, spent=spent)
    if isinstance(error, ConfigurationError):
        problems(error)
    elif code == 1:
        say(error_text(error), "error", head="error:")
    elif interruption.number is not None and error is not None:
        say("interrupted", "note")
    if request.debug and code == 1 and error is not None:
        say("".join(traceback.format_exception(error)).rstrip())
    if result is not None:
        said = note(result)
        if said and code == 0:
            say(said, "note", head="note:")
        say(bill_line(result), "dim")
    return code


def _status(error: BaseException | None, interruption: Interruption, *, spent: bool) -> int:
    if error is None:
        return 0
    if isinstance(error, asyncio.CancelledError | KeyboardInterrupt) or interruption.number is not None:
        return 128 + (interruption.number or 2)
    if isinstance(error, OutputClosed):
        return _PIPE_CLOSED
    return 2 if isinstance(error, ConfigurationError) and not spent else 1
