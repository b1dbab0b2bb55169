"""Whatever a host calls a tool, as a `Tool`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from cleveractors.exceptions import ConfigurationError
from cleveractors.tools.base import Tool
from cleveractors.tools.jsontext import instance_of

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

__all__ = ["as_tool"]


def as_tool(obj: Callable[..., Any] | BaseTool | Tool) -> Tool:
    """Make a tool of a callable or a LangChain tool; a `Tool` is returned as it is.

    Args:
        obj: a function (sync or async), bound method, partial or instance with `__call__`; a LangChain
            `BaseTool`; a `Tool`.

    Raises:
        ConfigurationError: with everything about it that a tool can't have, and where it stands.
    """
    if isinstance(obj, Tool):
        return obj
    if _is_langchain(obj):
        from cleveractors.tools.langchain import langchain_tool

        return langchain_tool(cast("BaseTool", obj))
    if callable(obj):
        from cleveractors.tools.function import function_tool

        return function_tool(obj)
    raise ConfigurationError(f"{type(obj).__name__} is no tool: allowed are functions, LangChain tools and `Tool`")


def _is_langchain(obj: object) -> bool:
    # Who has such a tool has imported its room; nobody else should pay for that import.
    return instance_of(obj, "langchain_core.tools.base", "BaseTool")
