"""The scripted provider's program: started, asked, stopped, and what it left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import cleveractors
from features.lib.provider_stage import CHAT, QUESTION
from features.lib.wire_client import PATIENCE, Received, WireClient, request_bytes
from features.lib.world import World

__all__ = ["Program", "program"]

PROGRAM = "provider_program"
MODULE = "cleveractors.testing.provider"
SOURCE = Path(str(cleveractors.__file__)).parent.parent


@dataclass
class Program:
    """One process and its files."""

    world: World
    folder: Path
    process: subprocess.Popen[str] | None = None
    received: list[Received] = field(default_factory=list[Received])
    status: int | None = None
    said: str = ""

    def run(self, options: Sequence[str]) -> None:
        """Run it to its end, which comes by itself."""
        self._begin(options)
        self._end()

    def run_closed(self, options: Sequence[str]) -> None:
        """Run it without any standard input, to its end."""
        self._begin(options, "sh", "-c", 'exec "$@" <&-', "sh")
        self._end()

    def start(self, options: Sequence[str], report: bool = True) -> None:
        """Start it, and wait until it has told its port."""
        self._begin([*options, *(["--report-file", str(self.folder / "report")] if report else [])])
        waiting = threading.Event()
        for _ in range(int(PATIENCE / 0.02)):
            if (self.folder / "port").exists():
                return
            assert self._running.poll() is None, self._running.communicate()
            waiting.wait(0.02)
        raise AssertionError("it has not told its port")

    async def ask(self, times: int) -> None:
        """Ask it, each time on a new connection."""
        port = int((self.folder / "port").read_text())
        for _ in range(times):
            client = await WireClient(port).open()
            try:
                await client.send(request_bytes("POST", CHAT, QUESTION))
                self.received.append(await client.receive())
            finally:
                client.leave()

    def stop(self, how: str) -> None:
        """Stop it by a signal, or by the end of its input."""
        if how == "end of input":
            self._end("a line that nobody asked for\n")
        else:
            self._running.send_signal(signal.Signals[how])
            self._running.wait(PATIENCE)
            self._end()

    def report(self) -> Any:
        """The report, as JSON."""
        return json.loads((self.folder / "report").read_text())

    def messages(self) -> list[dict[str, Any]]:
        """The messages that were answered."""
        return [one.document["choices"][0]["message"] for one in self.received if one.status == 200]

    @property
    def _running(self) -> subprocess.Popen[str]:
        assert self.process is not None, "the program was not started"
        return self.process

    def _begin(self, options: Sequence[str], *shell: str) -> None:
        command = [*shell, sys.executable, "-m", MODULE, "--port-file", str(self.folder / "port"), *options]
        env = {**os.environ, "PYTHONPATH": str(SOURCE)}
        pipe = subprocess.PIPE
        merged = subprocess.STDOUT
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=merged, text=True, env=env)
        self.world.defer(self._clear)

    def _end(self, words: str | None = None) -> None:
        self.said, _ = self._running.communicate(words, timeout=PATIENCE)
        self.status = self._running.returncode

    def _clear(self) -> None:
        if self._running.poll() is None:
            self._running.kill()
            self._end()


def program(context: Any) -> Program:
    """The scenario's program."""
    if not hasattr(context, PROGRAM):
        world: World = context.world
        folder = Path(world.use(tempfile.TemporaryDirectory()))
        setattr(context, PROGRAM, Program(world, folder))
    return cast("Program", getattr(context, PROGRAM))
