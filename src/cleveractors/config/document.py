"""One document, whatever it came from: a file, a mapping, an `ActorConfig`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import cast

from .composer import compose
from .plain import parse_json, plain
from .problems import Problems
from .reading import read_text, suffix_of
from .shown import found, printable
from .source import Source

__all__ = ["open_problems", "read_document"]


def open_problems(source: str | os.PathLike[str] | Mapping[str, object]) -> Problems:
    """Return the empty list of problems of a source, which knows the file's name."""
    return Problems(Source(None if isinstance(source, Mapping) else printable(str(os.fspath(source))), None))


def read_document(source: str | os.PathLike[str] | Mapping[str, object], problems: Problems) -> dict[str, object]:
    """Read a document's root mapping.

    Raises:
        ConfigurationError: it can't be read, or is no mapping.
    """
    value = plain(source, problems) if isinstance(source, Mapping) else _read_file(str(os.fspath(source)), problems)
    if value is None:
        problems.fatal("the document is empty", hint="write at least `model: …`")
    if not isinstance(value, dict):
        offset = problems.root.start if problems.root else None
        problems.fatal(f"{found(value)}; an actor is a mapping with `agents`, or with `model`", offset=offset)
    return cast("dict[str, object]", value)


def _read_file(path: str, problems: Problems) -> object:
    suffix = suffix_of(path, problems)
    text = read_text(path, problems)
    if suffix == ".json":
        value = parse_json(text, problems) if text.strip() else None
        problems.source = Source(problems.source.file, None)
        return plain(value, problems)
    problems.root = compose(text, problems)
    return problems.root.value if problems.root else None
