"""What a command's end means: its exit code and its one JSON object, in the language that it speaks."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from cleveractors.hooks import claude, hermes
from cleveractors.hooks.points import HookPoint
from cleveractors.hooks.processes import Finished
from cleveractors.hooks.running import HookFailure
from cleveractors.hooks.verdicts import Continue, Deny, Verdict

__all__ = ["DIALECTS", "Answer", "Dialect"]

MOST_OF_STDERR = 400
DENY_CODE = 2


@dataclass(frozen=True, slots=True)
class Dialect:
    """How commands are spoken to and understood."""

    render: Callable[[HookPoint, dict[str, Any]], dict[str, Any]]
    """The document as it is written to stdin."""
    read: Callable[[HookPoint, Mapping[str, Any]], Verdict | None]
    """A JSON object's meaning."""
    reason: Callable[[Mapping[str, Any]], str]
    """The text in an object that says why."""
    arguments: Callable[[Mapping[str, Any], Any], dict[str, Any]]
    """New arguments from those that a hook gave and those that were there."""
    continues: bool = False
    """Whether exit code 2 on `stop` sends the run back to work."""
    prose: bool = False
    """Whether stdout may be something else than JSON."""


DIALECTS: Mapping[str, Dialect] = {
    "hermes": Dialect(hermes.render, hermes.read, hermes.reason, hermes.arguments),
    "claude": Dialect(claude.render, claude.read, claude.reason, claude.arguments, continues=True, prose=True),
}


@dataclass(frozen=True, slots=True)
class Answer:
    """A command that has ended."""

    point: HookPoint
    finished: Finished

    def verdict(self, dialect: Dialect) -> Verdict | None:
        """What it means.

        Raises:
            HookFailure: nothing that can be followed.
        """
        code = self.finished.code
        if code == DENY_CODE and self.point.gate:
            return Deny(self._reason(dialect))
        if code == DENY_CODE and dialect.continues and Continue in self.point.verdicts and self._reason(dialect):
            return Continue(self._reason(dialect))
        if code == 0:
            return self._read(dialect)
        try:
            verdict = self._read(dialect)
        except HookFailure:
            verdict = None
        if isinstance(verdict, Deny):
            return verdict
        raise HookFailure("exit", f"{ending(code)}{f': {self._stderr}' if self._stderr else ''}")

    def _read(self, dialect: Dialect) -> Verdict | None:
        text = self._stdout
        if dialect.prose and text and not text.startswith("{"):
            return claude.prose(self.point, text)
        return dialect.read(self.point, self._object()) if text else None

    def _reason(self, dialect: Dialect) -> str:
        try:
            told = dialect.reason(self._object())
        except HookFailure:
            told = ""
        return told or self._stderr

    def _object(self) -> Mapping[str, Any]:
        if self.finished.truncated:
            raise HookFailure("output", "it wrote more to stdout than is read: 1 MiB")
        try:
            value: object = json.loads(self._stdout)
        except (ValueError, RecursionError):
            raise HookFailure("output", "what it wrote to stdout is no JSON") from None
        if not isinstance(value, dict):
            raise HookFailure("output", f"it wrote a JSON {type(value).__name__} to stdout, not an object")
        return cast("dict[str, Any]", value)

    @property
    def _stdout(self) -> str:
        return self.finished.stdout.decode("utf-8", "replace").strip().removeprefix("\ufeff")

    @property
    def _stderr(self) -> str:
        return self.finished.stderr.decode("utf-8", "replace").strip()[:MOST_OF_STDERR]


def ending(code: int) -> str:
    """An exit code in words."""
    return f"it was ended by signal {-code}" if code < 0 else f"it exited with {code}"
