"""The hooks of one executor: the host's, never the actor's."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any

from cleveractors.exceptions import ConfigurationError, Problem
from cleveractors.hooks.asking import Asking
from cleveractors.hooks.commands import Command, DialectName
from cleveractors.hooks.display import Display
from cleveractors.hooks.functions import Function
from cleveractors.hooks.hook import Hook, make_hook
from cleveractors.hooks.house import House, Redact
from cleveractors.hooks.matcher import read_matcher
from cleveractors.hooks.points import OnFailure, point_of
from cleveractors.hooks.registration import Registration
from cleveractors.hooks.run import RunHooks
from cleveractors.hooks.trust import executable

if TYPE_CHECKING:
    from cleveractors.context import RunContext

__all__ = ["Hooks"]


class Hooks(Registration):
    """Functions and commands that are called at the moments that matter. Give it to `create_executor(hooks=…)`.

    Hooks of one event are called in the order in which they were registered. A run takes those that are there
    when it begins.

    Args:
        cwd: the folder that commands run in and are told; default: the process's own, now.
        redact: takes the JSON object that a command would read, in which strings that look like keys are starred
            already, and returns what it reads.
        max_processes: commands that run at a time in one event loop.
    """

    def __init__(
        self, cwd: str | os.PathLike[str] | None = None, redact: Redact | None = None, *, max_processes: int = 16
    ) -> None:
        self._house = House(cwd, redact, max_processes)
        self._hooks: dict[str, tuple[Hook, ...]] = {}
        self.problems: tuple[Problem, ...] = ()
        """What was wrong with entries of the file that it came from, and were left out."""

    @property
    def cwd(self) -> str:
        """The folder that commands run in."""
        return self._house.cwd

    @property
    def failures(self) -> Mapping[tuple[str, str], int]:
        """Hook and kind of failure → how often it came: `{("guard.sh", "timeout"): 2}`."""
        return Counter(self._house.failures)

    @property
    def hooks(self) -> tuple[Hook, ...]:
        """All of them, by event, in their order."""
        return tuple(hook for hooks in self._hooks.values() for hook in hooks)

    def command(
        self,
        event: str,
        argv: Sequence[str],
        *,
        matcher: str | None = None,
        timeout: float | None = None,
        on_failure: OnFailure | None = None,
        dialect: DialectName = "hermes",
        env: Sequence[str] = (),
        required: bool = False,
    ) -> None:
        """Register a command that reads one JSON object from stdin and answers by exit code and stdout.

        Args:
            event: when it runs.
            argv: program and arguments; no shell reads them.
            matcher: a regular expression for the tool's whole name; on events of tools.
            timeout: seconds for all of it: waiting for its turn, starting, running. Default: 30, for gates 10.
            on_failure: what its failure means; `deny` is the default of gates.
            dialect: the language of both JSON objects.
            env: names of variables that it may see beside PATH, HOME, LANG, TMPDIR and TZ.
            required: refuse to begin where the program is missing.

        Raises:
            ConfigurationError: something about it can't be.
        """
        hook, command = self.make_command(
            event, argv, dialect, env, matcher=matcher, timeout=timeout, on_failure=on_failure, required=required
        )
        if required and (missing := command_missing(command, self._house.cwd)):
            raise ConfigurationError(f"hook {hook.name} on {event} is required: {missing}")
        self.add(hook)

    def make_command(
        self, event: str, argv: Sequence[str], dialect: DialectName, env: Sequence[str], **options: Any
    ) -> tuple[Hook, Command]:
        """Make a command's hook; for code of this library."""
        point = point_of(event)
        matcher = str(_matcher_of(options.get("matcher")))
        command = Command(point, argv, self._house, dialect=dialect, env=env, matcher=matcher)
        return make_hook(point, command, **options), command

    def add_function(self, event: str, fn: Callable[[Any], object], options: dict[str, Any]) -> None:
        """Keep a function as a hook; `on` is the way to say it."""
        point = point_of(event)
        function = Function(fn)
        unknown = options.keys() - signature(make_hook).parameters.keys() - {"required", "observe", "scope"}
        if unknown:
            raise ConfigurationError(f"hook {function.name} on {event}: unknown {', '.join(sorted(unknown))}")
        hook = make_hook(point, function, **options)
        function.check(point, hook.observe)
        self.add(hook)

    def add(self, hook: Hook) -> None:
        """Keep a hook; for code of this library."""
        event = hook.point.name
        self._hooks[event] = (*self._hooks.get(event, ()), hook)

    @classmethod
    def from_file(
        cls,
        path: str | os.PathLike[str],
        *,
        trust: Collection[str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        redact: Redact | None = None,
    ) -> Hooks:
        """Read hooks from a YAML file: `hooks: {pre_tool_call: [{matcher, command, timeout, …}]}`.

        An entry that is wrong is told to the log and left out; one that guards something, or is `required`, is not.

        Args:
            path: the file.
            trust: digests of the commands that may run, as `digest()` of the same hooks returned them once;
                None: the file is trusted as it is.
            cwd: as of `Hooks`.
            redact: as of `Hooks`.

        Raises:
            ConfigurationError: a gate or a required hook is wrong, missing or not trusted; or the file can't be read.
        """
        # Reads YAML with the code for actors' files, which needs pydantic.
        from cleveractors.hooks.files import load

        return load(cls(cwd, redact), path, trust)

    def digest(self) -> frozenset[str]:
        """The digests of all commands as they are now: keep them, and give them as `trust`.

        Raises:
            ConfigurationError: a script can't be read.
        """
        try:
            return frozenset(one.action.digest() for one in self.hooks if isinstance(one.action, Command))
        except OSError as error:
            raise ConfigurationError(f"no digest can be made of {error.filename}: {error.strerror}") from error

    def trust_only(self, trust: Collection[str] | None) -> None:
        """Run no command whose digest is not among these; None: all may run."""
        self._house.trust = None if trust is None else frozenset(trust)

    def for_run(self, context: RunContext[Any], platform: str = "library") -> RunHooks | None:
        """The hooks of one run, or None where there are none; for code of this library."""
        if not self._hooks:
            return None
        asking = Asking(context, dict(self._hooks), self._house, platform)
        return RunHooks(asking, Display(context.run.services.background.start))

    def __repr__(self) -> str:
        counts = ", ".join(f"{event}: {len(hooks)}" for event, hooks in self._hooks.items())
        return f"<Hooks {counts or 'none'}>"


def command_missing(command: Command, cwd: str) -> str | None:
    """What is wrong with a command's program, if it can't be run."""
    if executable(command.argv, cwd) is None:
        return f"there is no program {command.argv[0]!r} that can be run in {cwd}"
    return None


def _matcher_of(text: object) -> object:
    """The matcher as a digest has it; what is wrong with it, `make_hook` says."""
    try:
        return read_matcher(text if isinstance(text, str) else None)
    except ConfigurationError:
        return "*"
