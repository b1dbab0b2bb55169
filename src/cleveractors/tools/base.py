"""The tool as the loop sees it: a name, a schema, a check and a coroutine."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import KW_ONLY, dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from cleveractors.exceptions import ConfigurationError
from cleveractors.tools.arguments import ToolArgumentsError, ToolCheck

if TYPE_CHECKING:
    from cleveractors.context import RunContext

__all__ = ["Tool", "ToolArgumentsError", "ToolCheck", "ToolFunction", "ToolOptions"]

ToolFunction: TypeAlias = "Callable[[Any, RunContext[Any]], Awaitable[object]]"
"""Takes what the check returned."""

TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class ToolOptions:
    """What a plain function can't say about itself.

    Raises:
        ConfigurationError: `timeout` is not above 0, or `max_uses` not at least 1.
    """

    timeout: float | None = None
    """Seconds a call may take; None: the agent's `tool_timeout`."""
    max_uses: int | None = None
    """Calls of it that one run may make."""
    repeatable: bool = False
    """The same call with the same result is no sign of a stuck model, as when polling."""
    idempotent: bool = False
    """Running it twice does no more than running it once."""
    destructive: bool = False
    """What it does cannot be undone."""

    def __post_init__(self) -> None:
        if self.timeout is not None and not (self.timeout > 0 and isfinite(self.timeout)):
            raise ConfigurationError(f"timeout={self.timeout!r} of a tool: allowed are seconds above 0, or None")
        if self.max_uses is not None and self.max_uses < 1:
            raise ConfigurationError(f"max_uses={self.max_uses!r} of a tool: allowed are 1 and more, or None")


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Tool:
    """Something the model may call.

    Args:
        name: `[A-Za-z0-9_-]`, 1 to 64 characters.
        description: what the model is told.
        parameters: the JSON schema of the arguments, an object schema; it is copied.
        fn: a coroutine function of (arguments, context); its result is rendered for the model.
        options: what else the loop should know.
        check: replaces the check of the arguments against `parameters`; what it returns is what `fn` takes.
        sync: whether `fn` works in a thread.
        timed: whether the agent's `tool_timeout` applies; not to agents, which have clocks of their own.
        heeds_abort: whether `fn` watches the run's signal itself: on an abort it has a moment to come to an end.
        minds_the_run: whether `fn` ends by itself when the run's signal or clock says so, as agents do.

    Raises:
        ConfigurationError: a bad name, or a schema that is none.
    """

    name: str
    description: str
    parameters: dict[str, Any] = field(repr=False)
    fn: ToolFunction = field(repr=False)
    options: ToolOptions = ToolOptions()
    _: KW_ONLY
    check: ToolCheck | None = field(default=None, repr=False)
    sync: bool = False
    timed: bool = True
    heeds_abort: bool = False
    minds_the_run: bool = False
    definition: dict[str, Any] = field(init=False, repr=False)
    """The OpenAI form, made once, so that a model can be bound to it without a conversion."""
    required: bool = field(init=False, repr=False)
    """Whether an argument must be given."""

    def __post_init__(self) -> None:
        if not TOOL_NAME.fullmatch(self.name):
            raise ConfigurationError(
                f"{self.name!r} can't name a tool: allowed are 1 to 64 letters, digits, `_` and `-` of ASCII"
            )
        parameters = _object_schema(self.name, self.parameters)
        function = {"name": self.name, "description": self.description, "parameters": parameters}
        if not self.description:
            del function["description"]
        put = object.__setattr__
        put(self, "parameters", parameters)
        put(self, "definition", {"type": "function", "function": function})
        put(self, "required", bool(parameters.get("required")))
        if self.check is None:
            put(self, "check", _schema_check(self.name, parameters))

    def validate(self, arguments: dict[str, object]) -> object:
        """Check the model's arguments.

        Returns:
            What `run` takes.

        Raises:
            ToolArgumentsError: they do not fit; its text is for the model.
        """
        return cast("ToolCheck", self.check)(arguments)

    async def run(self, validated: Any, context: RunContext[Any]) -> object:
        """Run the tool on what `validate` returned; its exceptions pass.

        Returns:
            The raw result, see `render`.
        """
        return await self.fn(validated, context)


def _object_schema(name: str, given: dict[str, Any]) -> dict[str, Any]:
    try:
        schema = json.loads(json.dumps(given, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise ConfigurationError(f"the parameters of tool {name} can't be written as JSON: {error}") from error
    if not isinstance(schema, dict) or cast("dict[str, Any]", schema).get("type", "object") != "object":
        raise ConfigurationError(f'the parameters of tool {name} must be a JSON schema of type "object"')
    # OpenAI refuses an object schema without properties.
    return {"type": "object", "properties": {}, **cast("dict[str, Any]", schema)}


def _schema_check(name: str, parameters: dict[str, Any]) -> ToolCheck:
    # jsonschema is imported only for tools that come with a schema of their own.
    from cleveractors.tools.jsonschemas import schema_check

    return schema_check(name, parameters)
