"""A LangChain tool as a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from langchain_core.tools import BaseTool, StructuredTool
from langchain_core.tools import Tool as SingleInputTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, ValidationError

from cleveractors.exceptions import ConfigurationError
from cleveractors.tools.arguments import misfit, path_of
from cleveractors.tools.base import Tool, ToolCheck, ToolFunction
from cleveractors.tools.threads import threads_of

if TYPE_CHECKING:
    from cleveractors.context import RunContext

__all__ = ["langchain_tool"]

ASYNC_METHOD: Final = "_arun"
"""What a LangChain tool overrides to be async."""


def langchain_tool(source: BaseTool) -> Tool:
    """Wrap a LangChain tool; it runs by its own `ainvoke`, so that its error handlers and artifacts stand.

    The raw result is the `ToolMessage` it makes.

    Raises:
        ConfigurationError: its name or its schema can't be a tool's.
    """
    try:
        function = convert_to_openai_tool(source)["function"]
    except (RuntimeError, TypeError, ValueError) as error:
        raise ConfigurationError(f"tool {source.name}: LangChain can't make a schema of it: {error}") from error
    sync = _is_sync(source)
    return Tool(
        source.name,
        function.get("description", ""),
        function.get("parameters", {}),
        _in_thread(source) if sync else _awaited(source),
        check=_check(source),
        sync=sync,
    )


def _is_sync(source: BaseTool) -> bool:
    # LangChain would run these on the loop's default executor, which the models' clients need.
    method = getattr(type(source), ASYNC_METHOD)
    if isinstance(source, (StructuredTool, SingleInputTool)) and source.coroutine is not None:
        return False
    return method in [getattr(kind, ASYNC_METHOD) for kind in (BaseTool, StructuredTool, SingleInputTool)]


def _awaited(source: BaseTool) -> ToolFunction:
    async def run(arguments: dict[str, Any], context: RunContext[Any]) -> object:
        return await source.ainvoke(_call(source, arguments, context))

    return run


def _in_thread(source: BaseTool) -> ToolFunction:
    async def run(arguments: dict[str, Any], context: RunContext[Any]) -> object:
        call = _call(source, arguments, context)
        return await threads_of(context).run(lambda: source.invoke(call))

    return run


def _call(source: BaseTool, arguments: dict[str, Any], context: RunContext[Any]) -> dict[str, Any]:
    # Without an id LangChain drops the artifact and the status.
    return {"name": source.name, "args": arguments, "id": context.tool_call_id or "call", "type": "tool_call"}


def _check(source: BaseTool) -> ToolCheck | None:
    if source.handle_validation_error:
        return lambda arguments: arguments
    model = _model(source)
    if model is None:
        return None

    def check(arguments: dict[str, object]) -> object:
        try:
            model.model_validate(arguments)
        except ValidationError as error:
            details = error.errors(include_url=False, include_context=False, include_input=False)
            raise misfit(source.name, ((path_of(detail["loc"]), detail["msg"]) for detail in details)) from error
        return arguments

    return check


def _model(source: BaseTool) -> type[BaseModel] | None:
    """Find the model to check with: its own, whose validators count, unless something is injected into it."""
    own, shown = cast("Any", source.args_schema), cast("Any", source.tool_call_schema)
    if not (isinstance(own, type) and issubclass(own, BaseModel)):
        return None
    return own if set(own.model_fields) == set(shown.model_fields) else shown
