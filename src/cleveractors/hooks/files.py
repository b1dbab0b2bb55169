"""Hooks as a file says them: every mistake has its line, and only one in a gate stops the start."""

from __future__ import annotations

import logging
import os
import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol, TypeVar, cast

from cleveractors.config.composer import compose
from cleveractors.config.document import open_problems
from cleveractors.config.hints import did_you_mean
from cleveractors.config.problems import Problems
from cleveractors.config.reading import read_text
from cleveractors.config.shown import found, quoted
from cleveractors.config.source import Path
from cleveractors.config.tree import key_offset, nearest
from cleveractors.exceptions import ConfigurationError, Problem
from cleveractors.hooks.commands import Command, DialectName
from cleveractors.hooks.hook import Hook
from cleveractors.hooks.points import POINTS, meant_by
from cleveractors.hooks.trust import executable

__all__ = ["load"]

KEYS = ("matcher", "command", "timeout", "on_failure", "dialect", "env", "required", "scope")
_ELSEWHERE = {
    "fail_closed": "write `on_failure: deny`",
    "failClosed": "write `on_failure: deny`",
    "args": "write the arguments into `command: [program, argument, …]`",
    "hooks": "an entry is one command, without a list in it: `- {matcher: …, command: …}`",
    "type": "every entry is a command",
}
_OPERATORS = frozenset({"|", "||", "&&", "&", ";", ">", ">>", "<", "2>&1"})
_log = logging.getLogger("cleveractors")


class Keeper(Protocol):
    """What hooks are added to."""

    problems: tuple[Problem, ...]

    @property
    def cwd(self) -> str: ...
    def trust_only(self, trust: Collection[str] | None) -> None: ...
    def add(self, hook: Hook) -> None: ...
    def make_command(
        self, event: str, argv: Sequence[str], dialect: DialectName, env: Sequence[str], **options: Any
    ) -> tuple[Hook, Command]: ...


H = TypeVar("H", bound=Keeper)


def load(hooks: H, path: str | os.PathLike[str], trust: Collection[str] | None) -> H:
    """Add a file's hooks.

    Raises:
        ConfigurationError: with all problems, when one of them is in a gate, a required hook, or the file itself.
    """
    hooks.trust_only(trust)
    problems = open_problems(path)
    problems.root = compose(read_text(str(os.fspath(path)), problems), problems)
    entries = _Entries(hooks, problems)
    entries.read()
    told = _told(problems)
    grave = [problem for problem in told if entries.is_grave(problem)]
    if grave:
        raise ConfigurationError(*told)
    for problem in told:
        _log.warning("%s", problem)
    hooks.problems = told
    return hooks


def _told(problems: Problems) -> tuple[Problem, ...]:
    try:
        problems.raise_any()
    except ConfigurationError as error:
        return error.problems
    return ()


