"""The public names with their signatures, as text: `python -m features.lib.public_api` writes them down anew."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, cast, is_typeddict

from pydantic import BaseModel

__all__ = ["PINNED", "public_api"]

PINNED = Path(__file__).parents[1] / "public_api.txt"
MODULES = ("", ".events", ".hooks", ".sessions", ".testing", ".tools", ".web")


def public_api() -> str:
    """A line for each name, and one for each of its public parts."""
    lines: list[str] = []
    for part in MODULES:
        module = importlib.import_module(f"cleveractors{part}")
        lines.append(f"{module.__name__}")
        for name in sorted(cast("list[str]", module.__all__)):
            lines += (f"    {line}" for line in _lines(name, getattr(module, name)))
        lines.append("")
    return "\n".join(lines)


def _lines(name: str, value: Any) -> Iterator[str]:
    if is_typeddict(value):
        yield f"{name}: TypedDict"
        yield from (f"    {key}: {_written(kind)}" for key, kind in value.__annotations__.items())
    elif inspect.isclass(value):
        bases = ", ".join(base.__name__ for base in value.__bases__ if base is not object)
        # How an enumeration or a pydantic model is called is theirs: its members and fields follow.
        signature = "" if issubclass(value, Enum | BaseModel) else _signature(value)
        yield f"class {name}{f'({bases})' if bases else ''}{signature}"
        if issubclass(value, Enum):
            yield from (f"    {one.name} = {one.value!r}" for one in value)
        yield from (f"    {line}" for line in _parts(value))
    elif callable(value) and not inspect.isclass(value) and hasattr(value, "__name__"):
        yield f"def {name}{_signature(value)}"
    else:
        yield f"{name}: {type(value).__name__}"


def _parts(kind: type) -> Iterator[str]:
    """Public methods, properties and fields that are of this library, by name."""
    own = [one for one in kind.__mro__ if one.__module__.startswith("cleveractors")]
    found: dict[str, str] = {}
    for one in reversed(own):
        for name, value in vars(one).items():
            if name.startswith("_") or name in ("model_config", "model_fields", "model_computed_fields"):
                continue
            if isinstance(value, property):
                found[name] = f"{name}: property"
            elif isinstance(value, staticmethod | classmethod):
                kind_of = "staticmethod" if isinstance(value, staticmethod) else "classmethod"
                found[name] = f"{kind_of} {name}{_signature(cast('Any', value).__func__)}"
            elif inspect.isfunction(value):
                found[name] = f"def {name}{_signature(value)}"
        for name in inspect.get_annotations(one):
            if not name.startswith("_"):
                found.setdefault(name, f"{name}: field")
    yield from (found[name] for name in sorted(found))


def _signature(value: Any) -> str:
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return "(…)"
    parameters = [one.replace(annotation=_kind(one.annotation)) for one in signature.parameters.values()]
    text = str(signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty))
    return text.replace(repr(sys.executable), "sys.executable")


def _kind(annotation: Any) -> Any:
    """An annotation that reads alike on every Python: as it is written, else none."""
    return annotation if annotation is inspect.Parameter.empty else _Written(_written(annotation))


def _written(annotation: Any) -> str:
    if isinstance(annotation, str):
        return annotation
    told = getattr(annotation, "__forward_arg__", None)
    return told if isinstance(told, str) else getattr(annotation, "__name__", None) or "…"


class _Written:
    """Text whose `repr` is itself."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


if __name__ == "__main__":
    PINNED.write_text(public_api() + "\n", encoding="utf-8")
