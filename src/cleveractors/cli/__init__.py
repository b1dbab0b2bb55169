"""The command line; it needs the extra `cli`."""

from __future__ import annotations

import os
import sys
import threading

from cleveractors.extras import install

__all__ = ["main"]

_EXTRA = ("typer", "rich")


def main() -> int:
    """Run the command line with the process's arguments.

    Returns:
        The exit status: 0 when it did what was asked, also at a limit; 1 for a run that failed; 2 for a bad file
        or bad usage; 130 when it was interrupted.
    """
    try:
        from cleveractors.cli.app import app
    except ModuleNotFoundError as error:
        if error.name not in _EXTRA:
            raise
        print(f"error: the command line needs an extra: {install('cli')}", file=sys.stderr)
        return 2
    code: object = 0
    try:
        app(prog_name="cleveractors")
    except SystemExit as ended:
        code = ended.code
    return _leave(code if isinstance(code, int) else 0)


def _leave(code: int) -> int:
    """End at once when a tool that nobody waits for any more still works in its thread."""
    try:
        sys.stdout.flush()
    except OSError:
        # Nobody reads what a tool has printed; at its end the interpreter would flush, and complain, once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if any(_still_works(thread) for thread in threading.enumerate()):
        sys.stderr.flush()
        os._exit(code)
    return code


def _still_works(thread: threading.Thread) -> bool:
    if thread.daemon or thread is threading.current_thread():
        return False
    # Idle threads have been told to end, and do so in a moment.
    thread.join(0.2)
    return thread.is_alive()
