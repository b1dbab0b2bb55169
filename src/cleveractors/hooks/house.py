"""What the hooks of one `Hooks` object share."""

from __future__ import annotations

import logging
import os
from asyncio import AbstractEventLoop, get_running_loop
from collections import Counter
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from anyio import Semaphore

from cleveractors.hooks.running import Outcome

if TYPE_CHECKING:
    from cleveractors.context import RunContext

__all__ = ["House", "Redact"]

Redact = Callable[[dict[str, Any]], "dict[str, Any]"]
"""Takes the JSON object that a command would read, returns what it reads."""

_log = logging.getLogger("cleveractors")


class House:
    """Folder, redaction, trust, the bound on processes, and what has failed so far.

    Args:
        cwd: the folder that commands run in; default: the process's own, now.
        redact: the host's redaction.
        max_processes: commands that run at a time in one loop.
    """

    def __init__(self, cwd: str | os.PathLike[str] | None, redact: Redact | None, max_processes: int) -> None:
        self.cwd = os.path.abspath(cwd) if cwd is not None else os.getcwd()
        self.redact = redact
        self.trust: Collection[str] | None = None
        """Digests of the commands that may run; None: all."""
        self.failures: Counter[tuple[str, str]] = Counter()
        """Hook and kind → how often it failed so."""
        self._max_processes = max_processes
        self._slots: WeakKeyDictionary[AbstractEventLoop, Semaphore] = WeakKeyDictionary()

    def slot(self) -> Semaphore:
        """The places for processes in this loop."""
        loop = get_running_loop()
        slots = self._slots.get(loop)
        if slots is None:
            slots = self._slots[loop] = Semaphore(self._max_processes)
        return slots

    def note(self, outcome: Outcome, context: RunContext[Any]) -> None:
        """Count a failure; each kind of each hook is told to the log once, lost trust every time."""
        failure, hook = outcome.failure, outcome.hook
        if failure is None or failure.kind == "aborted":
            return
        self.failures[hook.name, failure.kind] += 1
        untrusted = failure.kind == "untrusted"
        if self.failures[hook.name, failure.kind] > 1 and not untrusted:
            return
        follows = "the action is denied" if outcome.denies else "the run goes on"
        # A host's log handler that raises must not undo what a gate has said.
        with suppress(Exception):
            _log.log(
                logging.ERROR if untrusted else logging.WARNING,
                "hook %s on %s failed (%s): %s; %s; its further failures are counted in hooks.failures",
                hook.name,
                hook.point.name,
                failure.kind,
                failure.text,
                follows,
                extra={"run_id": context.run_id, "tenant": context.tenant},
            )
