"""Where the command line writes: the answer to standard output, everything else to standard error."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Literal, TextIO, cast

from cleveractors.config import render
from cleveractors.exceptions import ConfigurationError

if TYPE_CHECKING:
    from io import TextIOWrapper

__all__ = ["Output", "OutputClosed", "colors", "problems", "say"]

Style = Literal["plain", "dim", "note", "error"]

_STYLES: dict[Style, str] = {"plain": "", "dim": "\x1b[2m", "note": "\x1b[33m", "error": "\x1b[1;31m"}
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class OutputClosed(Exception):
    """Whoever read standard output has gone."""


class Output:
    """Standard output, written at once."""

    def __init__(self) -> None:
        self._stream = sys.stdout
        self._terminal = sys.stdout.isatty()
        self._open_line = False
        # A model may write what no encoding has: lone surrogates.
        cast("TextIOWrapper", sys.stdout).reconfigure(errors="replace")

    def write(self, text: str) -> None:
        """Write text.

        Raises:
            OutputClosed: nobody reads it any more.
        """
        # A model must not steer the terminal: what it would obey is left out.
        shown = _CONTROLS.sub("", text) if self._terminal else text
        try:
            self._stream.write(shown)
            self._stream.flush()
        except BrokenPipeError as error:
            raise OutputClosed from error
        self._open_line = not shown.endswith("\n") if shown else self._open_line

    def end_line(self) -> None:
        """End a line that was begun.

        Raises:
            OutputClosed: nobody reads it any more.
        """
        if self._open_line:
            self.write("\n")


def say(text: str, style: Style = "plain", *, head: str = "") -> None:
    """Write one line to standard error, its head, or all of it, in a style where there are colors."""
    code = _STYLES[style] if colors(sys.stderr) else ""
    if code and head:
        print(f"{code}{head}\x1b[0m {text}", file=sys.stderr)
    elif code:
        print(f"{code}{text}\x1b[0m", file=sys.stderr)
    else:
        print(f"{head} {text}" if head else text, file=sys.stderr)


def problems(error: ConfigurationError) -> None:
    """Show what is wrong, as a compiler does."""
    print(render(error, color=colors(sys.stderr)), file=sys.stderr)


def colors(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
