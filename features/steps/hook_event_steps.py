"""Steps about the other moments at which hooks are called."""

from __future__ import annotations

from behave import given, then, when
from behave.runner import Context

from cleveractors.hooks import Hooks
from cleveractors.hooks.facts import ChildRan, ToolRan
from features.lib import hooks_asking as asking
from features.lib.hooks import hooks_of

MODEL = "openai/gpt-4o-mini"
HISTORY = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}]


@when('the run has answered "{answer}" to "{question}"')
async def answered(context: Context, answer: str, question: str) -> None:
    story = hooks_of(context)
    await story.run_hooks.post_llm_call(story.context, question, answer, HISTORY, MODEL)


@when('a child run has ended with "{answer}"')
async def child_ended(context: Context, answer: str) -> None:
    story = hooks_of(context)
    await story.run_hooks.subagent_stop(story.context, ChildRan("helper", "child-1", 1.5, answer, "completed"))


@when('the tool "{tool}" has answered "{result}", and failed')
async def tool_failed(context: Context, tool: str, result: str) -> None:
    story = hooks_of(context)
    await story.run_hooks.post_tool_call(story.context, ToolRan(tool, {}, "call-1", result, 0.1, "error"))


@given("the hooks of the scenario forgive")
def forgive(context: Context) -> None:
    hooks_of(context).forgive()


@when("another host's hooks write where they are")
async def other_host(context: Context) -> None:
    story = hooks_of(context)
    hooks = Hooks(story.make_other())
    hooks.command("pre_tool_call", ["sh", "-c", "pwd > where"])
    found = hooks.for_run(story.context)
    assert found and await found.pre_tool_call(story.context, "Bash", {}, "call-1")


@then('"{name}" is the scenario\'s folder')
def check_folder(context: Context, name: str) -> None:
    story = hooks_of(context)
    assert story.file(name).read_text().strip() == str(story.folder)


@then('the other host\'s "{name}" is the other folder')
def check_other(context: Context, name: str) -> None:
    story = hooks_of(context)
    assert (story.other / name).read_text().strip() == str(story.other)


@then("the failures are none")
def check_no_failures(context: Context) -> None:
    assert not hooks_of(context).hooks.failures, hooks_of(context).hooks.failures
    assert asking.allowed(hooks_of(context))


@then('"{name}" counts at least {least:d}')
def check_count(context: Context, name: str, least: int) -> None:
    assert int(hooks_of(context).file(name).read_text()) >= least
