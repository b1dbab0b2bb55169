"""Steps about the scripted provider's program."""

from __future__ import annotations

import json

from behave import given, then, when
from behave.runner import Context

from features.lib.provider_program import program
from features.lib.provider_stage import at, stage


@given("the provider's program with {options}")
def start(context: Context, options: str) -> None:
    program(context).start(options.split())


@given("the provider's program, whose input is closed, with {options}")
def start_closed(context: Context, options: str) -> None:
    program(context).run_closed(options.split())


@given("the provider's program, without a report, with {options}")
def start_unreported(context: Context, options: str) -> None:
    program(context).start(options.split(), report=False)


@when("the provider's program is run with {options}")
def run(context: Context, options: str) -> None:
    program(context).run([option.replace("\\u0020", " ") for option in options.split()])


@when("the provider's program is run at the port of that provider")
def run_taken(context: Context) -> None:
    program(context).run(["--port", str(stage(context).provider.port)])


@when("its client asks {times:d} times")
async def ask(context: Context, times: int) -> None:
    await program(context).ask(times)


@when("the program is stopped by {how}")
def stop(context: Context, how: str) -> None:
    program(context).stop(how)


@then("the program has ended with {status:d}, and said nothing")
def ended_silently(context: Context, status: int) -> None:
    assert (program(context).status, program(context).said) == (status, ""), program(context)


@then('it has ended with {status:d} and said "{text}"')
def ended(context: Context, status: int, text: str) -> None:
    found = program(context)
    assert found.status == status and text in found.said and "Traceback" not in found.said, found


@then("its client was answered {texts}")
def answered(context: Context, texts: str) -> None:
    found = [message["content"] for message in program(context).messages()]
    assert found == json.loads(f"[{texts}]"), found


@then("its client got the statuses {statuses}")
def statuses_are(context: Context, statuses: str) -> None:
    found = [one.status for one in program(context).received]
    assert found == json.loads(f"[{statuses}]"), found


@then("its client was called for {function}")
def called(context: Context, function: str) -> None:
    found = program(context).messages()[0]["tool_calls"][0]["function"]
    assert found == json.loads(function), found


@then("the program's report has")
def report(context: Context) -> None:
    found = program(context).report()
    for row in context.table:
        assert at(found, row["at"]) == json.loads(row["is"]), found


@then("the program's report has CPU seconds")
def report_time(context: Context) -> None:
    assert program(context).report()["cpu_seconds"] > 0
