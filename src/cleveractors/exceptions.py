"""Every error of the library, one tree.

    CleverActorsError
    ├── ConfigurationError      the actor, a tool, a credential or a call of ours is wrong; nothing was spent
    ├── ExecutionError          a tool or an agent failed while it ran
    │   └── FatalToolError      raised by a tool to end the run (siblings finish first)
    ├── ModelOutputError        a provider answered something that is no answer
    ├── LimitReached            a limit or budget refused a call made outside the loop
    ├── OutputError             the answer did not fit `output_type`, repairs included
    ├── SessionConflictError    somebody else appended to the session
    ├── ExecutorClosedError     the executor was closed
    └── ExecutorBusyError       `max_concurrent_runs` are running

`ToolRetry` stands apart: a tool raises it to hand the model a sentence, it never leaves a run.
Provider errors leave a run unwrapped. Each exception that leaves a run carries its bill: see
`cleveractors.result_of`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = [
    "CleverActorsError",
    "ConfigurationError",
    "ExecutionError",
    "ExecutorBusyError",
    "ExecutorClosedError",
    "FatalToolError",
    "LimitReached",
    "ModelOutputError",
    "OutputError",
    "Problem",
    "SessionConflictError",
    "ToolRetry",
    "causes_of",
    "text_of",
]


class CleverActorsError(Exception):
    """The root of every error of ours."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in an actor or in a call, as data."""

    message: str
    """What was found and what is allowed, one sentence."""
    path: str = ""
    """Where in the document: `agents.assistant.tool_max_rounds`."""
    file: str | None = None
    line: int | None = None
    """From 1."""
    column: int | None = None
    """From 1."""
    hint: str | None = None
    """What to write instead, when that can be guessed."""
    source: str | None = None
    """The line of the file, for a caret under it."""

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        head = ": ".join(part for part in (place, self.path) if part)
        text = f"{head}: {self.message}" if head else self.message
        return f"{text} ({self.hint})" if self.hint else text


class ConfigurationError(CleverActorsError):
    """The actor, a tool, a credential or an argument is wrong, found before anything was spent.

    Args:
        *problems: each a `Problem`, or a sentence.
    """

    def __init__(self, *problems: Problem | str) -> None:
        self.problems: tuple[Problem, ...] = tuple(
            problem if isinstance(problem, Problem) else Problem(problem) for problem in problems
        )
        super().__init__(*self.problems)

    def __str__(self) -> str:
        if len(self.problems) == 1:
            return str(self.problems[0])
        lines = "\n".join(f"  {problem}" for problem in self.problems)
        return f"{len(self.problems)} problems:\n{lines}"


class ExecutionError(CleverActorsError):
    """A tool or an agent failed while it ran; the cause is chained."""


class FatalToolError(ExecutionError):
    """Raise it in a tool to end the run; calls beside it finish first."""


class ToolRetry(CleverActorsError):
    """Raise it in a tool to answer the model with a sentence, so that it tries otherwise.

    Args:
        text: what the model reads.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class ModelOutputError(CleverActorsError):
    """A provider answered something that is no answer: HTML, no choices, an end without a finish reason."""


class LimitReached(CleverActorsError):
    """A limit or budget refused what was asked for.

    Args:
        reason: the stop reason, such as `token_budget`.
        detail: one sentence with names and figures.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


class OutputError(CleverActorsError):
    """The answer did not fit `output_type`, after its repairs too."""


class SessionConflictError(CleverActorsError):
    """The session was appended to by somebody else since it was read."""


class ExecutorClosedError(CleverActorsError):
    """The executor is closed, or closing: it takes no new runs."""


class ExecutorBusyError(CleverActorsError):
    """The executor runs as many runs as `max_concurrent_runs` allows."""


def causes_of(error: BaseException, beyond: BaseException | None = None) -> Iterator[BaseException]:
    """Yield the error, then its causes and the contexts that are not suppressed, each once.

    Args:
        error: where to begin.
        beyond: an error that was being handled before this one came up: no cause of it, so it ends the search.
    """
    seen: set[int] = set() if beyond is None or beyond is error else {id(beyond)}
    pending: list[BaseException | None] = [error]
    while pending:
        current = pending.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        if not current.__suppress_context__:
            pending.append(current.__context__)
        pending.append(current.__cause__)


def sentence(items: Sequence[str], last: str = "and") -> str:
    """Join names for a sentence: `a, b and c`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def text_of(error: BaseException) -> str:
    """What an error says; nothing, where it is a host's own that can't say it."""
    try:
        return str(error)
    except Exception:
        return ""
