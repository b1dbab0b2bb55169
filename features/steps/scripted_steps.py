"""Steps about what the scripted model makes up."""

from __future__ import annotations

import json

import jsonschema
from behave import then, when
from behave.runner import Context

from cleveractors.models.smallest import smallest

MADE = "smallest_made"


@when("the smallest value of the schema {schema} is made")
def make(context: Context, schema: str) -> None:
    parsed = json.loads(schema.replace("\\|", "|"))
    setattr(context, MADE, (parsed, smallest(parsed)))


@then("it fits the schema")
def check(context: Context) -> None:
    schema, value = getattr(context, MADE)
    jsonschema.validate(value, schema)
