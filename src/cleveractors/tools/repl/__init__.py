"""A Python that keeps its variables between calls, as a tool: a process of its own, and no sandbox."""

from __future__ import annotations

from cleveractors.tools.repl.tool import PythonRepl

__all__ = ["PythonRepl"]
