"""Steps about a scripted model on its own: its script, its requests, its answers."""

from __future__ import annotations

import json
from typing import Any

from behave import given, register_type, then, when
from behave.runner import Context

from features.lib.scripted import stage
from features.lib.scripted_arguments import (
    check_any_function,
    check_any_schema,
    check_huge,
    choices,
    made_for,
    nested,
)

register_type(jsonvalue=json.loads)


@given("a scripted model without a script")
def without_script(context: Context) -> None:
    stage(context)


@given("a scripted model that plays")
@when("a scripted model is made of")
def play(context: Context) -> None:
    stage(context).play(context.text)


@when("a scripted model is made of {turns}")
def play_briefly(context: Context, turns: str) -> None:
    stage(context).play(turns)


@given("a scripted model with {options:jsonvalue} that plays")
def play_with(context: Context, options: dict[str, Any]) -> None:
    stage(context).play(context.text, **options)


@given("the scripted model is offered the tools")
def offer(context: Context) -> None:
    stage(context).offer(row.as_dict() for row in context.table)


@given("the scripted model is called with {parameters:jsonvalue}")
def set_parameters(context: Context, parameters: dict[str, Any]) -> None:
    stage(context).parameters = parameters


@given("the scripted model hears")
@when("the scripted model hears")
def hear(context: Context) -> None:
    stage(context).hear(row.as_dict() for row in context.table)


@when("the scripted model is asked")
async def ask_what_was_heard(context: Context) -> None:
    await stage(context).ask()


@when('the scripted model is asked "{text}"')
async def ask(context: Context, text: str) -> None:
    await stage(context).ask(text=text)


@when('the scripted model is asked "{text}" {way}')
async def ask_in_a_way(context: Context, text: str, way: str) -> None:
    await stage(context).ask(way, text)


@when("the scripted model is asked with {parameters:jsonvalue}")
async def ask_with(context: Context, parameters: dict[str, Any]) -> None:
    stage(context).parameters = parameters
    await stage(context).ask(text="B")


@when("the scripted model is asked {count:d} times")
async def ask_often(context: Context, count: int) -> None:
    for n in range(1, count + 1):
        await stage(context).ask(text=f"question {n}")


@when("the scripted model is asked {count:d} times from threads")
def ask_from_threads(context: Context, count: int) -> None:
    stage(context).ask_from_threads(count)


@when("a copy of the scripted model is asked")
def ask_a_copy(context: Context) -> None:
    stage(context).ask_a_copy()


@then("the scripted model's answers are")
def check_answers(context: Context) -> None:
    found = stage(context).cells(context.table.headings)
    expected = [row.as_dict() for row in context.table]
    assert found == expected, found


@then("the scripted model's answer is")
def check_answer(context: Context) -> None:
    assert stage(context).outcomes[-1].said.text == context.text, stage(context).outcomes[-1]


@then("the scripted model's answers have {one:d} and {other:d} characters, and end in '{end}' and '{last}'")
def check_lengths(context: Context, one: int, other: int, end: str, last: str) -> None:
    texts = [str(outcome.said.text) for outcome in stage(context).outcomes]
    assert [len(text) for text in texts] == [one, other], texts
    assert texts[0].endswith(end) and texts[1].endswith(last), texts


@then("the scripted model's answer has the content {content:jsonvalue}")
def check_content(context: Context, content: object) -> None:
    assert stage(context).outcomes[-1].said.content == content, stage(context).outcomes[-1].said.content


@then("its chunks have the texts {texts:jsonvalue}")
def check_chunks(context: Context, texts: list[str]) -> None:
    found = [str(chunk.text) for chunk in stage(context).outcomes[-1].chunks]
    assert found == texts, found


@then("its chunks have the arguments {pieces:jsonvalue}")
def check_call_chunks(context: Context, pieces: list[str]) -> None:
    chunks = stage(context).outcomes[-1].chunks
    found = [part["args"] for chunk in chunks for part in chunk.tool_call_chunks]
    assert found == pieces, found


@then("there are {count:d} pieces of the arguments")
def check_pieces(context: Context, count: int) -> None:
    chunks = stage(context).outcomes[-1].chunks
    pieces = [part["args"] for chunk in chunks for part in chunk.tool_call_chunks if part["args"]]
    assert len(pieces) == count, pieces


