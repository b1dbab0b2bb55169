"""A command as a process: files in place of pipes, its exit decides, and it is ended as a tree."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO

from cleveractors.hooks.running import HookFailure
from cleveractors.hooks.trees import Tree, signal_group
from cleveractors.tasks import outlive

__all__ = ["MAX_OUTPUT", "Finished", "run_process"]

MAX_OUTPUT = 1024 * 1024
"""Bytes of each output that are read."""
REAP_SECONDS = 1.0
FIRST_POLL, LAST_POLL = 0.001, 0.05


@dataclass(frozen=True, slots=True)
class Finished:
    """A process that has ended."""

    code: int
    """Its exit code; negative: the signal that ended it."""
    stdout: bytes
    stderr: bytes
    seconds: float
    truncated: bool = False
    """Whether there was more on stdout than is read."""


async def run_process(argv: Sequence[str], stdin: bytes, env: Mapping[str, str], cwd: str, grace: float) -> Finished:
    """Run a command in a session of its own until it exits, whoever else holds its output.

    Cancelled, it ends the command and all that it has started before the cancellation goes on.

    Raises:
        HookFailure: it can't be started.
    """
    began = time.monotonic()
    with ExitStack() as stack:
        given, out, err = (stack.enter_context(TemporaryFile()) for _ in range(3))
        given.write(stdin)
        given.seek(0)
        process = _start(argv, given, out, err, env, cwd)
        try:
            await _exited(process)
        except BaseException:
            with suppress(TimeoutError):
                await outlive(_end(process, grace), grace + 2 * REAP_SECONDS, f"end of hook process {process.pid}")
            raise
        code = process.wait()
        if code not in (0, 2):
            signal_group(process.pid, signal.SIGKILL)
        stdout = _head(out)
        return Finished(
            code, stdout[:MAX_OUTPUT], _head(err)[:MAX_OUTPUT], time.monotonic() - began, len(stdout) > MAX_OUTPUT
        )


def _start(
    argv: Sequence[str],
    given: IO[bytes],
    out: IO[bytes],
    err: IO[bytes],
    env: Mapping[str, str],
    cwd: str,
) -> subprocess.Popen[bytes]:
    try:
        # The host's own argv: no shell reads it, and what a model wrote is on stdin alone.
        return subprocess.Popen(  # nosec B603
            list(argv), stdin=given, stdout=out, stderr=err, env=dict(env), cwd=cwd, start_new_session=True
        )
    except (OSError, ValueError) as error:
        raise HookFailure("start", f"it can't be started: {type(error).__name__}: {error}") from error


def _head(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read(MAX_OUTPUT + 1)


async def _end(process: subprocess.Popen[bytes], grace: float) -> None:
    """Ask the tree to end, kill it, and reap its leader, within bounds."""
    tree = Tree(process.pid)
    try:
        tree.signal(signal.SIGTERM)
        await _exited_within(process, grace)
    finally:
        # The leader may have ended on TERM and left a child that ignores it.
        tree.signal(signal.SIGKILL)
    await _exited_within(process, REAP_SECONDS)
    process.poll()


async def _exited_within(process: subprocess.Popen[bytes], seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await _exited(process)
    except TimeoutError:
        return


async def _exited(process: subprocess.Popen[bytes]) -> None:
    """Return when the process has ended, which need not end its output: a child may hold that."""
    loop = asyncio.get_running_loop()
    open_handle = getattr(os, "pidfd_open", None)
    try:
        if open_handle is None or process.returncode is not None:
            return await _polled(process)
        handle: int = open_handle(process.pid)
    except OSError:
        return await _polled(process)
    ended = loop.create_future()
    try:
        loop.add_reader(handle, _set, ended)
        await ended
    except NotImplementedError:
        await _polled(process)
    finally:
        _forget(loop, handle)


def _forget(loop: asyncio.AbstractEventLoop, handle: int) -> None:
    try:
        loop.remove_reader(handle)
    except NotImplementedError:
        pass
    finally:
        os.close(handle)


def _set(ended: asyncio.Future[None]) -> None:
    if not ended.done():
        ended.set_result(None)


async def _polled(process: subprocess.Popen[bytes]) -> None:
    """Where the system tells nobody that a process has ended."""
    pause = FIRST_POLL
    while process.poll() is None:
        await asyncio.sleep(pause)
        pause = min(2 * pause, LAST_POLL)