class _Entries:
    """Reads the entries of a file one by one; a bad one leaves the others alone."""

    def __init__(self, hooks: Keeper, problems: Problems) -> None:
        self._hooks = hooks
        self._problems = problems
        self._required: set[str] = set()
        self._harmless: set[str] = set()

    def read(self) -> None:
        """Read all of them."""
        root = self._problems.root
        value = root.value if root is not None else None
        if not isinstance(value, dict) or "hooks" not in value:
            self._flaw(
                (), "a file of hooks is a mapping with the key `hooks`", hint="write `hooks: {pre_tool_call: []}`"
            )
            return
        for key in cast("dict[str, object]", value):
            if key != "hooks":
                self._flaw((key,), f"unknown key {quoted(key, '`')}", hint="a file of hooks has the key `hooks`")
        events = cast("dict[str, object]", value)["hooks"]
        if not isinstance(events, dict):
            self._flaw(("hooks",), f"{found(events)}; allowed is a mapping of events", hint=None)
            return
        for event, entries in cast("dict[str, object]", events).items():
            self._event(event, entries)

    def is_grave(self, problem: Problem) -> bool:
        """Whether a problem may mean that something is not guarded."""
        parts = problem.path.split(".", 2)
        if len(parts) < 2:
            return True
        event = parts[1].split("[", 1)[0]
        entry = f"hooks.{parts[1]}"
        if entry in self._required:
            return True
        known = POINTS.get(event) or POINTS.get(meant_by(event) or "")
        return known is not None and known.gate and entry not in self._harmless

    def _event(self, event: str, entries: object) -> None:
        path: Path = ("hooks", event)
        if not isinstance(entries, list):
            self._flaw(path, f"{found(entries)}; allowed is a list of entries", hint="write `- command: …`")
            return
        for index, entry in enumerate(cast("list[object]", entries)):
            if isinstance(entry, dict) and cast("dict[str, object]", entry).get("required"):
                self._required.add(f"hooks.{event}[{index}]" if event in POINTS else f"hooks.{event}")
            if event in POINTS:
                self._entry(event, (*path, index), cast("object", entry))
        if event not in POINTS:
            self._no_event(event, path)

    def _no_event(self, event: str, path: Path) -> None:
        meant = meant_by(event)
        claude = meant is not None and POINTS[meant].claude == event
        hint = f"did you mean `{meant}`{', with `dialect: claude`' if claude else ''}?" if meant else None
        self._flaw(path, f"there is no event {quoted(event, '`')}", key=True, hint=hint)

    def _entry(self, event: str, path: Path, value: object) -> None:
        if not isinstance(value, dict):
            self._flaw(path, f"{found(value)}; allowed is a mapping with `command`")
            return
        entry = dict(cast("dict[str, Any]", value))
        wrong = [self._unknown(path, key) for key in entry if key not in KEYS]
        options = {key: self._option(path, key, entry) for key in KEYS if key in entry}
        argv = None if wrong else self._argv(path, entry.get("command"))
        if argv is None or _BAD in options.values():
            return
        del options["command"]
        try:
            self._register(event, path, argv, options)
        except ConfigurationError as error:
            for problem in error.problems:
                self._flaw(_place(path, problem.message, entry), problem.message)

    def _register(self, event: str, path: Path, argv: list[str], options: dict[str, Any]) -> None:
        dialect: DialectName = options.pop("dialect", "hermes")
        hook, command = self._hooks.make_command(event, argv, dialect, options.pop("env", ()), **options)
        where = (*path, "command")
        if executable(argv, self._hooks.cwd) is None:
            # What fails when it runs is denied then, where it is a gate: only `required` makes it grave now.
            self._harmless.add(f"hooks.{event}[{path[2]}]")
            self._flaw(where, f"there is no program {quoted(argv[0])} that can be run in {self._hooks.cwd}")
        elif refusal := command.refusal():
            self._flaw(where, refusal, hint="compare the scripts, then give their new digests as `trust`")
            return
        self._hooks.add(hook)

    def _unknown(self, path: Path, key: str) -> str:
        hint = _ELSEWHERE.get(key) or did_you_mean(key, KEYS)
        self._flaw((*path, key), f"unknown key {quoted(key, '`')}; allowed: {', '.join(KEYS)}", key=True, hint=hint)
        return key

    def _option(self, path: Path, key: str, entry: Mapping[str, Any]) -> Any:
        fits, allowed = _KINDS[key]
        value = entry[key]
        if fits(value):
            return value
        self._flaw((*path, key), f"{found(value)}; allowed is {allowed}")
        return _BAD

    def _argv(self, path: Path, command: object) -> list[str] | None:
        if command is None:
            self._flaw(path, "the entry has no `command`")
            return None
        if isinstance(command, str):
            return self._split((*path, "command"), command)
        return cast("list[str]", command) if _texts(command) and command else None

    def _split(self, path: Path, command: str) -> list[str] | None:
        try:
            words = shlex.split(command)
        except ValueError as error:
            self._flaw(path, f"the command can't be split into words: {error}", hint="write a list")
            return None
        if not words:
            self._flaw(path, "the command is empty")
            return None
        if operators := sorted(_OPERATORS.intersection(words)):
            hint = "put it into a script, or write `[sh, -c, …]`"
            self._flaw(path, f"no shell reads the command, so that {operators[0]} means nothing", hint=hint)
            return None
        return [os.path.expanduser(words[0]), *words[1:]]

    def _flaw(self, path: Path, message: str, *, key: bool = False, hint: str | None = None) -> None:
        root = self._problems.root
        offset = None
        if root is not None:
            offset = key_offset(root, path) if key else nearest(root, path)[0].start
        self._problems.flaw(message, path, offset=offset, hint=hint)


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in cast("list[object]", value))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


_BAD = object()
_KINDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "matcher": (lambda value: value is None or _is_text(value), "a regular expression for names of tools"),
    "command": (lambda value: _is_text(value) or (_texts(value) and bool(value)), "a text, or a list of texts"),
    "timeout": (lambda value: isinstance(value, int | float) and not isinstance(value, bool), "a number of seconds"),
    "on_failure": (lambda value: value in ("deny", "pass"), "deny or pass"),
    "dialect": (lambda value: value in ("hermes", "claude"), "hermes or claude"),
    "env": (_texts, "a list of names of variables"),
    "required": (lambda value: isinstance(value, bool), "true or false"),
    "scope": (lambda value: value in ("root", "all"), "root or all"),
}
"""Key → whether a value fits, and what does."""


def _place(path: Path, message: str, entry: Mapping[str, Any]) -> Path:
    """Where a problem of a whole entry stands: at the key that its message speaks of."""
    spoken = [key for key in KEYS if f"{key}=" in message or f": {key} " in message]
    return (*path, spoken[0]) if spoken and spoken[0] in entry else path
