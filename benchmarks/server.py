"""The server as a process of its own: told what to do by lines on its standard input, one answer line to each."""

from __future__ import annotations

import subprocess
import sys
from types import TracebackType

__all__ = ["Server"]


class Server:
    """Starts the server, resets it between samples, and ends it by its pid."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.base_url = self._read()

    def reset(self) -> None:
        """Forget every request, and close the gate anew."""
        self._tell("reset")

    def wait_held(self, count: int) -> None:
        """Wait until so many requests stand at the gate."""
        self._tell(f"held {count}")

    def release(self) -> None:
        """Open the gate."""
        self._tell("release")

    def close(self) -> None:
        """End the process; it ends by itself, too, when its standard input does."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        if (answer := self._read()) != "ok":
            raise RuntimeError(f"the server answered {answer!r} to {line!r}")

    def _read(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the server has ended")
        return line.strip()


def main() -> None:
    """Serve until the standard input ends."""
    from benchmarks.turns import Turns
    from cleveractors.testing import ScriptedProvider

    turns = Turns()
    with ScriptedProvider() as provider:
        provider.respond(turns)
        print(provider.base_url, flush=True)
        for line in sys.stdin:
            command, *values = line.split()
            problem = provider.problems[0] if provider.problems else "ok"
            if command == "reset":
                turns = Turns()
                provider.reset()
                provider.respond(turns)
            elif command == "held":
                turns.gate.wait_reached(int(values[0]), timeout=60)
            elif command == "release":
                turns.gate.open()
            print(problem, flush=True)
        turns.gate.open()


if __name__ == "__main__":
    main()
