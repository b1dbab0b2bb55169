"""One kernel: a process that runs cells, one at a time, and keeps their variables."""

from __future__ import annotations

import asyncio
import json
import os
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast

from cleveractors.exceptions import ExecutionError
from cleveractors.tasks import STOP_SECONDS, outlive
from cleveractors.tools.repl.output import STDERR, STDOUT, Output
from cleveractors.tools.repl.pipes import read_now, wait_readable, write_all
from cleveractors.tools.repl.process import KernelProcess, Launch

__all__ = ["Bounds", "Kernel", "Outcome"]

Emit = Callable[[str, dict[str, Any]], Awaitable[None]]

HEAD = struct.Struct(">I")
MOST_REPLY = 1 << 28
START_SECONDS = 60.0
INTERRUPT_SECONDS = 1.0
"""How long interrupted code may take to end."""
CLOSING_SECONDS = 0.5
"""How long a process whose pipe is closed may take to end."""
LOOK_SECONDS = 0.05
"""How often it is looked whether the process lives, where the system tells nobody."""
FLOOD = 20
"""Code that prints so many times the bound of output is stopped."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one cell may use."""

    seconds: float
    output: int
    """Characters."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a cell has ended."""

    output: str
    value: str | None = None
    """How the value of the last expression looks."""
    error: str | None = None
    """Why there is no value, a traceback perhaps."""
    lost: str | None = None
    """Why the kernel is no more, and its variables with it."""


class Kernel:
    """A process of its own.

    Args:
        launch: how it is started.

    Raises:
        ExecutionError: it can't be started.
    """

    def __init__(self, launch: Launch) -> None:
        try:
            self.process = KernelProcess(launch)
        except OSError as error:
            raise ExecutionError(f"no kernel could be started: {type(error).__name__}: {error}") from error
        self._ready = False

    async def run(self, code: str, bounds: Bounds, emit: Emit) -> Outcome:
        """Run a cell; where that is cancelled, the process is ended first.

        Raises:
            ExecutionError: the process does not come up.
        """
        if not self.process.hold():
            return Outcome("", lost=self.process.why)
        try:
            return await self._run(code, bounds, emit)
        except BaseException:
            await self.end()
            raise
        finally:
            self.process.let_go()

    async def _run(self, code: str, bounds: Bounds, emit: Emit) -> Outcome:
        if not self._ready:
            await self._come_up(emit)
        cell = _Cell(self.process, bounds, emit)
        outcome = await cell.run(code)
        if outcome.lost is not None:
            await self.end()
        return outcome

    async def _come_up(self, emit: Emit) -> None:
        cell = _Cell(self.process, Bounds(START_SECONDS, 2_000), _silently)
        if not await cell.greeted():
            raise ExecutionError(f"the kernel did not come up: {cell.output.text.strip()[-500:] or 'no word of it'}")
        self._ready = True

    async def end(self, why: str = "") -> None:
        """End the process and all that descends from it, and wait for that."""
        self.process.kill(why)
        await outlive(self.process.reap(), STOP_SECONDS, f"end of kernel {self.process.pid}")


async def _silently(name: str, data: dict[str, Any]) -> None:
    del name, data


