"""A run followed by its events: as JSON lines, in a file, as a tree, and as the text that it answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, TextIO

from cleveractors import Executor
from cleveractors.cli.terminal import Output, colors
from cleveractors.cli.trace import Trace
from cleveractors.events.envelope import ReactOutput, is_event_yield
from cleveractors.events.types import LLMCallStartEvent, LLMChunkArriveEvent
from cleveractors.events.wire import event_to_dict
from cleveractors.exceptions import ConfigurationError

__all__ = ["AnswerText", "Followers", "follow", "open_file"]

PART = "\n\n"
"""Between the texts of two model calls."""
SHOWN = ("turn", "synthesis")
"""Purposes of model calls whose text is the answer's."""

Follower = Callable[[ReactOutput], object]


class AnswerText:
    """Writes the entry agent's text while it comes.

    Args:
        output: where to.
    """

    def __init__(self, output: Output) -> None:
        self._output = output
        self._current = ""
        self._written = False

    def __call__(self, output: ReactOutput) -> None:
        """One more output of the run."""
        if not is_event_yield(output):
            self._end(str(output.response))
        elif output.origin.parent_agent_call_id is None:
            self._take(output.event)

    def _take(self, event: object) -> None:
        if isinstance(event, LLMCallStartEvent):
            self._current = ""
        elif isinstance(event, LLMChunkArriveEvent) and event.text and event.purpose in SHOWN:
            self._write(event.text if self._current or not self._written else PART + event.text)
            self._current += event.text

    def _write(self, text: str) -> None:
        self._written = True
        self._output.write(text)

    def _end(self, answer: str) -> None:
        """What of the answer the model has not streamed."""
        if answer != self._current and answer.strip():
            self._write(PART + answer if self._written else answer)


def open_file(path: str | None) -> TextIO | None:
    """Open the file that events are saved in.

    Raises:
        ConfigurationError: it can't be written.
    """
    if path is None:
        return None
    try:
        return open(path, "w", encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"--save-events {path}: {error.strerror or error}") from error


async def follow(executor: Executor, message: str, followers: Sequence[Follower], **options: Any) -> str:
    """Run an actor, have its events followed, and return its answer."""
    answer = ""
    async with executor.execute_events(message, **options) as stream:
        async for output in stream:
            for follower in followers:
                follower(output)
            answer = answer if is_event_yield(output) else str(output.response)
    return answer


class Followers(ExitStack):
    """What follows a run, and ends with it."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[Follower] = []

    def write_lines(self, write: Callable[[str], object]) -> None:
        """Write each output as a line of JSON."""
        self.all.append(lambda output: write(json.dumps(event_to_dict(output, lean=True)) + "\n"))

    def save(self, file: TextIO) -> None:
        """Save them in a file."""
        self.enter_context(file)
        self.write_lines(file.write)

    def draw(self, name: str, stream: TextIO) -> None:
        """Draw the run as a tree; on a terminal it grows."""
        trace = Trace(name)
        self.enter_context(trace.shown_on(stream, live=colors(stream)))
        self.all.append(trace)
