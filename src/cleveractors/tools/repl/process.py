"""A kernel's process: started, interrupted, ended as a tree, reaped."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cleveractors.hooks.trees import Tree, signal_group
from cleveractors.tools.repl.pipes import wait_readable

__all__ = ["KernelProcess", "Launch"]

CHILD = str(Path(__file__).with_name("child.py"))
POLL_SECONDS = 0.005
"""How often it is looked whether a process that is about to end has ended."""
LAST_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Launch:
    """How kernels are started."""

    python: str
    memory: int
    """Bytes; 0 for no bound."""
    cwd: str | None
    env: Mapping[str, str]


class KernelProcess:
    """A process that leads a session of its own, and this side's ends of its pipes.

    Raises:
        OSError: it can't be started.
    """

    def __init__(self, launch: Launch) -> None:
        ours: list[int] = []
        theirs: list[int] = []
        try:
            for reads in (False, True, True, True):
                ends = os.pipe()
                ours.append(ends[0 if reads else 1])
                theirs.append(ends[1 if reads else 0])
            self._popen = _start(launch, theirs)
        except BaseException:
            _close(ours)
            raise
        finally:
            _close(theirs)
        for file in ours:
            os.set_blocking(file, False)
        self.commands, self.replies, self.stdout, self.stderr = ours
        self.pidfd = _pidfd(self._popen.pid)
        self._files = [*ours, *(() if self.pidfd is None else (self.pidfd,))]
        self._lock = threading.Lock()
        self._users = 0
        self._killed = False
        self._why = ""
        # Whoever forgets a kernel leaves no process behind.
        self._finalizer = weakref.finalize(self, _finish, self._popen, self._files)

    @property
    def pid(self) -> int:
        """The process's id, which is its group's too."""
        return self._popen.pid

    @property
    def code(self) -> int | None:
        """The exit code, once it was reaped."""
        return self._popen.returncode

    @property
    def killed(self) -> bool:
        """Whether it was ended from here."""
        return self._killed

    @property
    def why(self) -> str:
        """What was said when it was ended from here."""
        return self._why

    def has_ended(self) -> bool:
        """Whether it runs no more; it is not reaped by this, so that its group can still be named."""
        return _has_ended(self._popen)

    def interrupt(self) -> None:
        """Send its group what Ctrl-C sends."""
        if not self.has_ended():
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGINT)

    def hold(self) -> bool:
        """Keep the pipes open while somebody works with them; False where they are closed."""
        with self._lock:
            if self._killed:
                return False
            self._users += 1
            return True

    def let_go(self) -> None:
        """End a `hold`."""
        with self._lock:
            self._users -= 1
            self._close_unused()

    def kill(self, why: str = "") -> None:
        """End it and all that descends from it, at once; from any thread, and twice does no harm."""
        with self._lock:
            if not self._killed:
                self._killed, self._why = True, why
                _kill(self._popen)
            self._close_unused()

    def _close_unused(self) -> None:
        if self._killed and not self._users:
            _close(self._files)
            self._files.clear()

    async def ended_within(self, seconds: float) -> None:
        """Wait until it has ended, so long at most."""
        until = time.monotonic() + seconds
        while not self.has_ended() and time.monotonic() < until:
            await wait_readable((), POLL_SECONDS)

    async def reap(self) -> None:
        """Wait until a process that was killed has ended, and take note of how."""
        while self._popen.poll() is None:
            # A killed process is gone in a moment, and its handle may be somebody else's to close.
            await wait_readable((), POLL_SECONDS)
        self._finalizer.detach()

    def reap_now(self) -> None:
        """The same, where no loop runs."""
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(LAST_SECONDS)
            self._finalizer.detach()


def _start(launch: Launch, theirs: Sequence[int]) -> subprocess.Popen[bytes]:
    commands, replies, stdout, stderr = theirs
    # The host's own Python and our own file; what a model writes comes through a pipe.
    return subprocess.Popen(  # nosec B603
        [launch.python, CHILD, str(commands), str(replies), str(launch.memory)],
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=stderr,
        pass_fds=(commands, replies),
        env=dict(launch.env),
        cwd=launch.cwd,
        start_new_session=True,
    )


def _pidfd(pid: int) -> int | None:
    open_handle = getattr(os, "pidfd_open", None)
    with suppress(OSError):
        if open_handle is not None:
            return open_handle(pid)
    return None


def _has_ended(popen: subprocess.Popen[bytes]) -> bool:
    if popen.returncode is not None:
        return True
    if not hasattr(os, "waitid"):
        if popen.poll() is None:
            return False
        # Its number is free from here on, but for its group as long as that has members: now or never.
        signal_group(popen.pid, signal.SIGKILL)
        return True
    try:
        return os.waitid(os.P_PID, popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def _kill(popen: subprocess.Popen[bytes]) -> None:
    # A process that was reaped has no name any more: another may bear it.
    if popen.returncode is None:
        Tree(popen.pid).signal(signal.SIGKILL)


def _close(files: Sequence[int]) -> None:
    for file in files:
        with suppress(OSError):
            os.close(file)


def _finish(popen: subprocess.Popen[bytes], files: list[int]) -> None:
    _kill(popen)
    with suppress(subprocess.TimeoutExpired):
        popen.wait(LAST_SECONDS)
    _close(files)
