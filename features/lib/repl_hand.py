"""The program of a kernel, started and asked by hand."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from features.lib.bench import PATIENCE
from features.lib.lives import SOURCE
from features.lib.repl import ReplWorld

__all__ = ["ask_by_hand", "check_by_hand", "leave_at_work", "refuse_answer"]

HEAD = struct.Struct(">I")
CHILD = "cleveractors.tools.repl.child"

BYTES = 4 << 30
BOUND = "import resource; resource.getrlimit(resource.RLIMIT_AS)[0]"

# An error that does not let itself be told.
UNTELLABLE = """
class Sly(type):
    __module__ = property(lambda kind: {}["no"])
class Odd(Exception, metaclass=Sly):
    pass
raise Odd
"""

# Both come to the end of the cell, and one of them answers.
COPIED = "import os; os.fork() and None"


class ByHand:
    """The kernel's program with this test at the other end of its pipes.

    Args:
        most: bytes of memory, 0 for no bound.
    """

    def __init__(self, most: int = BYTES) -> None:
        (commands, self._commands), (self._replies, replies) = os.pipe(), os.pipe()
        argv = [sys.executable, "-m", CHILD, str(commands), str(replies), str(most)]
        self.process = subprocess.Popen(
            argv,
            pass_fds=(commands, replies),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(SOURCE)},
            start_new_session=True,
        )
        os.close(commands)
        os.close(replies)
        assert self._read() == {"ready": True}

    def send(self, code: str) -> None:
        """Send a cell."""
        data = json.dumps({"code": code, "token": "t", "limit": 100}).encode()
        os.write(self._commands, HEAD.pack(len(data)) + data)

    def ask(self, code: str) -> Any:
        """Run a cell."""
        self.send(code)
        return self._read()

    def _read(self) -> Any:
        (size,) = HEAD.unpack(os.read(self._replies, HEAD.size))
        return json.loads(os.read(self._replies, size))

    def leave_unheard(self, code: str) -> int:
        """Run a cell that nobody can be told the value of; the program's exit code."""
        os.close(self._replies)
        self.send(code)
        ended = self.process.wait(PATIENCE)
        os.close(self._commands)
        return ended

    def leave(self) -> int:
        """Close this end; the program's exit code."""
        os.close(self._commands)
        code = self.process.wait(PATIENCE)
        os.close(self._replies)
        return code


def refuse_answer(world: ReplWorld) -> None:
    """This end goes while the code runs, but for the pipe of commands."""
    kernel = ByHand(most=0)
    world.notes["code"] = kernel.leave_unheard("5")


def ask_by_hand(world: ReplWorld) -> None:
    """Answers of every kind, and the end."""
    kernel = ByHand()
    world.notes["answers"] = [
        kernel.ask(code)
        for code in ("x = 'y' * 500", "x", "1 / 0", UNTELLABLE, COPIED, BOUND, "import sys; sys.stdout = None; 5")
    ]
    world.notes["code"] = kernel.leave()


def check_by_hand(world: ReplWorld) -> None:
    """Each has its token, a value or an error, and no more than was asked for."""
    nothing, value, error, untold, copied, bound, odd = world.notes["answers"]
    assert nothing == copied == {"token": "t", "value": None, "error": None}, copied
    assert untold["error"] == "KeyError" and bound["value"] == str(BYTES), (untold, bound)
    assert value["value"].startswith("'yyy") and "402 characters left out" in value["value"], value
    assert error["value"] is None and error["error"].endswith("ZeroDivisionError: division by zero")
    assert odd["value"] == "5"
    assert world.notes["code"] == 0, world.notes["code"]


def leave_at_work(world: ReplWorld) -> None:
    """This end goes while the code runs."""
    kernel = ByHand()
    flag: Path = world.notes["folder"] / "begun"
    kernel.send(f"open({str(flag)!r}, 'w').close()\nwhile True: pass")
    begun = threading.Event()
    while not flag.exists() and not begun.wait(0.001):
        pass
    world.notes["code"] = kernel.leave()
