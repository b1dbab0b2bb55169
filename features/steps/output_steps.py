"""Steps about answers that must fit a type."""

from __future__ import annotations

from behave import given, then, when
from behave.runner import Context

from cleveractors import Limits
from features.lib import outputs as lib
from features.lib.bench import as_json, bench


@given("the actor's provider will answer with the text {text}")
def answer_with(context: Context, text: str) -> None:
    lib.answer_with(bench(context), text)


@given("a custom agent that answers {answer:w}")
def literal_agent(context: Context, answer: str) -> None:
    lib.use_literal_agent(bench(context), answer)


@given("an agent of the embedded provider whose code {how} the schema in its system prompt")
def prompting_agent(context: Context, how: str) -> None:
    lib.use_prompting_agent(bench(context), how)


@given("the runs' limits are {limits}")
def set_limits(context: Context, limits: str) -> None:
    bench(context).run_options["limits"] = Limits(**as_json(limits))


@when('the actor is asked for "{kind}"')
async def ask_for(context: Context, kind: str) -> None:
    with context.world.catching():
        await bench(context).ask(output_type=lib.KINDS[kind])


@when('the actor is asked for "{kind}" as a stream')
async def stream_for(context: Context, kind: str) -> None:
    await bench(context).read(bench(context).open_stream(output_type=lib.KINDS[kind]))


@when('the actor is asked for "{kind}", and its ways to the bill are looked at')
async def ask_for_and_look(context: Context, kind: str) -> None:
    await bench(context).observe(lambda: bench(context).ask(output_type=lib.KINDS[kind]))


@when('the actor is asked for "{kind}", and aborted in the call')
async def ask_for_and_abort(context: Context, kind: str) -> None:
    await lib.ask_and_abort(bench(context), kind)


@then("the value is {value}")
def value_is(context: Context, value: str) -> None:
    output = bench(context).result.output
    assert repr(output) == value, repr(output)


@then("the response is the text {text}")
def response_is(context: Context, text: str) -> None:
    assert bench(context).result.response == lib.unfolded(text), bench(context).result.response


@then("the last message is the text {text}")
def last_message_is(context: Context, text: str) -> None:
    assert bench(context).result.messages[-1].text == text, bench(context).result.messages[-1]


@then('the system prompt begins with "{start}" and ends with the schema of "{kind}"')
def prompt_has_schema(context: Context, start: str, kind: str) -> None:
    lib.check_instructed(bench(context), start, kind)


@then('the last request tells the model "{text}"')
def model_is_told(context: Context, text: str) -> None:
    last = bench(context).provider.requests[-1].messages[-1]
    assert last["role"] == "user" and text in last["content"], last


@then("the last request has the tools and forbids them")
def tools_forbidden(context: Context) -> None:
    request = bench(context).provider.requests[-1]
    assert request.tools and request.tool_choice == "none", request.body


@then("it is worth {value}")
def comes_back(context: Context, value: str) -> None:
    assert repr(bench(context).result.output) == value


@then("it is refused as no int")
def is_refused(context: Context) -> None:
    error = bench(context).ways.error
    assert type(error).__name__ == "OutputError" and "int" in str(error), repr(error)
