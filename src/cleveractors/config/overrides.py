"""`--set agents.assistant.model=gpt-4o`: values given beside the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast

from .hints import did_you_mean
from .models import MAIN, is_short
from .problems import Problems
from .scalars import resolve, text_fault
from .shown import listing, path_text, quoted
from .source import Path

__all__ = ["override"]

_PART = re.compile(r"[^.\[\]]{1,64}|\[[0-9]{1,4}\]")
_LONGEST = 262_144
_DEEPEST = 16


def override(data: dict[str, object], pairs: Sequence[tuple[str, str]], problems: Problems) -> dict[str, object]:
    """Return the document with values replaced, before it is validated.

    Args:
        data: the document as written.
        pairs: paths, such as `agents.assistant.fallbacks[0].model`, and values, read as YAML scalars; in quotes they
            are texts.
        problems: where mistakes go, with their path only.
    """
    changed = cast("dict[str, object]", _copy(data)) if pairs else data
    for written, value in pairs:
        path = _parse(written)
        if path is None:
            problems.flaw(f"--set: {quoted(written)} is no path; write it like `agents.assistant.model`")
            continue
        if is_short(changed) and path[:2] == ("agents", MAIN):
            path = path[2:]
        if fault := text_fault(value) or ("a value is too long" if len(value) > _LONGEST else None):
            problems.flaw(f"--set: {fault}", path)
        elif fault := _put(changed, path, _value(value)):
            problems.flaw(f"--set: {fault[0]}", path, hint=fault[1])
        else:
            problems.overridden.append(path)
    return changed


def _parse(written: str) -> Path | None:
    parts = _PART.findall(written)
    joined = "".join(part if part.startswith("[") else f".{part}" for part in parts).removeprefix(".")
    if not 0 < len(parts) <= _DEEPEST or joined != written:
        return None
    return tuple(int(part[1:-1]) if part.startswith("[") else part for part in parts)


def _value(text: str) -> object:
    stripped = text.strip()
    if len(stripped) > 1 and stripped[0] == stripped[-1] and stripped[0] in "\"'":
        return stripped[1:-1]
    return resolve(stripped) if stripped else text


def _put(data: dict[str, object], path: Path, value: object) -> tuple[str, str | None] | None:
    """Set a value; return what is wrong and a hint when that is impossible."""
    here: object = data
    for depth, part in enumerate(path[:-1]):
        if fault := _fault(here, path, depth):
            return fault
        if isinstance(here, list):
            here = cast("list[object]", here)[int(part)]
        else:
            here = cast("dict[str | int, object]", here).setdefault(part, {})
    if fault := _fault(here, path, len(path) - 1):
        return fault
    cast("dict[str | int, object]", here)[path[-1]] = value
    return None


def _fault(here: object, path: Path, depth: int) -> tuple[str, str | None] | None:
    """Say why the value at a depth has no place for the path's next part."""
    part = path[depth]
    if isinstance(here, list) and isinstance(part, int):
        items = len(cast("list[object]", here))
        return None if part < items else (f"the list has {items} items", None)
    if not isinstance(here, dict) or not isinstance(part, str):
        return f"there is nothing to hold {quoted(path_text([part]), '`')}", None
    entries = cast("dict[str, object]", here)
    if path[:depth] != ("agents",) or part in entries:
        return None
    # A new key would be a new agent, which is never what a misspelt name means.
    return f"there is no agent {quoted(part, '`')}; allowed: {listing(entries)}", did_you_mean(part, entries)


def _copy(value: object) -> object:
    """Copy data; what aliases share becomes separate, so that a value is set in one place only."""
    if isinstance(value, dict):
        return {key: _copy(item) for key, item in cast("dict[str, object]", value).items()}
    return [_copy(item) for item in cast("list[object]", value)] if isinstance(value, list) else value
