"""The arguments of a function as a JSON schema, and as the check that pydantic makes of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from inspect import Parameter
from typing import Annotated, Any, NotRequired, cast, get_origin

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticSerializationError, to_jsonable_python
from typing_extensions import TypedDict

from cleveractors.exceptions import ConfigurationError, Problem
from cleveractors.tools.arguments import ToolCheck, misfit, path_of
from cleveractors.tools.results import preview, render
from cleveractors.tools.signature import Argument
from cleveractors.tools.subject import Subject
from cleveractors.tools.typeddicts import modern

__all__ = ["argument_schema"]

MOST_OF_AN_INPUT = 80


def argument_schema(subject: Subject, arguments: Sequence[Argument], words: dict[str, str]) -> tuple[Any, ToolCheck]:
    """Make the schema and the check of a function's arguments, once.

    Args:
        subject: the function.
        arguments: what the model fills.
        words: what the docstring says of them.

    Returns:
        The JSON schema, and a check that returns validated Python objects by name.

    Raises:
        ConfigurationError: with each parameter whose type has no schema.
    """
    try:
        adapter = _adapter(arguments)
        schema = adapter.json_schema()
    except (PydanticUserError, TypeError, NameError) as error:
        whole = subject.problem(f"its arguments have no JSON schema: {_first_line(error)}")
        raise ConfigurationError(*(list(_culprits(subject, arguments)) or [whole])) from error
    _untitle(schema)
    for argument in arguments:
        _describe(schema["properties"], argument, words)
    return schema, _check(subject.name, adapter, [argument.name for argument in arguments])


def _adapter(arguments: Sequence[Argument]) -> TypeAdapter[dict[str, object]]:
    # A typed dict, not a model: any name may be a key, what is left out stays out, so that the function's own
    # default stands, and the validated dict is the call's keywords as it is.
    fields = {argument.name: _field(argument) for argument in arguments}
    kind = cast("Any", TypedDict)("Arguments", fields)
    kind.__pydantic_config__ = ConfigDict(extra="forbid")
    return TypeAdapter(kind)


def _field(argument: Argument) -> Any:
    hint, default = modern(argument.hint), argument.default
    if isinstance(default, FieldInfo):
        return Annotated[hint, default]
    return hint if default is Parameter.empty else NotRequired[hint]


def _culprits(subject: Subject, arguments: Sequence[Argument]) -> Iterator[Problem]:
    for argument in arguments:
        try:
            _adapter([argument]).json_schema()
        except (PydanticUserError, TypeError, NameError) as reason:
            yield subject.problem(
                f"parameter {argument.name}: {_type_name(argument.hint)} has no JSON schema: {_first_line(reason)}",
                "use a plain type, a pydantic model, a dataclass or a TypedDict; deps come in a RunContext",
            )


def _check(tool: str, adapter: TypeAdapter[dict[str, object]], names: Sequence[str]) -> ToolCheck:
    validate = adapter.validate_python

    def check(arguments: dict[str, object]) -> object:
        try:
            return validate(arguments)
        except ValidationError as error:
            first = error
        try:
            # A strict type reads JSON more widely than Python: a date is text there.
            return adapter.validate_json(json.dumps(arguments))
        except (TypeError, ValueError, RecursionError):
            raise misfit(tool, _problems(first, names)) from first

    return check


def _problems(error: ValidationError, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    for detail in error.errors(include_url=False, include_context=False):
        path = path_of(detail["loc"])
        if detail["type"] == "extra_forbidden" and len(detail["loc"]) == 1:
            yield path, f"not an argument of this tool; it takes {', '.join(names) or 'none'}"
        elif detail["type"] == "missing":
            yield path, "required, but missing"
        else:
            yield path, f"{detail['msg']}; got {preview(str(render(detail['input'])), MOST_OF_AN_INPUT)}"


def _describe(properties: dict[str, dict[str, Any]], argument: Argument, words: dict[str, str]) -> None:
    shown = properties.get(argument.name)
    if shown is None:
        # Under an alias; what its `Field` says stands there already.
        return
    text = argument.description or words.get(argument.name)
    if text:
        shown["description"] = text
    if argument.default is Parameter.empty or isinstance(argument.default, FieldInfo):
        return
    try:
        value = to_jsonable_python(argument.default, by_alias=True)
        json.dumps(value, allow_nan=False)
    except (PydanticSerializationError, ValueError):
        # A sentinel: the parameter may be left out, and there is no way to write what stands for it.
        return
    shown["default"] = value


def _untitle(schema: object) -> None:
    """Drop the titles pydantic makes of names: tokens that say nothing."""
    if isinstance(schema, list):
        for item in cast("list[object]", schema):
            _untitle(item)
    if not isinstance(schema, dict):
        return
    node = cast("dict[str, object]", schema)
    node.pop("title", None)
    for key, value in node.items():
        if key in ("properties", "$defs", "patternProperties", "dependentSchemas"):
            for inner in cast("dict[str, object]", value).values():
                _untitle(inner)
        elif key not in ("default", "const", "enum", "examples"):
            _untitle(value)


def _type_name(hint: object) -> str:
    return hint.__qualname__ if isinstance(hint, type) and get_origin(hint) is None else str(hint)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0].partition(". ")[0].rstrip(".")
