"""Steps about the lives of kernels."""

from __future__ import annotations

import tempfile
from pathlib import Path

from behave import given, register_type, then, when
from behave.runner import Context
from parse import with_pattern

from features.lib import repl_hand as hand
from features.lib import repl_lives as lives
from features.lib.repl import ReplWorld, lines, repl_of


@with_pattern("|".join(lives.OVERS))
def over(string: str) -> str:
    return string


register_type(over=over)


def with_folder(context: Context) -> ReplWorld:
    world = repl_of(context)
    world.notes["folder"] = Path(context.world.use(tempfile.TemporaryDirectory()))
    return world


@given("a system that can't tell when a kernel has ended")
def forget_how_to_wait(context: Context) -> None:
    lives.forget_how_to_wait(repl_of(context))


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


@when("a kernel exits and leaves a fork behind")
async def leave_fork_behind(context: Context) -> None:
    await lives.leave_fork_behind(repl_of(context))


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
    hand.ask_by_hand(repl_of(context))


@when("a kernel's program is started by hand, and left while it works")
def leave_at_work(context: Context) -> None:
    hand.leave_at_work(with_folder(context))


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
    assert repl_of(context).results[-1] == lines(text), repl_of(context).results[-1]


@then('the last result names "{text}"')
def last_result_names(context: Context, text: str) -> None:
    assert text in repl_of(context).results[-1], repl_of(context).results


@then("it has answered, and ended by itself with code 0")
def by_hand(context: Context) -> None:
    hand.check_by_hand(repl_of(context))


@when("a kernel's program is started by hand, and nobody hears its answer")
def refuse_answer(context: Context) -> None:
    hand.refuse_answer(repl_of(context))


@then("it has ended by itself with code 1")
def by_itself(context: Context) -> None:
    assert repl_of(context).notes["code"] == 1, repl_of(context).notes


@then("it has ended by signal 9")
def by_signal(context: Context) -> None:
    assert repl_of(context).notes["code"] == -9, repl_of(context).notes
