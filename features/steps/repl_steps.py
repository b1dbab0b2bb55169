"""Steps about kernels as tools."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from behave import given, register_type, then, when
from behave.runner import Context
from parse import with_pattern

from cleveractors import ConfigurationError
from cleveractors.tools import PythonRepl
from features.lib import repl as lib
from features.lib import repl_lives as lives
from features.lib.bench import as_json
from features.lib.repl import repl_of


@with_pattern("|".join(lives.OVERS))
def over(string: str) -> str:
    return string


register_type(over=over)


def cells(context: Context) -> list[str]:
    return [lib.lines(row["code"]) for row in rows(context)]


def rows(context: Context) -> list[dict[str, str]]:
    return [row.as_dict() for row in context.table]


def with_folder(context: Context) -> lib.ReplWorld:
    world = repl_of(context)
    world.notes["folder"] = Path(context.world.use(tempfile.TemporaryDirectory()))
    return world


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


@given("code that goes on only when its first line was heard")
def waiting_code(context: Context) -> None:
    pass


@when("the model runs")
async def run(context: Context) -> None:
    await repl_of(context).run(*cells(context))


@when("the model runs in one round")
async def run_at_once(context: Context) -> None:
    await repl_of(context).run(*cells(context), at_once=True)


@when("the model runs, and its events are read")
async def run_and_listen(context: Context) -> None:
    await repl_of(context).listen(cells(context))


@when("the model runs the code, and its events are read")
async def run_when_heard(context: Context) -> None:
    await lib.run_when_heard(repl_of(context))


@when("the model runs code that prints, and a listener takes longer than the limit")
async def run_with_slow_listener(context: Context) -> None:
    await lib.run_with_slow_listener(repl_of(context))


@when("a kernel is made with {settings}")
def make_kernel(context: Context, settings: str) -> None:
    with context.world.catching():
        lib.new_tool(as_json(settings))


@when('runs set and read a variable: "{steps}"')
async def set_and_read(context: Context, steps: str) -> None:
    await lives.set_and_read(repl_of(context), steps)


@when("{count:d} runs at the same time set a variable to their number, wait for each other, and read it")
async def run_side_by_side(context: Context, count: int) -> None:
    await lives.run_side_by_side(with_folder(context), count)


@when("two executors run in sessions of the same name")
async def share_tool(context: Context) -> None:
    await lives.share_tool(repl_of(context))


@when("a kernel has started a program in a session of its own, and then {what:over}")
async def end_it(context: Context, what: str) -> None:
    await lives.OVERS[what](repl_of(context))


@when("a run is {how} while its code runs")
async def leave_while_working(context: Context, how: str) -> None:
    await lives.leave_while_working(with_folder(context), how)


@when("a run of a session is cancelled while its code runs, and the session goes on")
async def go_on_after_cancel(context: Context) -> None:
    await lives.go_on_after_cancel(with_folder(context))


@when("the kernel of a session dies between two runs")
async def die_between_runs(context: Context) -> None:
    await lives.die_between_runs(repl_of(context))


@when("the kernel of a session is released while its code runs")
async def release_while_working(context: Context) -> None:
    await lives.release_while_working(with_folder(context))


@when("a run asks for a kernel while the only one works")
async def ask_for_one_more(context: Context) -> None:
    await lives.ask_for_one_more(with_folder(context))


@when("a kernel's program is started by hand, asked, and left")
def ask_by_hand(context: Context) -> None:
    lives.ask_by_hand(repl_of(context))


@when("a kernel's program is started by hand, and left while it works")
def leave_at_work(context: Context) -> None:
    lives.leave_at_work(with_folder(context))


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


@then('they found "{found}"')
def they_found(context: Context, found: str) -> None:
    assert repl_of(context).found == found.split(", "), (repl_of(context).found, repl_of(context).results)


@then("each found its own number")
def own_number(context: Context) -> None:
    found = sorted(text for text in repl_of(context).results if text != "[no output]")
    assert found == ["0", "1", "2", "3"], repl_of(context).results


@then("the kernel and the program are gone")
async def gone(context: Context) -> None:
    await lives.check_gone(repl_of(context))


@then("the tool holds {count:d} kernels")
def holds(context: Context, count: int) -> None:
    assert repr(repl_of(context).tool).endswith(f"kernels={count})"), repl_of(context).tool


@then('the last result is "{text}"')
def last_result(context: Context, text: str) -> None:
    assert repl_of(context).results[-1] == lib.lines(text), repl_of(context).results[-1]


@then('the last result names "{text}"')
def last_result_names(context: Context, text: str) -> None:
    assert text in repl_of(context).results[-1], repl_of(context).results


@then("it has answered, and ended by itself with code 0")
def by_hand(context: Context) -> None:
    lives.check_by_hand(repl_of(context))


@then("it has ended by signal 9")
def by_signal(context: Context) -> None:
    assert repl_of(context).notes["code"] == -9, repl_of(context).notes
