"""What a model without a script makes up for schemas, held against the checks that tools have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import jsonschema
from hypothesis import given, settings
from referencing import Registry

from cleveractors.testing import ScriptedChatModel
from cleveractors.tools import as_tool
from cleveractors.tools.jsonschemas import schema_check
from features.lib.scripted_schemas import any_schemas, functions

__all__ = ["check_any_function", "check_any_schema", "check_huge", "choices", "made_for", "nested"]


def arguments_for(tool: Mapping[str, Any]) -> Mapping[str, Any] | str:
    """What a model without a script calls a tool with, or what it says if it calls it with nothing."""
    answer = ScriptedChatModel().bind_tools([dict(tool)]).invoke("What is it like in Paris?")
    return answer.tool_calls[0]["args"] if answer.tool_calls else str(answer.text)


def made_for(schema: Any, draft: str = "2020-12/schema", *, checked: bool = True) -> Any:
    """What a model without a script makes up for a parameter of a schema, or what it says if it makes up nothing."""
    parameters: dict[str, Any] = {"type": "object", "properties": {"it": schema}, "required": ["it"]}
    parameters |= {"$schema": f"https://json-schema.org/draft/{draft}"} if draft.startswith("2") else {"$schema": draft}
    parameters["$defs"] = DEFINITIONS
    tool = {"type": "function", "function": {"name": "look", "parameters": parameters}}
    found = arguments_for(tool)
    if isinstance(found, str):
        return found
    if checked:
        schema_check("look", parameters)(dict(found))
    return found["it"]


DEFINITIONS: dict[str, Any] = {
    "count": {"type": "integer", "minimum": 2},
    "tree": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "left": {"anyOf": [{"$ref": "#/$defs/tree"}, {"type": "null"}]}},
        "required": ["name", "left"],
    },
    "endless": {"type": "object", "properties": {"next": {"$ref": "#/$defs/endless"}}, "required": ["next"]},
    "circle": {"allOf": [{"$ref": "#/$defs/circle"}]},
    "a/b~c%": {"const": "found"},
    "listed": {"anyOf": [{"const": 12}, {"const": "in a list"}]},
}


def check_huge() -> None:
    """Numbers that no float holds, or that no float tells apart."""
    huge = 10**400
    found = made_for({"type": "number", "minimum": 1e308, "multipleOf": 0.5})
    assert found == int(1e308), found
    assert made_for({"type": "integer", "minimum": huge}) == huge
    assert made_for({"type": "integer", "minimum": huge, "multipleOf": 0.5}, checked=False) == huge
    found = made_for({"type": "number", "exclusiveMinimum": huge, "exclusiveMaximum": huge + 1})
    assert str(found).startswith("look was not called: no value was found"), found


def nested(levels: int) -> dict[str, Any]:
    """A schema of an object in an object, and so on."""
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"in": schema}, "required": ["in"]}
    return schema


def choices(count: int, ways: int) -> dict[str, Any]:
    """A schema that makes so many choices of so many ways, none of which leads anywhere."""
    made = [{"anyOf": [{"minimum": choice * ways + way} for way in range(ways)]} for choice in range(count)]
    return {"type": "integer", "maximum": -1, "allOf": made}


def check_any_schema(count: int) -> None:
    """Whatever a schema asks for: the arguments are valid, or the model says that it finds none."""

    @settings(max_examples=count)
    @given(schema=any_schemas())
    def check(schema: dict[str, Any]) -> None:
        parameters = {
            "type": "object",
            "properties": {"a": schema},
            "required": ["a"],
            "$defs": schema["$defs"],
        }
        found = arguments_for({"type": "function", "function": {"name": "look", "parameters": parameters}})
        if isinstance(found, str):
            assert found.startswith("look was not called: "), found
            return
        validator = cast(Any, jsonschema.Draft202012Validator)(parameters, registry=cast(Any, Registry)())
        problems = [str(problem.message) for problem in validator.iter_errors(found)]
        assert not problems, (found, problems)

    check()


def check_any_function(count: int) -> None:
    """A function that became a tool accepts what the model calls it with."""

    @settings(max_examples=count)
    @given(function=functions())
    def check(function: Callable[..., object]) -> None:
        tool = as_tool(function)
        found = arguments_for(tool.definition)
        assert not isinstance(found, str), found
        tool.validate(dict(found))

    check()
