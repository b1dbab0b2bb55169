"""What the command line is given, read and refused."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

__all__ = ["pairs", "read_message"]

_LONGEST = 1024 * 1024


def pairs(given: Sequence[str] | None, option: str) -> tuple[tuple[str, str], ...]:
    """Split each `name=value`.

    Raises:
        BadParameter: one has no `=`, or no name before it.
    """
    found: list[tuple[str, str]] = []
    for text in given or ():
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise typer.BadParameter(f"{text!r} has no name and value with `=` between them", param_hint=option)
        found.append((name, value))
    return tuple(found)


def read_message(given: str | None) -> str:
    """Return the message, or read it from standard input: at most 1 MiB.

    Raises:
        BadParameter: there is none, it is empty, too long, or no UTF-8.
    """
    text = _read_input(given) if given is None or given == "-" else given
    if not text.strip():
        raise _bad("it is empty" if text is given else "standard input is empty: give a message, in quotes")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _bad("it is not UTF-8") from None
    return text


def _read_input(given: str | None) -> str:
    if given is None and sys.stdin.isatty():
        raise _bad("say something, or give `-` to read it from standard input")
    raw = sys.stdin.buffer.read(_LONGEST + 1)
    if len(raw) > _LONGEST:
        raise _bad("standard input is longer than 1 MiB")
    return raw.decode("utf-8", "surrogateescape")


def _bad(why: str) -> typer.BadParameter:
    return typer.BadParameter(why, param_hint="MESSAGE")
