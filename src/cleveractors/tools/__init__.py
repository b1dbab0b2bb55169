"""What a tool is: from a function, a LangChain tool or a schema to one thing the loop can call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cleveractors.tools.arguments import ToolArgumentsError
from cleveractors.tools.base import Tool, ToolOptions
from cleveractors.tools.convert import as_tool
from cleveractors.tools.decorator import tool
from cleveractors.tools.results import is_error, preview, render
from cleveractors.tools.threads import ToolThreads
from cleveractors.tools.toolset import Toolset, as_toolset

if TYPE_CHECKING:
    from cleveractors.tools.repl import PythonRepl

__all__ = [
    "PythonRepl",
    "Tool",
    "ToolArgumentsError",
    "ToolOptions",
    "ToolThreads",
    "Toolset",
    "as_tool",
    "as_toolset",
    "is_error",
    "preview",
    "render",
    "tool",
]


def __getattr__(name: str) -> object:
    if name != "PythonRepl":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Only who gives a kernel pays for its imports.
    from cleveractors.tools.repl import PythonRepl

    return PythonRepl
