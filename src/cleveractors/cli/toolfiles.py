"""Python that was named by `--tools`, and the tools in it."""

from __future__ import annotations

import importlib
import os
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from inspect import isfunction
from pathlib import Path
from types import ModuleType
from typing import Any

from cleveractors.exceptions import ConfigurationError, Problem
from cleveractors.tools.base import Tool
from cleveractors.tools.decorator import mark_of
from cleveractors.tools.jsontext import instance_of

__all__ = ["load_tools"]

_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


def load_tools(sources: Sequence[str]) -> list[Any]:
    """Import files and modules and collect their tools.

    Args:
        sources: each the path of a .py file, or the name of a module.

    Raises:
        ConfigurationError: one can't be imported, with file and line, or has no tools.
    """
    found: list[Any] = []
    for number, source in enumerate(sources):
        tools = _tools_in(_imported(source, number))
        if not tools:
            raise ConfigurationError(
                Problem(
                    "there are no tools in it", file=source, hint="define public functions, or mark them with @tool"
                )
            )
        found += [tool for tool in tools if not any(tool is other for other in found)]
    return found


def _tools_in(module: ModuleType) -> list[Any]:
    """What is public and marked as a tool; where nothing is, every public function of the module's own."""
    names = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    public = [vars(module)[name] for name in names if name in vars(module)]
    return [one for one in public if _is_marked(one)] or [
        one for one in public if isfunction(one) and one.__module__ == module.__name__
    ]


def _is_marked(one: Any) -> bool:
    if isinstance(one, type):
        return False
    ready = isinstance(one, Tool) or instance_of(one, "langchain_core.tools.base", "BaseTool")
    return ready or (callable(one) and mark_of(one) is not None)


def _imported(source: str, number: int) -> ModuleType:
    if source.endswith(".py"):
        # Unlike a `Path` it takes names that no file can have.
        if not os.path.isfile(source):
            raise ConfigurationError(Problem("there is no such file", file=source))
        return _guarded(source, lambda: _import_file(source, number))
    if not _MODULE.fullmatch(source):
        raise ConfigurationError(Problem("this is neither a .py file nor a module's name", file=source))
    return _guarded(source, lambda: _import_module(source))


def _import_file(path: str, number: int) -> ModuleType:
    # Under a name of its own: a file called like a library must not stand in for it.
    name = f"tools_{number}_{Path(path).stem}"
    spec = spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    _offer(Path(path).resolve().parent)
    spec.loader.exec_module(module)
    return module


def _import_module(name: str) -> ModuleType:
    _offer(Path.cwd())
    return importlib.import_module(name)


def _offer(folder: Path) -> None:
    """Let tools import their neighbours; last, so that no neighbour hides a library."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _guarded(source: str, load: Callable[[], ModuleType]) -> ModuleType:
    try:
        return load()
    except (Exception, SystemExit) as error:
        file, line = _place(error, source)
        text = " ".join(str(error).split())
        raise ConfigurationError(Problem(f"{type(error).__name__}: {text}", file=file, line=line)) from error


def _place(error: BaseException, source: str) -> tuple[str, int | None]:
    """Where an import failed: in the file that was named, if it got there, else in the last one."""
    if isinstance(error, SyntaxError) and error.filename:
        return error.filename, error.lineno
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_theirs(frame.filename)]
    own = [frame for frame in frames if frame.filename == source] or frames
    return (own[-1].filename, own[-1].lineno) if own else (source, None)


def _is_theirs(file: str) -> bool:
    return not file.startswith("<frozen") and file not in (__file__, importlib.__file__)