@then("its call is told as {judged}")
def check_judged(context: Context, judged: str) -> None:
    said = stage(context).outcomes[-1].said
    found = "valid" if said.tool_calls else str(said.invalid_tool_calls[0]["error"])
    assert found.startswith(judged), found


@then("the scripted model's errors have the statuses {statuses:jsonvalue}")
def check_statuses(context: Context, statuses: list[int | None]) -> None:
    found = [getattr(one.error, "status_code", "none") for one in stage(context).outcomes]
    assert found == statuses, found


@then("its raw calls are {calls:jsonvalue}")
def check_raw_calls(context: Context, calls: list[Any]) -> None:
    found = stage(context).outcomes[-1].said.additional_kwargs["tool_calls"]
    assert found == calls, found


@then("each answer of the scripted model is another of {count:d}")
def check_each(context: Context, count: int) -> None:
    texts = [str(one.said.text) for one in stage(context).outcomes]
    ids = {call["id"] for one in stage(context).outcomes for call in one.said.tool_calls}
    assert len(set(texts)) == len(texts) == len(ids) == count, (texts, ids)


@then("the scripted model's script is complete")
def check_complete(context: Context) -> None:
    assert stage(context).complaint() == "", stage(context).complaint()


@then("the scripted model says that its script is not complete")
def check_incomplete(context: Context) -> None:
    assert stage(context).complaint() == context.text, stage(context).complaint()


@then('the scripted model\'s script has ended: "{text}"')
def check_ended(context: Context, text: str) -> None:
    assert stage(context).exhausted == text, stage(context).exhausted


@then("it has noted {notes:jsonvalue}")
def check_notes(context: Context, notes: list[Any]) -> None:
    assert stage(context).events == notes, stage(context).events


@then("the scripted model was asked")
def check_requests(context: Context) -> None:
    asked = [
        {
            "text": str(one.messages[-1].text),
            "tools": ", ".join(one.tool_names),
            "streamed": str(one.streamed),
            "choice": json.dumps(one.tool_choice),
            "others": json.dumps(one.kwargs),
        }
        for one in stage(context).model.calls
    ]
    assert asked == [row.as_dict() for row in context.table], asked


@then('the script is refused: "{message}"')
def check_refused(context: Context, message: str) -> None:
    error = stage(context).error
    assert isinstance(error, ValueError) and str(error) == message, repr(error)


@then("for a parameter with {schema:jsonvalue} it makes up {value:jsonvalue}")
def check_made(context: Context, schema: Any, value: object) -> None:
    found = made_for(schema)
    assert json.dumps(found) == json.dumps(value), found


@then("for a parameter of draft 7 with {schema:jsonvalue} it makes up {value:jsonvalue}")
def check_made_for_draft(context: Context, schema: Any, value: object) -> None:
    found = made_for(schema, "http://json-schema.org/draft-07/schema#")
    assert found == value, found


@then("numbers beyond floats are made up too, or said to be none")
def check_beyond(context: Context) -> None:
    check_huge()


@then('for a parameter with {schema:jsonvalue} it says "{text}"')
def check_unmade(context: Context, schema: Any, text: str) -> None:
    found = made_for(schema)
    assert found == f"look was not called: {text}", found


@then('for a parameter nested {levels:d} levels deep it says "{text}"')
def check_deep(context: Context, levels: int, text: str) -> None:
    assert made_for(nested(levels)) == f"look was not called: {text}", made_for(nested(levels))


@then('for a parameter of {count:d} choices, each of {ways:d}, it says "{text}"')
def check_long(context: Context, count: int, ways: int, text: str) -> None:
    found = made_for(choices(count, ways))
    assert found == f"look was not called: {text}", found


@then("for a parameter with {schema:jsonvalue} there are {count:d} different items")
def check_many(context: Context, schema: Any, count: int) -> None:
    found = made_for(schema)
    assert len(found) == len(set(found)) == count, found


@then("of {count:d} drawn schemas, each has valid arguments or is said to have none")
def check_schemas(context: Context, count: int) -> None:
    check_any_schema(count)


@then("each of {count:d} drawn functions accepts what it is called with")
def check_functions(context: Context, count: int) -> None:
    check_any_function(count)
