"""Which commands may run: those whose digest, scripts included, the host has said."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

__all__ = ["digest", "executable"]

_known: dict[tuple[str, int, int, int, int, int], str] = {}
MOST_KNOWN = 256


def digest(event: str, matcher: str, argv: Sequence[str], cwd: str) -> str:
    """Digest a command: when it fires, its words, and the bytes of every file that they name.

    Raises:
        OSError: a file can't be read.
    """
    files = [_digest_of(path) for path in _files(argv, cwd)]
    told = json.dumps([event, matcher, list(argv), files])
    return hashlib.sha256(told.encode("utf-8", "backslashreplace")).hexdigest()


def executable(argv: Sequence[str], cwd: str) -> str | None:
    """The path of the program that would be run, None where there is none."""
    path = os.environ.get("PATH", os.defpath)
    name = argv[0]
    return shutil.which(os.path.join(cwd, name) if os.path.dirname(name) else name, path=path)


def _files(argv: Sequence[str], cwd: str) -> Iterator[Path]:
    """The files that decide what a command does.

    A program that is found by its name alone is one of them only if it is a script: an interpreter may be
    updated without anybody's leave.
    """
    program = executable(argv, cwd)
    if program is not None and (os.path.dirname(argv[0]) or _is_script(program)):
        yield Path(program)
    for word in argv[1:]:
        path = Path(cwd, word)
        if _is_file(path):
            yield path


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        # Words that no path can be, such as whole scripts behind `-c`.
        return False


def _is_script(program: str) -> bool:
    try:
        with open(program, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


def _digest_of(path: Path) -> str:
    """The digest of a file's bytes, made anew when its status has changed."""
    status = path.stat()
    # The time of the last status change can't be set back, as that of the content can.
    key = (str(path), status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    found = _known.get(key)
    if found is None:
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[key] = found
    return found
