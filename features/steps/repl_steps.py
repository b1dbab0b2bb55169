"""Steps about kernels as tools."""

from __future__ import annotations

import re

from behave import given, then, when
from behave.runner import Context

from cleveractors import ConfigurationError
from cleveractors.tools import PythonRepl
from features.lib import repl as lib
from features.lib.bench import as_json
from features.lib.repl import repl_of


def cells(context: Context) -> list[str]:
    return [lib.lines(row["code"]) for row in rows(context)]


def rows(context: Context) -> list[dict[str, str]]:
    return [row.as_dict() for row in context.table]


@given("a kernel as the tool of an actor")
def kernel(context: Context) -> None:
    repl_of(context).use(PythonRepl())


@given("a kernel with the settings {settings} as the tool of an actor")
def kernel_with(context: Context, settings: str) -> None:
    repl_of(context).use(lib.new_tool(as_json(settings)))


@given('a kernel in a folder with a module "{module}", as the tool of an actor')
def kernel_in_folder(context: Context, module: str) -> None:
    lib.use_folder(repl_of(context), module)


@given('the environment variable "{name}" with the value "{value}"')
def set_variable(context: Context, name: str, value: str) -> None:
    lib.set_variable(context.world, name, value)


@when("the model runs")
async def run(context: Context) -> None:
    await repl_of(context).run(*cells(context))


@when("the model runs a cell of {size:d} characters")
async def run_long(context: Context, size: int) -> None:
    await repl_of(context).run(lib.long_cell(size))


@when("the model runs in one round")
async def run_at_once(context: Context) -> None:
    await repl_of(context).run(*cells(context), at_once=True)


@when("the model runs, and its events are read")
async def run_and_listen(context: Context) -> None:
    await repl_of(context).listen(cells(context))


@when("the model runs code that goes on only when its first line was heard")
async def run_when_heard(context: Context) -> None:
    await lib.run_when_heard(repl_of(context))


@when("the model runs code that prints, and a listener takes longer than the limit")
async def run_with_slow_listener(context: Context) -> None:
    await lib.run_with_slow_listener(repl_of(context))


@when("a kernel is made with {settings}")
def make_kernel(context: Context, settings: str) -> None:
    with context.world.catching():
        lib.new_tool(as_json(settings))


@then("the model was told")
def told(context: Context) -> None:
    lib.check_told(repl_of(context), rows(context), wholly=True)


@then("the model was told, among other things")
def told_among(context: Context) -> None:
    lib.check_told(repl_of(context), rows(context), wholly=False)


@then("nothing that the model was told names a file of this library")
def no_own_files(context: Context) -> None:
    lib.check_no_own_files(repl_of(context))


@then("the events of the kernel are")
def events(context: Context) -> None:
    lib.check_events(repl_of(context), rows(context))


@then("each event of the kernel lies within its own call")
def within(context: Context) -> None:
    lib.check_within(repl_of(context))


@then("no result has more than {most:d} characters")
@then("the events of each call have {most:d} characters at most")
def sizes(context: Context, most: int) -> None:
    lib.check_sizes(repl_of(context), most)


@then("the results begin with {begins} and end with {ends}")
def ends(context: Context, begins: str, ends: str) -> None:
    lib.check_ends(repl_of(context), re.findall('"([^"]*)"', begins), re.findall('"([^"]*)"', ends))


@then("for {count:d} drawn outputs the text is whole, or its beginning and end are")
def drawn_outputs(context: Context, count: int) -> None:
    lib.check_drawn_outputs(count)


@then('the kernel is refused with "{text}"')
def refused(context: Context, text: str) -> None:
    assert text in str(context.world.error_of(ConfigurationError)), context.world.error
