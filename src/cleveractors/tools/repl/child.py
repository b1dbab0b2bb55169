"""The kernel's side: a program of its own that needs nothing but the standard library.

It is started by its path, with the numbers of two pipes and a bound of its memory, and runs on whichever
Python the host names, also one in which this library is not installed.
"""

from __future__ import annotations

import ast
import builtins
import fcntl
import json
import linecache
import os
import resource
import select
import signal
import struct
import sys
import threading
import traceback
import types
import warnings
from typing import Any, cast

HEAD = struct.Struct(">I")
FIRST_NUMBER = 200
"""Pipes are moved to numbers from here on, out of the way of code that closes whatever it finds."""


def main() -> None:
    """Run cells, one after the other, as long as the other side is there."""
    commands, replies = (out_of_the_way(int(number)) for number in sys.argv[1:3])
    limit_memory(int(sys.argv[3]))
    # What is printed is heard line by line, as at a console.
    cast("Any", sys.stdout).reconfigure(line_buffering=True)
    namespace = fresh_namespace()
    own, busy = os.getpid(), threading.Event()
    threading.Thread(target=end_with_host, args=(commands, busy), daemon=True).start()
    # That thread waits and holds no lock: to fork beside it is safe.
    warnings.filterwarnings("ignore", ".*multi-threaded, use of fork.*", DeprecationWarning)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    send(replies, {"ready": True})
    number = 0
    while True:
        command = receive(commands)
        number += 1
        busy.set()
        reply = answer(command["code"], f"<cell {number}>", command["limit"], namespace)
        busy.clear()
        if os.getpid() != own:
            # The code has forked, and this is the copy.
            os._exit(0)
        send(replies, {"token": command["token"], **reply})


def out_of_the_way(number: int) -> int:
    """Move a pipe to a high number, which no program started from here inherits."""
    moved = fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, FIRST_NUMBER)
    os.close(number)
    return moved


def limit_memory(size: int) -> None:
    """Bound the address space, by bytes; 0 for no bound."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    if size and (most == resource.RLIM_INFINITY or size < most):
        resource.setrlimit(resource.RLIMIT_AS, (size, size))


def fresh_namespace() -> dict[str, Any]:
    """The variables of a new `__main__`; modules of the working directory can be imported from it."""
    module = types.ModuleType("__main__")
    module.__dict__["__builtins__"] = builtins
    sys.modules["__main__"] = module
    sys.argv, sys.path[0] = [""], ""
    return module.__dict__


def end_with_host(commands: int, busy: threading.Event) -> None:
    """Wait until nobody is at the other end of the pipe; code that still runs then is ended with its group."""
    poller = select.poll()
    poller.register(commands, 0)
    poller.poll()
    if busy.is_set():
        os.killpg(0, signal.SIGKILL)


def answer(code: str, name: str, limit: int, namespace: dict[str, Any]) -> dict[str, str | None]:
    """Run a cell; whatever it raises, and an interrupt, is an answer."""
    value: str | None = None
    error: str | None = None
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            value = run(code, name, namespace)
        except BaseException as raised:
            error = told(raised)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    except BaseException as raised:
        # An interrupt that came late, or an error that can't be told.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        error = error or type(raised).__name__
    flush()
    return {"value": cut(value, limit), "error": cut(error, limit)}


def run(code: str, name: str, namespace: dict[str, Any]) -> str | None:
    """Run code; how the value of its last expression looks, unless that is None."""
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    # Not `ast.parse`: its frames would stand in the traceback of code that can't be read.
    tree = cast("ast.Module", compile(code, name, "exec", ast.PyCF_ONLY_AST, dont_inherit=True))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    # To run what it is given is what a kernel is for.
    exec(compile(tree, name, "exec", dont_inherit=True), namespace)  # nosec B102
    if not isinstance(last, ast.Expr):
        return None
    expression = compile(ast.Expression(last.value), name, "eval", dont_inherit=True)
    value = eval(expression, namespace)  # nosec B307
    if value is None:
        return None
    namespace["_"] = value
    return repr(value)


def told(error: BaseException) -> str:
    """What a console shows of an error, without the frames of this file."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace)).rstrip()


def cut(text: str | None, limit: int) -> str | None:
    """The beginning and the end of a text that is too long to be sent."""
    if text is None or len(text) <= limit:
        return text
    return f"{text[: limit // 2]}\n[… {len(text) - limit:,} characters left out …]\n{text[-(limit // 2) :]}"


def flush() -> None:
    """Send off what is printed, however the code has left the streams."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            continue


def send(replies: int, reply: dict[str, Any]) -> None:
    """Write a reply; without the other side there is nothing more to do."""
    data = json.dumps(reply).encode()
    left = memoryview(HEAD.pack(len(data)) + data)
    try:
        while left:
            left = left[os.write(replies, left) :]
    except OSError:
        os._exit(1)


def receive(commands: int) -> dict[str, Any]:
    """Wait for the next command; where none can come any more, end, and whatever the code has left running too."""
    try:
        (size,) = HEAD.unpack(exactly(commands, HEAD.size))
        return json.loads(exactly(commands, size))
    except (OSError, EOFError):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.killpg(0, signal.SIGTERM)
        os._exit(0)


def exactly(commands: int, size: int) -> bytes:
    """So many bytes.

    Raises:
        EOFError: the other side has gone.
    """
    parts: list[bytes] = []
    while size:
        part = os.read(commands, size)
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


if __name__ == "__main__":
    main()
