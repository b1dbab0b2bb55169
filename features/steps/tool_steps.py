"""Steps about tools: the sample, the tool made of it, its schema, its call, its result, its threads."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from behave import given, register_type, then, when
from behave.runner import Context
from hypothesis import given as drawn

from cleveractors.exceptions import ConfigurationError
from cleveractors.tools import ToolArgumentsError, as_tool, as_toolset, tool
from cleveractors.tools.docstrings import read_docstring
from features.lib import tool_samples as samples
from features.lib import tools as lib
from features.lib.tool_oddities import LANGCHAIN, REFUSED
from features.lib.tool_samples import SAMPLES
from features.lib.tools import world

register_type(json=json.loads)


# The sample


@given('the sample "{name}" as a tool')
@when('the sample "{name}" becomes a tool')
def make_sample(context: Context, name: str) -> None:
    world(context).make(SAMPLES[name])


@when('the refused sample "{name}" becomes a tool')
def make_refused(context: Context, name: str) -> None:
    world(context).make(REFUSED[name])


@when('the LangChain tool "{name}" becomes a tool')
def make_langchain(context: Context, name: str) -> None:
    world(context).make(LANGCHAIN[name])


@when("a tool is made beside its local type")
def make_beside(context: Context) -> None:
    world(context).tool = samples.local_type_seen()


@when("a function without a docstring becomes a tool")
def make_silent(context: Context) -> None:
    async def silent() -> None: ...

    with lib.listening(world(context).told):
        world(context).make(silent)


@given("a tool with the parameters {parameters}")
@when("a tool is made with the parameters {parameters}")
def make_by_hand(context: Context, parameters: str) -> None:
    world(context).attempt(lambda: world(context).make(lib.hand_made(parameters)))


@when("a function is marked with {option} = {value}")
def mark(context: Context, option: str, value: str) -> None:
    world(context).attempt(lambda: tool(samples.get_weather, **{option: json.loads(value)}))


# The set


@given('the tools "{names}" as a set')
def make_set(context: Context, names: str) -> None:
    world(context).toolset = as_toolset([SAMPLES[name] for name in names.split()])


@when('the tools "{names}" become a set')
def make_bad_set(context: Context, names: str) -> None:
    objs = [(SAMPLES | REFUSED)[name] for name in names.split(", ")]
    world(context).attempt(lambda: as_toolset(objs))


@when("{value} is given as tools")
def make_no_set(context: Context, value: str) -> None:
    world(context).attempt(lambda: as_toolset(json.loads(value)))


@when('its subset "{names}" is taken')
def take_subset(context: Context, names: str) -> None:
    world(context).attempt(lambda: world(context).toolset.subset(names.split()))


@then('the set has "{names}", and as many definitions')
def check_set(context: Context, names: str) -> None:
    made = world(context).toolset
    assert as_toolset(made) is made and made == made and len({made: 1}) == 1
    assert list(made) == names.split() and repr(made) == f"Toolset({', '.join(made)})"
    assert list(made.definitions) == [made[name].definition for name in made]


@then('its subset "{names}" has "{left}", and as many definitions')
def check_subset(context: Context, names: str, left: str) -> None:
    subset = world(context).toolset.subset(names.split())
    assert list(subset) == left.split() and len(subset.definitions) == len(subset)


# The tool


@then('the tool is named "{name}" and described "{description}"')
def check_name(context: Context, name: str, description: str) -> None:
    made = world(context).made
    assert (made.name, made.description) == (name, description), made


@then('the description of the tool is "{description}"')
def check_description(context: Context, description: str) -> None:
    assert world(context).made.description == description


@then("a docstring says of its parameters {words:json}")
def check_docstring(context: Context, words: Any) -> None:
    assert dict(read_docstring(context.text).parameters) == words


@then("its parameters are")
def check_parameters(context: Context) -> None:
    assert world(context).made.parameters == json.loads(context.text)


@then("its definition is OpenAI's, the same object each time")
def check_definition(context: Context) -> None:
    made = world(context).made
    function = {"name": made.name, "description": made.description, "parameters": made.parameters}
    assert made.definition is made.definition == {"type": "function", "function": function}


@then("its definition has no description")
def check_no_description(context: Context) -> None:
    assert "description" not in world(context).made.definition["function"]


@then("a warning says where it stands")
def check_warning(context: Context) -> None:
    (warning,) = world(context).told
    assert "tool_steps.py" in warning and "silent" in warning, warning


@then("it has required arguments")
def check_required(context: Context) -> None:
    assert world(context).made.required


@then('its parameter "{name}" is described "{description}"')
def check_parameter_words(context: Context, name: str, description: str) -> None:
    assert world(context).made.parameters["properties"][name]["description"] == description


@then('its parameter "{name}" is not described')
def check_no_parameter_words(context: Context, name: str) -> None:
    assert "description" not in world(context).made.parameters["properties"][name]


@then('its parameter "{name}" has the schema {schema:json}')
def check_parameter(context: Context, name: str, schema: Any) -> None:
    assert world(context).made.parameters["properties"][name] == schema


@then('the model may fill "{names}"')
def check_fields(context: Context, names: str) -> None:
    assert list(world(context).made.parameters["properties"]) == names.split()


@then('it must fill "{names}"')
def check_required_fields(context: Context, names: str) -> None:
    assert world(context).made.parameters["required"] == names.split()


@then("no title stands in its schema")
def check_titles(context: Context) -> None:
    assert '"title"' not in json.dumps(world(context).made.parameters)


@then("its options are {options}")
def check_options(context: Context, options: str) -> None:
    assert repr(world(context).made.options) == f"ToolOptions({', '.join(options.split())})"


@then("the function itself can still be called")
def check_function(context: Context) -> None:
    assert world(context).given is samples.optioned and samples.optioned(1.5) is None


@then("importing cleveractors.tools loads none of {names}")
def check_imports(context: Context, names: str) -> None:
    wanted = names.replace(" and ", ", ").split(", ")
    code = f"import sys, cleveractors.tools; print({set(wanted)!r} & sys.modules.keys())"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()", run.stdout


# The call


@when("the tool is called with {arguments:json}")
async def call(context: Context, arguments: Any) -> None:
    await world(context).call(arguments)


@when("the tool is called with")
async def call_with_text(context: Context) -> None:
    await world(context).call(json.loads(context.text))


@when("the tool receives {count:d} unknown arguments of {length:d} characters")
async def call_with_flood(context: Context, count: int, length: int) -> None:
    flood: dict[str, object] = {f"{number:0{length}}": "y" * length for number in range(count)}
    await world(context).call({"city": "x"} | flood)


@when("the tool receives {levels:d} nested lists")
async def call_with_depth(context: Context, levels: int) -> None:
    await world(context).call({"a": lib.deep(levels)})


@then("the call returns")
def check_result(context: Context) -> None:
    assert world(context).error is None and world(context).result == json.loads(context.text), world(context).error


@then('the tool is named "{name}" and returns "{result}"')
def check_name_and_result(context: Context, name: str, result: str) -> None:
    assert world(context).error is None, world(context).error
    assert (world(context).made.name, str(world(context).result)) == (name, result)


@then("the call raises {kind}")
def check_raised(context: Context, kind: str) -> None:
    assert type(world(context).error).__name__ == kind


@then("the arguments are refused so")
def check_misfit(context: Context) -> None:
    lines = [line.rstrip() for line in str(lib.expected(world(context).error, ToolArgumentsError)).splitlines()]
    assert lines == [line.rstrip() for line in context.text.splitlines()], lines


@then('the arguments are refused with "{text}"')
def check_misfit_part(context: Context, text: str) -> None:
    assert text in str(lib.expected(world(context).error, ToolArgumentsError))


@then('the arguments are refused in fewer than {most:d} characters that end in "{end}"')
def check_misfit_length(context: Context, most: int, end: str) -> None:
    text = str(lib.expected(world(context).error, ToolArgumentsError))
    assert len(text) < most and text.endswith(end), text


@then('making the tool fails with "{text}"')
def check_refusal(context: Context, text: str) -> None:
    assert text in str(lib.expected(world(context).error, ConfigurationError)), world(context).error


@then("the tools have {count:d} problems")
def check_problems(context: Context, count: int) -> None:
    assert len(lib.expected(world(context).error, ConfigurationError).problems) == count


@then('every argument that the schema of "{one}" and "{other}" allows is accepted')
def check_accepted(context: Context, one: str, other: str) -> None:
    for name in (one, other):
        check = drawn(arguments=lib.ARGUMENTS[name])(lib.check_accepted)
        check(as_tool(SAMPLES[name]))
