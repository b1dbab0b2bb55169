"""What is said after the answer: why the run ended, and its bill, on every ending."""

from __future__ import annotations

import asyncio
import json
import signal
import traceback
from dataclasses import dataclass, replace
from typing import Any

from cleveractors.cli.bill import advice, bill_line, error_text, note
from cleveractors.cli.terminal import Output, OutputClosed, problems, say
from cleveractors.exceptions import ConfigurationError
from cleveractors.result import ActorResult

__all__ = ["Ending", "report"]

_PIPE_CLOSED = 141
"""The exit status of every program that writes where nobody reads."""


@dataclass(frozen=True)
class Ending:
    """How a run ended."""

    result: ActorResult[Any] | None
    """None: it never started."""
    error: BaseException | None
    """What left it."""
    signal: int | None
    """What the process was told meanwhile."""

    @property
    def status(self) -> int:
        """The exit status."""
        if self.error is None:
            return 0
        if self.signal is not None or isinstance(self.error, asyncio.CancelledError | KeyboardInterrupt):
            return 128 + (self.signal or signal.SIGINT)
        if isinstance(self.error, OutputClosed):
            return _PIPE_CLOSED
        spent = self.result is not None and self.result.invocations
        return 2 if isinstance(self.error, ConfigurationError) and not spent else 1


def report(ending: Ending, output: Output, *, as_json: bool, debug: bool) -> int:
    """Say what is to be said.

    Args:
        ending: of the run.
        output: where the answer went.
        as_json: whether the result goes there too.
        debug: whether a traceback is shown.

    Returns:
        The exit status.
    """
    try:
        output.end_line()
        if as_json and ending.result is not None:
            output.write(json.dumps(ending.result.to_dict(), indent=2) + "\n")
    except OutputClosed as closed:
        ending = replace(ending, error=ending.error or closed)
    status = ending.status
    if ending.error is not None:
        _say_error(ending.error, status, debug=debug)
    if ending.result is not None and status != 2:
        said = note(ending.result)
        if said and status == 0:
            say(said, "note", head="note:")
        say(bill_line(ending.result), "dim")
    return status


def _say_error(error: BaseException, status: int, *, debug: bool) -> None:
    if isinstance(error, ConfigurationError):
        problems(error)
    elif status == 1:
        say(error_text(error), "error", head="error:")
        for line in advice(error):
            say(f"      = note: {line}")
    elif status != _PIPE_CLOSED:
        say("interrupted", "note")
    if debug and status == 1:
        say("".join(traceback.format_exception(error)).rstrip())
