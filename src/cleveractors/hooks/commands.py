"""A command as a hook: what it reads, what it may see, what its end means."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal, cast

from cleveractors.exceptions import ConfigurationError
from cleveractors.hooks.dialects import DIALECTS, Answer
from cleveractors.hooks.encoding import encode, plain
from cleveractors.hooks.house import House, Redact
from cleveractors.hooks.payload import Payload
from cleveractors.hooks.points import HookPoint
from cleveractors.hooks.processes import Finished, run_process
from cleveractors.hooks.redaction import Redaction, starred
from cleveractors.hooks.running import HookFailure
from cleveractors.hooks.trust import digest
from cleveractors.hooks.verdicts import Modify, Verdict

__all__ = ["ENVIRONMENT", "Command", "DialectName"]

DialectName = Literal["hermes", "claude"]

ENVIRONMENT = ("PATH", "HOME", "LANG", "TMPDIR", "TZ")
"""What every command sees of the process's environment."""
UTF8 = {"PYTHONUTF8": "1", "PYTHONIOENCODING": "utf-8"}


class Command:
    """Runs a program that reads one JSON object and answers by its exit code and one JSON object.

    Args:
        point: where it fires.
        argv: program and arguments; no shell reads them.
        house: folder, redaction, trust, places for processes.
        dialect: the language of both objects.
        env: names of further variables that it may see.
        matcher: the tools that it is for, as its digest has them.

    Raises:
        ConfigurationError: an `argv`, dialect or environment that is none, or an event without commands.
    """

    def __init__(
        self,
        point: HookPoint,
        argv: Sequence[str],
        house: House,
        *,
        dialect: DialectName = "hermes",
        env: Sequence[str] = (),
        matcher: str = "*",
    ) -> None:
        _check(point, argv, dialect, env)
        self.argv = tuple(argv)
        self.dialect: DialectName = dialect
        self.name = _name(self.argv)
        self._point = point
        self._house = house
        self._dialect = DIALECTS[dialect]
        self._env = tuple(env)
        self._matcher = matcher

    def digest(self) -> str:
        """What `trust=` has to hold for it to run.

        Raises:
            OSError: a script can't be read.
        """
        return digest(self._point.name, self._matcher, self.argv, self._house.cwd)

    def refusal(self) -> str | None:
        """Why it may not run, if it may not."""
        trust = self._house.trust
        if trust is None:
            return None
        try:
            own = self.digest()
        except OSError as error:
            return f"it is not trusted: {error.strerror or type(error).__name__}: {error.filename}"
        if own in trust:
            return None
        return "it is not trusted: it or a script of it has changed, or was never trusted"

    async def answer(self, payload: Payload, grace: float) -> object:
        """Run the command for an event."""
        _, meaning = await self.run(payload.document(), grace, payload.context.run.services.redact)
        if isinstance(meaning, HookFailure):
            raise meaning
        return meaning

    async def run(
        self, document: dict[str, Any], grace: float, redact: Redact | None = None
    ) -> tuple[Finished, Verdict | HookFailure | None]:
        """Run the command on a document.

        Args:
            document: the event's.
            grace: seconds it may take.
            redact: the executor's redaction, where these hooks have none of their own.

        Returns:
            How the process ended, and what that means.

        Raises:
            HookFailure: it may not run, can't be started, or its document can't be made.
        """
        if refusal := self.refusal():
            raise HookFailure("untrusted", refusal)
        redaction = Redaction()
        stdin = encode(self._told(document, redaction, self._house.redact or redact))
        async with self._house.slot():
            finished = await run_process(self.argv, stdin, self._environment(), self._house.cwd, grace)
        return finished, self._read(finished, document, redaction)

    def _told(self, document: dict[str, Any], redaction: Redaction, redact: Redact | None) -> Any:
        """What the command reads."""
        told = self._dialect.render(self._point, cast("dict[str, Any]", redaction.cover(document)))
        return told if redact is None else plain(redact(told))

    def _environment(self) -> dict[str, str]:
        seen = {name: os.environ[name] for name in (*ENVIRONMENT, *self._env) if name in os.environ}
        return seen | UTF8

    def _read(self, finished: Finished, document: dict[str, Any], redaction: Redaction) -> Verdict | HookFailure | None:
        answer = Answer(self._point, finished)
        try:
            verdict = answer.verdict(self._dialect)
            if isinstance(verdict, Modify):
                return Modify(self._dialect.arguments(redaction.uncover(verdict.arguments), document["tool_input"]))
            return verdict
        except HookFailure as failure:
            return failure
        except ValueError as error:
            return HookFailure("output", str(error))


def _check(point: HookPoint, argv: object, dialect: str, env: object) -> None:
    problems: list[str] = []
    if not point.shell:
        problems.append("commands are not run for this event, it fires too often: register a function")
    if not _texts(argv) or not argv or not cast("Sequence[str]", argv)[0]:
        problems.append(f"argv={argv!r}: allowed is a list of texts, the program first")
    elif any("\0" in word for word in cast("Sequence[str]", argv)):
        problems.append("argv holds a NUL character")
    if dialect not in DIALECTS:
        problems.append(f"dialect={dialect!r}: allowed are {' and '.join(map(repr, DIALECTS))}")
    if not _texts(env):
        problems.append(f"env={env!r}: allowed is a list of names of variables")
    if problems:
        raise ConfigurationError(*(f"command on {point.name}: {one}" for one in problems))


def _texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in cast("Sequence[object]", value))


def _name(argv: Sequence[str]) -> str:
    """A command in a few words, without folders and keys."""
    words = starred(" ".join(os.path.basename(word) or word for word in argv[:3]))
    return " ".join(words.split())[:80]
