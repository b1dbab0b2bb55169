"""Steps about actor files: the host, the file, the actor it becomes, its problems, templates, schema, reference."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, cast

import yaml
from behave import given, then, when
from behave.runner import Context

from cleveractors import config
from cleveractors.config import ActorConfig, names_in, reference_markdown, render, substitute
from cleveractors.exceptions import ConfigurationError
from features.lib import language as lib
from features.lib.language import Language

LANGUAGE = "language"


def language(context: Context) -> Language:
    if not hasattr(context, LANGUAGE):
        setattr(context, LANGUAGE, Language())
    return getattr(context, LANGUAGE)


# The host


@given("the host's policy")
def set_policy(context: Context) -> None:
    language(context).allow(**{row["bound"]: json.loads(row["value"]) for row in context.table})


@given("agents may be tools")
def allow_subagents(context: Context) -> None:
    language(context).host = replace(language(context).host, subagents=True)


@given("a host without tools and credentials")
def bare_host(context: Context) -> None:
    language(context).host = config.Surroundings()


@given("these values are set beside the file")
def set_values(context: Context) -> None:
    language(context).overrides = [(row["path"], lib.unfolded(row["value"])) for row in context.table]


@then('the policy {bounds} is refused: "{message}"')
def policy_refused(context: Context, bounds: str, message: str) -> None:
    assert lib.policy_error(**json.loads(bounds)) == message


# The file


@when("the file is read")
def read_file(context: Context) -> None:
    language(context).read_file(context.text)


@when('the file "{text}" is read')
def read_line(context: Context, text: str) -> None:
    language(context).read_file(lib.unfolded(text))


@when('a file with "{text}" and a byte order mark is read')
def read_marked(context: Context, text: str) -> None:
    language(context).read_file(b"\xef\xbb\xbf" + text.encode())


@when('a file that is "{kind}" is read')
def read_kind(context: Context, kind: str) -> None:
    language(context).read_kind(kind)


@when("the JSON file is read")
def read_json(context: Context) -> None:
    language(context).read_file(context.text, "actor.json")


@when("the mapping is read")
def read_mapping(context: Context) -> None:
    language(context).read(json.loads(context.text))


@when("the Python mapping is read")
def read_python(context: Context) -> None:
    language(context).read(eval(context.text, {"lib": lib, "config": config}))


@when("the file is read with any of these values set")
def read_with_each(context: Context) -> None:
    for row in context.table:
        language(context).overrides = [(row["path"], row["value"])]
        language(context).read({"agents": {"a": {"model": "x", "fallbacks": [{"model": "y"}]}}})
        assert row["says"] in str(language(context).error), language(context).error


# The actor


@then("the actor has")
def actor_has(context: Context) -> None:
    actor = language(context).actor
    assert actor is not None, f"it was refused: {language(context).error}"
    lib.check_subset(actor.model_dump(mode="json"), {row["key"]: json.loads(row["value"]) for row in context.table})


@then('the agent "{name}" has')
def agent_has(context: Context, name: str) -> None:
    lib.check_subset(language(context).agent(name), {row["key"]: json.loads(row["value"]) for row in context.table})


@then('"{key}" of "main" is {value}')
def key_is(context: Context, key: str, value: str) -> None:
    lib.check_subset(language(context).agent("main"), {key: json.loads(value)})


@then("the parameters that were set are {expected}")
def parameters_are(context: Context, expected: str) -> None:
    agent = cast("Any", language(context).actor).agents["main"]
    assert agent.parameters.set_fields() == json.loads(expected)


@then("it can be loaded again, as a configuration")
def load_again(context: Context) -> None:
    first = language(context).actor
    language(context).read(first)
    assert language(context).actor == first


@when("the configuration is loaded with the value {value} set at {path}")
def load_with(context: Context, value: str, path: str) -> None:
    language(context).overrides = [(path, value)]
    language(context).read(language(context).actor)


@when("a configuration whose agents have the wrong type names is loaded")
def load_wrong_types(context: Context) -> None:
    agents = {"a": lib.EchoConfig(type="ecko"), "b": lib.EchoConfig(type="llm")}
    language(context).read(ActorConfig(entry="a", agents=cast("Any", agents)))


# The problems


@then("it is refused with")
def refused_with(context: Context) -> None:
    expected = [lib.unfolded(line) for line in context.text.splitlines()]
    assert language(context).lines == expected, "\n".join(language(context).lines)


@then('it is refused: "{line}"')
def refused(context: Context, line: str) -> None:
    assert language(context).lines == [lib.unfolded(line)], "\n".join(language(context).lines)
    language(context).check_bounds()


@then('the first problem is "{start}"')
def first_problem(context: Context, start: str) -> None:
    assert language(context).lines[0].startswith(start), language(context).lines[0]
    language(context).check_bounds()


@then('a problem says "{text}"')
def problem_says(context: Context, text: str) -> None:
    assert any(text in line for line in language(context).lines), language(context).lines


@then("{count:d} problems are told, the last says how many more there are")
def problems_told(context: Context, count: int) -> None:
    assert len(language(context).problems) == count, len(language(context).problems)
    assert "more problems are not listed" in language(context).lines[-1], language(context).lines[-1]
    language(context).check_bounds()


@then("the terminal shows")
def terminal_shows(context: Context) -> None:
    assert language(context).shown == context.text, language(context).shown


@then("in color, the same is shown")
def shown_in_color(context: Context) -> None:
    error = cast("ConfigurationError", language(context).error)
    colored = render(error, color=True)
    assert "\x1b[1;31merror\x1b[0m" in colored
    assert "".join(part.split("m", 1)[-1] for part in f"m{colored}".split("\x1b[")) == render(error)


@then('"{secret}" is not told anywhere')
def not_told(context: Context, secret: str) -> None:
    error = cast("ConfigurationError", language(context).error)
    assert secret not in f"{error}{error!r}{render(error)}", render(error)
    assert error.__cause__ is None


# Templates


@then('"{text}" with {declared} and {given_values} becomes "{expected}"')
def becomes(context: Context, text: str, declared: str, given_values: str, expected: str) -> None:
    actual = substitute(text, json.loads(declared), json.loads(given_values))
    assert actual == expected, actual


@then('"{text}" with {declared} and {given_values} fails: "{message}"')
def fails(context: Context, text: str, declared: str, given_values: str, message: str) -> None:
    try:
        substitute(text, json.loads(declared), json.loads(given_values))
    except ConfigurationError as error:
        assert str(error) == message, str(error)
    else:
        raise AssertionError("it was substituted")


@then('the names in "{text}" are {names}')
def names_are(context: Context, text: str, names: str) -> None:
    assert list(names_in(text)) == json.loads(names)


# Properties


@then("any of {count:d} byte strings is an actor or one error")
def any_bytes(context: Context, count: int) -> None:
    lib.check_any_bytes(count)


@then("none of {count:d} substitutions is expanded again")
def any_substitution(context: Context, count: int) -> None:
    lib.check_any_substitution(count)


@then('importing "{module}" loads no pydantic')
def loads_no_pydantic(context: Context, module: str) -> None:
    assert "pydantic" not in lib.imported_by(module)


@then("every name of the language's face is there")
def face_is_whole(context: Context) -> None:
    assert all(hasattr(config, name) for name in config.__all__)
    assert not hasattr(config, "no_such_name")


# The schema and the reference


@then("an editor accepts")
def editor_accepts(context: Context) -> None:
    refused = [row["document"] for row in context.table if not lib.schema_accepts(yaml.safe_load(row["document"]))]
    assert not refused, refused


@then("an editor refuses")
def editor_refuses(context: Context) -> None:
    accepted = [row["document"] for row in context.table if lib.schema_accepts(yaml.safe_load(row["document"]))]
    assert not accepted, accepted


@then("the reference has the rows")
def reference_has(context: Context) -> None:
    lines = reference_markdown().splitlines()
    missing = [line for line in context.text.splitlines() if line not in lines]
    assert not missing, missing


@then("every key of the reference has a meaning, a type and an example")
def reference_is_whole(context: Context) -> None:
    rows = [line for line in reference_markdown().splitlines() if line.startswith("| `")]
    bare = [row for row in rows if "|  |" in row]
    assert len(rows) > 40 and not bare, bare
