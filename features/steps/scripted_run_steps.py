"""Steps about actors on the provider `scripted`."""

from __future__ import annotations

from behave import given, then, when
from behave.runner import Context

from features.lib.scripted_runs import Never, Report, runs


@given("an actor's file with the script")
def write(context: Context) -> None:
    runs(context).write(context.text)


@when("the actor of the file is asked {count:d} times")
async def ask(context: Context, count: int) -> None:
    await runs(context).ask(count)


@when('an actor of the provider "scripted" is asked for a report on "{question}"')
async def ask_for_report(context: Context, question: str) -> None:
    await runs(context).report(question, Report)


@when('an actor of the provider "scripted" is asked for what can\'t be')
async def ask_for_nothing(context: Context) -> None:
    await runs(context).report("Oslo?", Never)


@then(
    'each run of the file was answered "{text}" after {calls:d} model calls, the last of {asked:d} and {said:d} tokens'
)
def check_runs(context: Context, text: str, calls: int, asked: int, said: int) -> None:
    found = runs(context).figures()
    assert found and set(found) == {(text, calls, asked, said)}, found


@then('the report is "{city}", after these messages')
def check_report(context: Context, city: str) -> None:
    assert runs(context).results[-1].output == Report(city=city, warm=False), runs(context).results
    found = runs(context).told()
    assert found == [row.as_dict() for row in context.table], found


@then('the actor\'s run fails with "{text}"')
def check_failure(context: Context, text: str) -> None:
    assert str(runs(context).error) == text, repr(runs(context).error)


@then('the file is refused at "{path}": "{message}"')
def check_problem(context: Context, path: str, message: str) -> None:
    assert runs(context).problem() == (path, message), runs(context).problem()