class _Cell:
    """One cell while it runs."""

    def __init__(self, process: KernelProcess, bounds: Bounds, emit: Emit) -> None:
        self._process = process
        self._bounds = bounds
        self._emit = emit
        self._loop = asyncio.get_running_loop()
        self._due = self._loop.time() + bounds.seconds
        self._token = os.urandom(8).hex()
        self._streams = {process.stdout: STDOUT, process.stderr: STDERR}
        self._open = {process.replies, *self._streams}
        self._reply = bytearray()
        self._stopped = ""
        """Why it was interrupted."""
        self.output = Output(bounds.output)

    async def greeted(self) -> bool:
        """Wait until the process says that it is there."""
        reply = await self._answer()
        return reply is not None and reply.get("ready") is True

    async def run(self, code: str) -> Outcome:
        """Send the code, and follow it to its end."""
        command = json.dumps({"code": code, "token": self._token, "limit": self._bounds.output}).encode()
        try:
            await write_all(self._process.commands, HEAD.pack(len(command)) + command)
        except OSError:
            return await self._lost()
        reply = await self._answer()
        if reply is None or reply.get("token") != self._token:
            return await self._lost()
        error = reply["error"]
        if self._stopped:
            error = "\n".join(filter(None, (error, f"{self._stopped}; its variables are kept")))
        return Outcome(self.output.text, reply["value"], error)

    async def _answer(self) -> dict[str, Any] | None:
        """The process's reply; None where it gives none any more."""
        while (reply := self._read_reply()) is None:
            if self._broken or self._process.has_ended():
                break
            if self._loop.time() >= self._due and not self._stop():
                break
            if self.output.size > FLOOD * self._bounds.output and not self._stopped:
                self._interrupt(f"stopped: it printed more than {FLOOD * self._bounds.output:,} characters")
            await self._take(await self._readable())
        await self._drain()
        return reply

    @property
    def _broken(self) -> bool:
        return self._process.replies not in self._open

    async def _readable(self) -> set[int]:
        left = max(self._due - self._loop.time(), 0)
        if self._process.pidfd is None:
            return await wait_readable(self._open, min(left, LOOK_SECONDS))
        return await wait_readable((*self._open, self._process.pidfd), left)

    async def _take(self, ready: set[int]) -> bool:
        """Read once from each; whether there was anything."""
        taken = False
        for file in ready & self._open:
            data = read_now(file)
            taken |= bool(data)
            if data == b"":
                self._open.discard(file)
            elif data is not None and file == self._process.replies:
                self._reply += data
            elif data is not None:
                await self._tell(self._streams[file], data)
        return taken

    async def _tell(self, stream: str, data: bytes) -> None:
        text = self.output.take(stream, data)
        if text:
            began = self._loop.time()
            await self._emit(stream, {"text": text})
            # Whoever reads slowly takes nothing of the code's time.
            self._due += self._loop.time() - began

    async def _drain(self) -> None:
        """What was printed before the reply is still in the pipes, which hold a few pieces at most."""
        for _ in range(3):
            if not await self._take(set(self._streams)):
                break

    def _read_reply(self) -> dict[str, Any] | None:
        if len(self._reply) < HEAD.size:
            return None
        (size,) = HEAD.unpack_from(self._reply)
        if size > MOST_REPLY:
            self._open.discard(self._process.replies)
            return None
        if len(self._reply) < HEAD.size + size:
            return None
        try:
            reply: object = json.loads(bytes(self._reply[HEAD.size : HEAD.size + size]))
        except ValueError:
            reply = None
        return cast("dict[str, Any]", reply) if isinstance(reply, dict) else {}

    def _stop(self) -> bool:
        """Its time is up: interrupt it, or give up where that did not help."""
        if self._stopped:
            return False
        self._interrupt(f"stopped at the time limit of {self._bounds.seconds:g} s")
        return True

    def _interrupt(self, why: str) -> None:
        self._stopped = why
        self._due = self._loop.time() + INTERRUPT_SECONDS
        self._process.interrupt()

    async def _lost(self) -> Outcome:
        """The process is of no use any more."""
        if self._broken:
            # Its pipes are closed a moment before it has ended.
            await self._process.ended_within(CLOSING_SECONDS)
        if self._process.killed:
            why = self._process.why
        elif self._process.has_ended():
            self._process.kill()
            await self._process.reap()
            code = self._process.code or 0
            why = f"its process ended by signal {-code}" if code < 0 else f"its process exited with code {code}"
        elif self._stopped:
            why = f"it was {self._stopped}, did not end on an interrupt, and was killed"
        else:
            why = "the code has broken the connection to its process, which was killed"
        return Outcome(self.output.text, lost=why)
