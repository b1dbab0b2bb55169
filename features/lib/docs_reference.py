"""The reference of the documentation, held against the public names of the package."""

from __future__ import annotations

import importlib
import re
from functools import reduce

from features.lib.docs_pages import documentation

__all__ = ["MODULES", "undocumented", "unknown"]

MODULES = (
    "cleveractors",
    "cleveractors.events",
    "cleveractors.hooks",
    "cleveractors.sessions",
    "cleveractors.testing",
    "cleveractors.tools",
    "cleveractors.web",
)
"""The modules whose names are public."""

_ENTRY = re.compile(r"^::: ([\w.]+)$", re.MULTILINE)


def entries() -> list[str]:
    """The names that the pages take from the code."""
    return [name for page in documentation() for name in _ENTRY.findall(page.text)]


def unknown() -> list[str]:
    """Entries that the code does not have."""
    return [name for name in entries() if not _is_there(name)]


def undocumented() -> list[str]:
    """Public names without an entry, whichever of the modules that offer it the entry names."""
    shown = [_found(name) for name in entries() if _is_there(name)]
    public = [f"{module}.{name}" for module in MODULES for name in importlib.import_module(module).__all__]
    return [name for name in public if not any(_found(name) is one for one in shown)]


def _is_there(name: str) -> bool:
    try:
        _found(name)
    except (AttributeError, ModuleNotFoundError):
        return False
    return True


def _found(name: str) -> object:
    """What a dotted name names: the longest part of it that is a module, and what that has of the rest."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            module: object = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        return reduce(getattr, parts[length:], module)
    raise ModuleNotFoundError(name)
