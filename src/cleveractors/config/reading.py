"""From a path to text, with defences: nothing is read that is no small regular file."""

from __future__ import annotations

import codecs
import os
import re
import stat

from .problems import Problems
from .source import Source

__all__ = ["MAX_BYTES", "SUFFIXES", "read_text", "suffix_of"]

MAX_BYTES = 256 * 1024
SUFFIXES = (".yaml", ".yml", ".json")

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WIDE = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"\x00\x00\xfe\xff": "UTF-32"}


def suffix_of(path: str, problems: Problems) -> str:
    """Return the suffix of an actor file; anything else is fatal."""
    suffix = os.path.splitext(path)[1].lower()
    if "\n" in path:
        problems.fatal("a string is a path, this one has several lines", hint="parse the text and pass the mapping")
    if suffix not in SUFFIXES:
        problems.fatal("the name of an actor file ends in .yaml, .yml or .json")
    return suffix


def read_text(path: str, problems: Problems) -> str:
    """Read a file as UTF-8 text, a byte order mark dropped; whatever is wrong with it is fatal."""
    raw = _read(path, problems)
    if len(raw) > MAX_BYTES:
        problems.fatal("the file is larger than 256 KiB")
    for mark, encoding in _WIDE.items():
        if raw.startswith(mark):
            problems.fatal(f"the file is encoded in {encoding}", hint="save it as UTF-8")
    raw = raw.removeprefix(codecs.BOM_UTF8)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        problems.source = Source(problems.source.file, raw.decode("utf-8", "replace"))
        offset = len(raw[: error.start].decode("utf-8"))
        problems.fatal(f"the file is not UTF-8: byte 0x{raw[error.start]:02x}", offset=offset, hint="save it as UTF-8")
    problems.source = Source(problems.source.file, text)
    if match := _UNPRINTABLE.search(text):
        problems.fatal(f"the file holds the control character U+{ord(match[0]):04X}", offset=match.start())
    return text


def _read(path: str, problems: Problems) -> bytes:
    try:
        # Asked before it is opened: to open a device may already do something.
        _refuse_odd(os.stat(path).st_mode, problems)
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb") as file:
            # Asked again: the name may have been given to a pipe in between.
            _refuse_odd(os.fstat(descriptor).st_mode, problems)
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        problems.fatal("there is no such file")
    except OSError as error:
        problems.fatal(f"the file can't be read: {error.strerror or type(error).__name__}")
    except ValueError:
        problems.fatal("the path holds a character that no path can hold")


def _refuse_odd(mode: int, problems: Problems) -> None:
    if stat.S_ISDIR(mode):
        problems.fatal("this is a directory, not a file")
    if not stat.S_ISREG(mode):
        problems.fatal("this is not a regular file")
