"""Arguments checked against a schema that was written by hand, or by an MCP server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.validators import Draft202012Validator, validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable

from cleveractors.exceptions import ConfigurationError
from cleveractors.tools.arguments import ToolCheck, misfit, path_of

__all__ = ["schema_check"]


def schema_check(name: str, schema: dict[str, Any]) -> ToolCheck:
    """Make the check of one tool; it returns the arguments as they are.

    Args:
        name: of the tool.
        schema: an object schema.

    Raises:
        ConfigurationError: it is no schema, or refers to something outside itself.
    """
    kind = cast("Any", validator_for(schema, default=Draft202012Validator))
    try:
        # Formats are left alone: a pattern may be written in another dialect of regular expressions.
        kind.check_schema(schema, format_checker=None)
    except SchemaError as error:
        raise ConfigurationError(f"the parameters of tool {name} are no JSON schema: {error.message}") from error
    outside = sorted({ref for ref in _references(schema) if not ref.startswith("#")})
    if outside:
        raise ConfigurationError(
            f"the parameters of tool {name} refer to {outside[0]!r}: only references inside the schema are followed"
        )
    # An empty registry: the default one fetches references over the network.
    validator = kind(schema, registry=cast("Any", Registry)())

    def check(arguments: dict[str, object]) -> object:
        try:
            problems = [_problem(error) for error, _ in zip(validator.iter_errors(arguments), range(11), strict=False)]
        except Unresolvable as error:
            raise misfit(name, [("", f"its schema can't be followed: {error}")]) from error
        except RecursionError as error:
            raise misfit(name, [("", "nested too deeply")]) from error
        except re.error:
            # A pattern in another dialect: the tool itself must judge.
            return arguments
        if problems:
            raise misfit(name, problems)
        return arguments

    return check


def _problem(error: ValidationError) -> tuple[str, str]:
    return path_of(error.absolute_path), error.message


def _references(schema: object) -> Iterator[str]:
    pending = [schema]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            for key, value in cast("dict[str, object]", node).items():
                if key in ("$ref", "$dynamicRef") and isinstance(value, str):
                    yield value
                else:
                    pending.append(value)
        elif isinstance(node, list):
            pending.extend(cast("list[object]", node))
