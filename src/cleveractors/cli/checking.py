"""`cleveractors validate`: what is wrong with files, before anything runs."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from cleveractors import ActorPolicy, ConfigurationError
from cleveractors.cli.actors import read_actor
from cleveractors.cli.terminal import problems
from cleveractors.cli.toolfiles import load_tools
from cleveractors.config import ProviderFacts, Surroundings, load_actor
from cleveractors.tools.toolset import Toolset, as_toolset

__all__ = ["check_files"]


def check_files(files: Sequence[str], tools: Sequence[str] | None, providers: Sequence[str]) -> int:
    """Check each file.

    Args:
        files: paths.
        tools: what `--tools` named; None: names of tools are not checked, since only the host knows them.
        providers: names that stand for models of the host's.

    Returns:
        The exit status.
    """
    code = 0
    try:
        toolset = None if tools is None else as_toolset(load_tools(tools))
    except ConfigurationError as error:
        problems(error)
        return 2
    for file in files:
        try:
            typer.echo(f"{file}: ok{_check(file, toolset, providers)}")
        except ConfigurationError as error:
            problems(error)
            code = 2
    return code


def _check(file: str, toolset: Toolset | None, providers: Sequence[str]) -> str:
    """Check one file; return what was left unchecked."""
    named = read_actor(file).tools
    surroundings = Surroundings(
        tools=named if toolset is None else frozenset(toolset),
        providers={name: ProviderFacts(foreign=True) for name in providers},
        policy=ActorPolicy(scripted=True),
        subagents=True,
    )
    load_actor(file, surroundings)
    if toolset is not None or not named:
        return ""
    return f" (tools not checked: {', '.join(sorted(named))}; give --tools)"
