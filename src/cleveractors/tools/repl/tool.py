"""The kernel as a tool."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from cleveractors.exceptions import ConfigurationError
from cleveractors.tools.base import Tool, ToolOptions
from cleveractors.tools.repl.kernel import Bounds, Kernel, Outcome
from cleveractors.tools.repl.output import shortened
from cleveractors.tools.repl.pool import Kernels, Place
from cleveractors.tools.repl.process import Launch

if TYPE_CHECKING:
    from cleveractors.context import RunContext

__all__ = ["PythonRepl"]

PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")
"""All that a kernel sees of the host's environment; no key is among it."""

DESCRIPTION = (
    "Runs Python code in a process that keeps its variables, imports and functions between calls. "
    "Returns what the code prints and the value of its last expression, or the traceback. "
    "A call may take {seconds:g} s. There is no input()."
)
SCHEMA = {
    "type": "object",
    "properties": {"code": {"type": "string", "description": "The Python code, as many lines as needed."}},
    "required": ["code"],
    "additionalProperties": False,
}
LEAST_OUTPUT = 200


class PythonRepl(Tool):
    """A tool that runs the model's Python code in a process that keeps its variables. **It is no sandbox.**

    The code runs with the rights of the host's own process: it can read files, use the network and start
    programs. Give it to trusted actors, or run the host in a container.

    Each session has a kernel of its own, else each run. It ends with its session (`executor.end_session`),
    its run or the executor, and when a call of it is cancelled or aborted.

    Args:
        timeout: seconds that one call may take.
        memory_mb: address space of a process, in MiB, where the system enforces it; None for no bound.
        max_output: characters of a result, and of what is told live of one call.
        python: the interpreter; default: the host's own.
        cwd: the working directory; default: the host's.
        env: names of variables that are passed on beside the few that are needed, or a mapping of values.
        max_kernels: processes that may live at a time; beyond it the session that was quiet for longest
            loses its own.

    Raises:
        ConfigurationError: a bound or the interpreter can't be, or the system is not POSIX.
    """

    __slots__ = ("_bounds", "_kernels")

    _bounds: Bounds
    _kernels: Kernels

    def __init__(
        self,
        timeout: float = 30,
        memory_mb: int | None = 512,
        max_output: int = 100_000,
        python: str | os.PathLike[str] = sys.executable,
        cwd: str | os.PathLike[str] | None = None,
        env: Sequence[str] | Mapping[str, str] = (),
        max_kernels: int = 16,
    ) -> None:
        _check(timeout, memory_mb, max_output, max_kernels)
        where = None if cwd is None else os.fspath(cwd)
        launch = Launch(_interpreter(python), (memory_mb or 0) << 20, where, _environment(env))
        # The loop's own clock stays out of it: this one asks the code to stop before it kills it.
        description = DESCRIPTION.format(seconds=timeout)
        super().__init__("python", description, SCHEMA, self._call, ToolOptions(destructive=True), timed=False)
        object.__setattr__(self, "_bounds", Bounds(timeout, max_output))
        object.__setattr__(self, "_kernels", Kernels(partial(Kernel, launch), max_kernels))

    async def _call(self, arguments: Mapping[str, Any], context: RunContext[Any]) -> object:
        context.run.services.keepers.add(self)
        outcome, missed = await self._kernels.run(
            _place(context), arguments["code"], self._bounds, context.emitter.emit
        )
        text = shortened(_written(outcome, missed), self._bounds.output)
        if outcome.error is None and outcome.lost is None:
            return text
        from cleveractors.pairing import error_result

        return error_result(context.tool_call_id or "", self.name, text)

    def release(self, owner: object = None, *, run_id: str | None = None, session_id: str | None = None) -> None:
        """End kernels at once: those of a run, of a session, or without either all.

        Args:
            owner: the services of one executor; default: of whichever.
            run_id: the run's.
            session_id: the session's.
        """

        def chosen(place: Place) -> bool:
            mine = owner is None or place.owner is owner
            everything = run_id is None and session_id is None
            named = place.session_id == session_id if session_id is not None else place.run_id == run_id
            return mine and (everything or named)

        self._kernels.release(chosen, getattr(owner, "background", None))

    async def aclose(self) -> None:
        """End all kernels, and wait until they are gone."""
        await self._kernels.aclose()

    def __repr__(self) -> str:
        return f"PythonRepl(timeout={self._bounds.seconds:g}, kernels={len(self._kernels)})"


def _place(context: RunContext[Any]) -> Place:
    owner = context.run.services
    # Children of one run work side by side: each has a kernel of its own.
    if context.session_id is not None and context.parent_run_id is None:
        return Place(owner, session_id=context.session_id)
    return Place(owner, run_id=context.run_id)


def _written(outcome: Outcome, missed: str | None) -> str:
    parts = [] if missed is None else [f"[a fresh kernel: variables of the earlier one are gone, since {missed}]"]
    parts += [part for part in (outcome.output.rstrip("\n"), outcome.value, outcome.error) if part]
    if outcome.lost is not None:
        parts.append(f"[the kernel is gone: {outcome.lost}; its variables are lost, the next call starts a fresh one]")
    return "\n".join(parts) or "[no output]"


def _check(timeout: float, memory_mb: int | None, max_output: int, max_kernels: int) -> None:
    if os.name != "posix":
        raise ConfigurationError("PythonRepl needs a POSIX system: Linux, macOS or a BSD")
    problems = [
        f"PythonRepl: {name} must be {least} at least, found {value!r}"
        for name, value, least in (
            ("timeout", timeout, 0.1),
            ("memory_mb", memory_mb, 64),
            ("max_output", max_output, LEAST_OUTPUT),
            ("max_kernels", max_kernels, 1),
        )
        if value is not None and not value >= least
    ]
    if problems:
        raise ConfigurationError(*problems)


def _interpreter(python: str | os.PathLike[str]) -> str:
    found = shutil.which(os.fspath(python))
    if found is None:
        raise ConfigurationError(f"PythonRepl: python={os.fspath(python)!r} is no program that can be started")
    return found


def _environment(env: Sequence[str] | Mapping[str, str]) -> dict[str, str]:
    if isinstance(env, Mapping):
        names, values = PASSED_ON, dict(env)
    else:
        names, values = (*PASSED_ON, *env), {}
    return {name: os.environ[name] for name in names if name in os.environ} | {"PYTHONUTF8": "1"} | values
