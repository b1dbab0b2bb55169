"""`cleveractors run`: one run and its answer."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import typer

from cleveractors import ActorPolicy, ConfigurationError, Executor, Hooks, Limits, Problem, create_executor
from cleveractors.cli.actors import read_actor
from cleveractors.cli.advice import as_typed, refuse_demo_model
from cleveractors.cli.events import AnswerText, Followers, follow, open_file
from cleveractors.cli.reporting import Ending, report
from cleveractors.cli.signals import Interruption
from cleveractors.cli.terminal import Output, colors, problems, say
from cleveractors.cli.toolfiles import load_tools

__all__ = ["POLICY", "RunRequest", "run_actor"]

POLICY = ActorPolicy(scripted=True)
"""What files may ask for on the command line."""


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
    hooks: str | None
    as_json: bool
    stream: bool
    events: bool
    """Whether events are printed in place of the answer."""
    trace: bool | None
    """None: where standard error is a terminal."""
    save_events: str | None
    limits: Mapping[str, Any]
    """Of `Limits`; None: its own default."""
    debug: bool

    @property
    def traced(self) -> bool:
        """Whether the run is drawn."""
        return colors(sys.stderr) if self.trace is None else self.trace

    @property
    def followed(self) -> bool:
        """Whether somebody follows its events."""
        return self.events or self.traced or self.save_events is not None


def run_actor(request: RunRequest) -> int:
    """Run an actor.

    Returns:
        The exit status.
    """
    limits = _limits(request)
    try:
        executor = _executor(request, limits)
    except ConfigurationError as error:
        problems(as_typed(error))
        return 2
    output, interruption = Output(), Interruption()
    caught: BaseException | None = None
    try:
        asyncio.run(_run(executor, request, output, interruption))
    except (Exception, asyncio.CancelledError, KeyboardInterrupt) as error:
        caught = error
    ending = Ending(executor.last_result, caught, interruption.number)
    return report(ending, output, as_json=request.as_json, debug=request.debug)


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
    executor = create_executor(
        request.file,
        tools=load_tools(request.tools),
        credentials="env" if keyed else None,
        policy=POLICY,
        limits=limits,
        hooks=_hooks(request.hooks),
        platform="cli",
        overrides=[*request.settings, *document.choosing(request.provider, request.model)],
    )
    # After the file's own mistakes. A provider that was written as well as its model is meant so.
    if request.provider is not None:
        refuse_demo_model(request.provider, request.model or document.model)
    return executor


def _hooks(file: str | None) -> Hooks | None:
    if file is None:
        return None
    hooks = Hooks.from_file(file)
    for problem in hooks.problems:
        say(f"left out: {problem}", "note", head="note:")
    return hooks


async def _run(executor: Executor, request: RunRequest, output: Output, interruption: Interruption) -> None:
    task = asyncio.current_task()
    assert task is not None
    interruption.watch(task)
    async with executor:
        if request.followed:
            await _run_followed(executor, request, output)
            return
        if request.as_json or not request.stream:
            result = await executor.execute(request.message, variables=request.variables)
            if not request.as_json:
                output.write(result.response)
            return
        stream = executor.execute_stream(request.message, variables=request.variables, streaming="tokens")
        async with stream:
            async for text in stream:
                output.write(text)


async def _run_followed(executor: Executor, request: RunRequest, output: Output) -> None:
    silent = request.as_json or request.events
    with Followers() as followers:
        if (file := open_file(request.save_events)) is not None:
            followers.save(file)
        if request.events:
            followers.write_lines(output.write)
        # Two writers on one terminal would spoil what the other has drawn: there the answer comes at the end.
        live = request.stream and not silent and not (request.traced and sys.stdout.isatty())
        if live:
            followers.all.append(AnswerText(output))
        if request.traced:
            followers.draw(executor.actor.name, sys.stderr)
        stream = request.stream and not request.as_json
        answer = await follow(executor, request.message, followers.all, variables=request.variables, stream=stream)
    if not silent and not live:
        output.write(answer)
