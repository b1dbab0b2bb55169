"""The commands, as they are typed."""

from __future__ import annotations

from typing import Annotated

import typer

from cleveractors.cli.hooks import app as hooks_app
from cleveractors.cli.inputs import pairs, read_message

__all__ = ["app"]

app = typer.Typer(
    name="cleveractors",
    help="Run and check actors: tool-using LLM agents in a YAML or JSON file.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)

app.add_typer(hooks_app, name="hooks")

Tools = Annotated[
    list[str] | None,
    typer.Option(
        "--tools",
        metavar="PY",
        help="A .py file or a module with tools; repeatable. Nothing else is imported. Its public functions marked "
        "with @tool are tools, so are LangChain tools and Tool objects; if it has none of these, all public functions "
        "that it defines.",
    ),
]
File = Annotated[str, typer.Argument(metavar="FILE", help="An actor: a .yaml, .yml or .json file.")]
Message = Annotated[
    str | None, typer.Argument(metavar="MESSAGE", help="What to say; `-` or nothing: read standard input.")
]
Provider = Annotated[
    str | None,
    typer.Option(
        metavar="P",
        help="The entry agent's provider: `openai` (with OPENAI_API_KEY, OPENAI_BASE_URL) or `scripted`, which needs "
        "no key and no network.",
    ),
]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Put a value over the file's; repeatable.")
]
Variables = Annotated[
    list[str] | None, typer.Option("--var", metavar="NAME=VALUE", help="A variable of the prompt; repeatable.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the whole result as JSON in place of the answer.")]
Stream = Annotated[
    bool,
    typer.Option("--stream/--no-stream", help="Print text while the model writes it, or only the answer, at the end."),
]
Events = Annotated[bool, typer.Option("--events", help="Print every event as a line of JSON in place of the answer.")]
Drawn = Annotated[
    bool | None,
    typer.Option(
        "--trace/--no-trace",
        show_default="on a terminal",
        help="Draw the run on standard error while it runs: rounds, calls, tools, times, tokens, cost.",
    ),
]
SaveEvents = Annotated[
    str | None, typer.Option("--save-events", metavar="FILE", help="Write every event into a file, as --events.")
]


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"cleveractors {version('cleveractors')}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Run and check actors: tool-using LLM agents in a YAML or JSON file."""


@app.command()
def run(
    file: File,
    message: Message = None,
    tools: Tools = None,
    provider: Provider = None,
    model: Annotated[str | None, typer.Option(metavar="M", help="The entry agent's model.")] = None,
    settings: Settings = None,
    variables: Variables = None,
    hooks: Annotated[
        str | None, typer.Option(metavar="FILE", help="A .yaml file of hooks; its commands run in the current folder.")
    ] = None,
    as_json: AsJson = False,
    stream: Stream = True,
    events: Events = False,
    trace: Drawn = None,
    save_events: SaveEvents = None,
    timeout: Annotated[float | None, typer.Option(metavar="S", help="Seconds that the run may take.")] = None,
    max_tokens: Annotated[int | None, typer.Option(metavar="N", help="Tokens that the run may spend.")] = None,
    max_cost: Annotated[str | None, typer.Option(metavar="USD", help="Money that the run may spend.")] = None,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of a run that failed.")] = False,
) -> None:
    """Run an actor and print its answer; tokens, cost and stop reason go to standard error.

    Exits with 0, also when a limit ended the run; 1 if it failed; 2 for a bad file or bad usage; 130 when interrupted.
    """
    given = pairs(settings, "--set"), dict(pairs(variables, "--var"))
    if events and as_json:
        raise typer.BadParameter("--events and --json both want standard output: give one of them")
    try:
        text = read_message(message)
        # Imported late: nothing that a run needs should slow down `--help`.
        from cleveractors.cli.running import RunRequest, run_actor

        code = run_actor(
            RunRequest(
                file=file,
                message=text,
                tools=tuple(tools or ()),
                provider=provider,
                model=model,
                settings=given[0],
                variables=given[1],
                hooks=hooks,
                as_json=as_json,
                stream=stream,
                events=events,
                trace=trace,
                save_events=save_events,
                limits={"timeout": timeout, "max_tokens": max_tokens, "max_cost": max_cost},
                debug=debug,
            )
        )
    except KeyboardInterrupt:
        # Before the run began: nothing was spent.
        code = 130
    raise typer.Exit(code)


@app.command()
def validate(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Actors: .yaml, .yml or .json files.")],
    tools: Tools = None,
    providers: Annotated[
        list[str] | None,
        typer.Option(
            "--provider", metavar="NAME", help="A provider of the host's that files may name too; repeatable."
        ),
    ] = None,
) -> None:
    """Check actors without running them: exits with 2 and lists every problem, or with 0.

    Without --tools the names of tools are not checked, since they are the host's; `ok` then lists them.
    """
    from cleveractors.cli.checking import check_files

    raise typer.Exit(check_files(files, tools, providers or ()))


@app.command()
def demo(as_json: AsJson = False) -> None:
    """Watch a run without key or network: two tools side by side, the answer as it is written, a budget, the bill.

    Exits as `run` does.
    """
    from cleveractors.cli.demo import show_demo

    raise typer.Exit(show_demo(as_json=as_json))


@app.command()
def init(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="Where to; it is made where it is missing.")],
    force: Annotated[bool, typer.Option("--force", help="Write over files that are there.")] = False,
) -> None:
    """Write a first actor: actor.yaml, tools.py, a chat backend app.py, and test_actor.py, which needs no key.

    Exits with 2, and writes nothing, where one of them is there already.
    """
    from cleveractors.cli.init import write_project

    raise typer.Exit(write_project(folder, force=force))


@app.command()
def schema() -> None:
    """Print the JSON Schema of actor files, for editors."""
    import json

    from cleveractors.config import json_schema

    typer.echo(json.dumps(json_schema(), indent=2, ensure_ascii=False))


@app.command()
def usage(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file that JsonlUsageLog wrote.")],
    as_json: AsJson = False,
) -> None:
    """Sum a log of usage by tenant, model and day."""
    from cleveractors.cli.usage import show_usage

    raise typer.Exit(show_usage(file, as_json=as_json))
