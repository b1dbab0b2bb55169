"""Starts programs for the suites: commands that end, and servers that have to be ready, and ended, by process id."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from robot.api import logger
from robot.api.deco import keyword, library

# Settings of the person's machine that no test may depend on.
FOREIGN = ("OPENAI_", "LANGCHAIN_", "LANGSMITH_", "PYTHONUNBUFFERED")


@dataclass(frozen=True)
class Outcome:
    """How a command ended."""

    exit_code: int
    stdout: str
    stderr: str


@dataclass
class Server:
    """A program that runs beside the suite, in a process group of its own."""

    process: subprocess.Popen[bytes]
    port: int
    output: IO[bytes]

    def text(self) -> str:
        return Path(self.output.name).read_text(encoding="utf-8", errors="replace")

    def is_ready(self) -> bool:
        """True when something listens on the port; an error when the program has ended instead."""
        if self.process.poll() is not None:
            raise AssertionError(f"the server ended with {self.process.returncode}:\n{self.text()}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def end(self, grace: float) -> None:
        """Ask the group to end, then kill it: a leader that ended may have left a child."""
        _signal_group(self.process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(grace)
        _signal_group(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.output.close()


class Begun:
    """A command that runs."""

    def __init__(
        self,
        command: tuple[str, ...],
        cwd: str | None,
        env: dict[str, str] | None,
        stdin: IO[bytes] | int = subprocess.DEVNULL,
        stdout: IO[bytes] | None = None,
    ) -> None:
        self._command = command
        self._out = tempfile.TemporaryFile()  # noqa: SIM115 - both are closed when the command has ended
        self._err = tempfile.TemporaryFile()  # noqa: SIM115 - as above
        self.process = _start(command, cwd, env, stdout or self._out, self._err, stdin)

    def printed(self) -> str:
        """Its standard output so far."""
        # Not by reading: the program writes where this file is read.
        return os.pread(self._out.fileno(), 1 << 20, 0).decode("utf-8", errors="replace")

    def outcome(self, timeout: float) -> Outcome:
        """Wait for its end; past the timeout its tree is killed."""
        with self._out, self._err:
            try:
                exit_code = self.process.wait(timeout)
            finally:
                _signal_group(self.process.pid, signal.SIGKILL)
                self.process.wait()
                stdout, stderr = _read(self._out), _read(self._err)
                logger.info(f"{' '.join(self._command)}\n{stdout}\n{stderr}")
        return Outcome(exit_code, stdout, stderr)


@library(scope="GLOBAL")
class Runner:
    """Keeps the outcome of the last command in `outcome`, and the servers by their names."""

    def __init__(self) -> None:
        self.outcome: Outcome | None = None
        self._servers: dict[str, Server] = {}
        self._begun: Begun | None = None

    @keyword
    def run_command(
        self,
        *command: str,
        timeout: float = 60,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        stdin: str | None = None,
    ) -> Outcome:
        """Run a program to its end and keep its exit code and output; past *timeout* seconds its tree is killed.

        Programs of the suite's own environment come first, `cleveractors` and `python` among them.
        """
        self.begin_command(*command, cwd=cwd, env=env, stdin=stdin)
        return self.end_command(timeout)

    @keyword
    def begin_command(
        self, *command: str, cwd: str | None = None, env: dict[str, str] | None = None, stdin: str | None = None
    ) -> None:
        """Start a program that `End Command` waits for."""
        with tempfile.TemporaryFile() as given:
            given.write((stdin or "").encode())
            given.seek(0)
            self._begun = Begun(command, cwd, env, stdin=given)

    @keyword
    def wait_until_command_prints(self, text: str, timeout: float = 60) -> None:
        """Wait for a text on the standard output of the program that was begun."""
        assert self._begun is not None
        deadline = time.monotonic() + timeout
        while text not in (printed := self._begun.printed()):
            assert time.monotonic() < deadline, f"within {timeout:g} s it printed only {printed!r}"
            time.sleep(0.02)

    @keyword
    def interrupt_command(self) -> None:
        """Send what Ctrl-C sends to the program that was begun."""
        assert self._begun is not None
        self._begun.process.send_signal(signal.SIGINT)

    @keyword
    def terminate_command(self) -> None:
        """Send what a supervisor sends to the program that was begun."""
        assert self._begun is not None
        self._begun.process.send_signal(signal.SIGTERM)

    @keyword
    def end_command(self, timeout: float = 60) -> Outcome:
        """Wait for the program that was begun, and keep its exit code and output."""
        assert self._begun is not None
        begun, self._begun = self._begun, None
        self.outcome = begun.outcome(timeout)
        return self.outcome

    @keyword
    def run_on_terminal(self, *command: str, env: dict[str, str] | None = None) -> Outcome:
        """Run a program on a terminal of its own; all that it shows stands in `stdout`."""
        ours, theirs = pty.openpty()
        with os.fdopen(theirs, "r+b", buffering=0) as terminal, os.fdopen(ours, "rb", buffering=0) as screen:
            process = _start(command, None, {"TERM": "xterm", **(env or {})}, terminal, terminal, terminal)
            terminal.close()
            shown = b""
            # A terminal that nobody has open any more reads as an error, not as an end.
            with contextlib.suppress(OSError):
                while piece := screen.read(65536):
                    shown += piece
            return Outcome(process.wait(60), shown.decode(), "")

    @keyword
    def run_into_closed_pipe(self, *command: str, env: dict[str, str] | None = None) -> Outcome:
        """Run a program whose standard output nobody reads."""
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "wb") as nowhere:
            begun = Begun(command, None, env, stdout=nowhere)
        return begun.outcome(60)

    @keyword
    def free_port(self) -> int:
        """A port of the loopback interface that nobody listens on."""
        with socket.create_server(("127.0.0.1", 0)) as probe:
            return probe.getsockname()[1]

    @keyword
    def start_server(
        self,
        name: str,
        *command: str,
        timeout: float = 60,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
    ) -> int:
        """Start a program on a free port, `{port}` in its arguments, and return the port when it listens there."""
        port = self.free_port()
        output = tempfile.NamedTemporaryFile(prefix=f"{name}-")  # noqa: SIM115 - closed when the server has ended
        process = _start([part.replace("{port}", str(port)) for part in command], cwd, env, output, output)
        self._servers[name] = server = Server(process, port, output)
        deadline = time.monotonic() + timeout
        while not server.is_ready():
            if time.monotonic() > deadline:
                raise AssertionError(f"{name} did not listen within {timeout:g} s:\n{server.text()}")
            time.sleep(0.05)
        return port

    @keyword
    def output_of_server(self, name: str) -> str:
        """All that the server has printed so far."""
        return self._servers[name].text()

    @keyword
    def server_prints(self, name: str, pattern: str, timeout: float = 60) -> list[str]:
        """Wait until what the server has printed holds a pattern, and return the pattern's groups."""
        deadline = time.monotonic() + timeout
        while (found := re.search(pattern, self.output_of_server(name), re.DOTALL)) is None:
            if time.monotonic() > deadline:
                raise AssertionError(f"{name} has not printed {pattern!r}:\n{self.output_of_server(name)}")
            time.sleep(0.05)
        return list(found.groups())

    @keyword
    def stop_server(self, name: str, grace: float = 10) -> None:
        """End a server and all that it started."""
        self._servers.pop(name).end(grace)

    @keyword
    def stop_everything(self) -> None:
        """End every server that still runs."""
        for name in list(self._servers):
            self.stop_server(name)


def _start(
    command: tuple[str, ...] | list[str],
    cwd: str | None,
    env: dict[str, str] | None,
    stdout: IO[bytes],
    stderr: IO[bytes],
    stdin: IO[bytes] | int = subprocess.DEVNULL,
) -> subprocess.Popen[bytes]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environment.get("PATH", "")])
    environment.update(env or {})
    return subprocess.Popen(
        command,
        cwd=cwd,
        env=environment,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        start_new_session=True,
    )


def _signal_group(leader: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", errors="replace")
