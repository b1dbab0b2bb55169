"""`cleveractors init`: the files of a first actor, as they are in `templates/`."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

import typer

from cleveractors.cli.terminal import problems
from cleveractors.exceptions import ConfigurationError, Problem, sentence

__all__ = ["write_project"]

ASK = (
    "curl -N localhost:8000/chat -H content-type:application/json "
    """-d '{"session": "s1", "message": "Where is my order A1?"}'"""
)
NAMES = ("actor.yaml", "tools.py", "app.py", "test_actor.py")


def write_project(folder: str, *, force: bool) -> int:
    """Write the files, and say what to do next.

    Args:
        folder: where to; it is made where it is missing.
        force: whether files that are there are replaced.

    Returns:
        The exit status: 2 where they can't be written.
    """
    home = Path(folder)
    texts = {name: files("cleveractors.cli").joinpath("templates", name).read_text("utf-8") for name in NAMES}
    try:
        _check(home, force=force)
        _write(home, texts)
    except ConfigurationError as error:
        problems(error)
        return 2
    except OSError as error:
        where = str(error.filename or home)
        problems(ConfigurationError(Problem(f"it can't be written: {error.strerror}", file=where)))
        return 2
    typer.echo(_next(folder))
    return 0


def _check(home: Path, *, force: bool) -> None:
    if home.exists() and not home.is_dir():
        raise ConfigurationError(Problem("it is a file: give the name of a folder", file=str(home)))
    there = [name for name in NAMES if (home / name).exists()]
    if there and not force:
        hint = "give another folder, or write over them: --force"
        text = f"nothing is written: {sentence(there)} {'is' if len(there) == 1 else 'are'} there already"
        raise ConfigurationError(Problem(text, file=str(home), hint=hint))


def _write(home: Path, texts: Mapping[str, str]) -> None:
    home.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (home / name).write_text(text, "utf-8")


def _next(folder: str) -> str:
    written = ", ".join(str(Path(folder) / name) for name in NAMES)
    steps = [
        *([] if Path(folder) == Path() else [f"cd {shlex.quote(folder)}"]),
        'cleveractors run actor.yaml --tools tools.py "Where is my order A1?"',
        "python test_actor.py",
        "pip install fastapi uvicorn && uvicorn app:app",
        f"{ASK}    # in another terminal",
    ]
    real = "For a real model write `provider: openai` and its name into actor.yaml, and set OPENAI_API_KEY."
    return "\n".join([f"written: {written}", "", "Next:", *(f"  {step}" for step in steps), "", real])
