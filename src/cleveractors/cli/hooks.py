"""`cleveractors hooks`: what a file of hooks holds, and what one of its hooks says."""

from __future__ import annotations

import json
from typing import Annotated, Any, cast

import typer

from cleveractors.cli.terminal import problems, say
from cleveractors.exceptions import ConfigurationError, Problem

__all__ = ["app"]

app = typer.Typer(help="Check and try out a file of hooks.", no_args_is_help=True, rich_markup_mode="markdown")

File = Annotated[str, typer.Argument(metavar="FILE", help="A .yaml file of hooks.")]
Folder = Annotated[
    str | None, typer.Option("--cwd", metavar="DIR", help="Where the commands run; default: the current folder.")
]


@app.command()
def check(file: File, cwd: Folder = None) -> None:
    """List a file's hooks and all that is wrong with it, running none: exits with 2 if there is anything, or with 0."""
    # Imported late: nothing that a command needs should slow down `--help`.
    from cleveractors.hooks.inspect import check_file

    report = check_file(file, cwd=cwd)
    for hook in report.hooks:
        flags = f"{hook.dialect}, {hook.timeout:g} s, on_failure {hook.on_failure}{', required' * hook.required}"
        typer.echo(f"{hook.event} {hook.matcher}: {' '.join(hook.command)} ({flags})")
    if report.problems:
        problems(ConfigurationError(*report.problems))
        follows = "these entries are left out" if report.starts else "an executor would not start with it"
        say(follows, "note", head="note:")
        raise typer.Exit(2)
    typer.echo(f"{file}: ok")


@app.command(name="test")
def try_out(
    file: File,
    event: Annotated[str, typer.Argument(metavar="EVENT", help="Such as `pre_tool_call`.")],
    payload: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A JSON object with what hooks are told: `tool_name`, `tool_input`, `extra` …; the rest is made up.",
        ),
    ] = None,
    cwd: Folder = None,
) -> None:
    """Run a file's hooks of an event once, exactly as a run would, and tell what each said and what would follow.

    Exits with 0 if all of them answered, 1 if one failed, 2 for a bad file or bad usage.
    """
    from cleveractors.hooks.inspect import run_once

    try:
        reports = run_once(file, event, _read(payload), cwd=cwd)
    except ConfigurationError as error:
        problems(error)
        raise typer.Exit(2) from None
    if not reports:
        say(f"no hook of {file} is called for it", "note", head="note:")
    for report in reports:
        _show(report)
    raise typer.Exit(int(any(report.failure for report in reports)))


def _show(report: Any) -> None:
    said = "nothing" if report.verdict is None else str(report.verdict)
    lines = {
        "verdict": report.failure or said,
        "exit code": "none" if report.exit_code is None else str(report.exit_code),
        "time": f"{report.seconds:.3f} s",
        "stdout": report.stdout.strip(),
        "stderr": report.stderr.strip(),
        "follows": report.consequence,
    }
    typer.echo(f"{report.event}: {report.hook}")
    for name, text in lines.items():
        typer.echo(f"  {name:<10} {text}" if text else f"  {name:<10} (empty)")


def _read(path: str | None) -> dict[str, Any] | None:
    """What hooks are told, of a file.

    Raises:
        ConfigurationError: it holds no JSON object.
    """
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8") as file:
            found: object = json.load(file)
    except (OSError, ValueError) as error:
        raise ConfigurationError(Problem(str(error), file=path)) from None
    if not isinstance(found, dict) or not isinstance(cast("dict[str, Any]", found).get("extra", {}), dict):
        raise ConfigurationError(Problem("it holds no JSON object, or one whose `extra` is none", file=path))
    return cast("dict[str, Any]", found)
