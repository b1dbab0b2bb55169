"""Steps about files of hooks and about the examples."""

from __future__ import annotations

import asyncio
import errno
import json
import os
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from behave import given, register_type, then, when
from behave.runner import Context

from cleveractors import ConfigurationError
from features.lib import hooks_files as files
from features.lib import hooks_moments as moments
from features.lib.hooks import hooks_of

register_type(jsonvalue=json.loads)


@given("the hook file")
def write_file(context: Context) -> None:
    files.write(hooks_of(context), "hooks.yaml", context.text.replace("very long", "x" * 5000))


@given('the script "{name}"')
def write_script(context: Context, name: str) -> None:
    files.write(hooks_of(context), name, context.text, runs=True)


@given("the scenario's folder is on the PATH")
def extend_path(context: Context) -> None:
    path = f"{hooks_of(context).folder}{os.pathsep}{os.environ['PATH']}"
    context.world.use(patch.dict(os.environ, {"PATH": path}))


@then("it is refused")
def check_refused(context: Context) -> None:
    assert "it is not trusted" in str(context.world.error)


@given('the examples\' "{name}"')
def use_example(context: Context, name: str) -> None:
    hooks_of(context).hooks = files.example(name)
    log = files.EXAMPLES / "audit.jsonl"
    context.world.defer(lambda: log.unlink(missing_ok=True))


@when("the hook file is read")
def read_file(context: Context) -> None:
    with context.world.catching():
        files.load(hooks_of(context))


@when("the hook file is read, trusted as it is")
def read_trusted(context: Context) -> None:
    story = hooks_of(context)
    files.load(story)
    story.outcome = story.hooks.digest()
    files.load(story, trust=story.outcome)


@when("the hook file is read, with the same trust")
def read_again(context: Context) -> None:
    with context.world.catching():
        files.load(hooks_of(context), trust=hooks_of(context).trusted)


@when('the script "{name}" is changed')
def change_script(context: Context, name: str) -> None:
    story = hooks_of(context)
    story.trusted = story.outcome
    with story.file(name).open("a") as script:
        script.write("# changed\n")


@when('the script "{name}" is deleted')
def delete_script(context: Context, name: str) -> None:
    hooks_of(context).file(name).unlink()


@when("no file may be read any more")
def forbid_reading(context: Context) -> None:
    refusal = PermissionError(errno.EACCES, "Permission denied", "guard.sh")
    context.world.use(patch.object(Path, "read_bytes", side_effect=refusal))


@then('digests of all hooks are refused with "{text}"')
def check_no_digests(context: Context, text: str) -> None:
    with context.world.catching():
        hooks_of(context).hooks.digest()
    assert text in str(context.world.error_of(ConfigurationError)), context.world.error


@then("the report of the file has no digest of a hook")
def check_no_digest(context: Context) -> None:
    assert files.digests(hooks_of(context)) == [None]


@then("the digests of {count:d} scripts are the same when they are made again, and another when one is changed")
def check_many_digests(context: Context, count: int) -> None:
    files.check_many_digests(hooks_of(context), count)


@when("the tool {tool:w} has answered")
async def tool_answered(context: Context, tool: str) -> None:
    await files.tell_tool(hooks_of(context), tool)


@when('a message "{text}" is shown to the end')
async def show_message(context: Context, text: str) -> None:
    with redirect_stdout(StringIO()) as out:
        await moments.show(hooks_of(context), text)
        await hooks_of(context).run_hooks.drain_messages(hooks_of(context).context)
    hooks_of(context).outcome = out.getvalue()


@then('"{text}" was printed')
def check_printed(context: Context, text: str) -> None:
    assert hooks_of(context).outcome == f"{text}\n", hooks_of(context).outcome


@then("the example's log holds")
def check_log(context: Context) -> None:
    line = json.loads((files.EXAMPLES / "audit.jsonl").read_text())
    assert [line[row["key"]] for row in context.table] == [row["value"] for row in context.table], line


@then("reading it fails with")
def check_problems(context: Context) -> None:
    found = files.problems_of(context.world.error)
    assert files.agree(found, [row.as_dict() for row in context.table]), found


@then("it holds {count:d} hooks, and these entries were left out")
def check_kept(context: Context, count: int) -> None:
    story, found = hooks_of(context), files.kept_problems(hooks_of(context))
    assert files.agree(found, [row.as_dict() for row in context.table]), found
    assert len(story.hooks.hooks) == count, story.hooks
    assert len(story.warnings) >= len(found)


@then("it holds {count:d} hooks")
def check_count(context: Context, count: int) -> None:
    assert len(hooks_of(context).hooks.hooks) == count, hooks_of(context).hooks


@then("the report of the file says {report:jsonvalue}")
def check_report(context: Context, report: Any) -> None:
    assert files.checked(hooks_of(context)) == report, files.checked(hooks_of(context))


@then("trying {event:w} with {payload:jsonvalue} reports")
def check_tried(context: Context, event: str, payload: Any) -> None:
    asyncio.set_event_loop(None)
    found = files.tried(hooks_of(context), event, payload)
    rows = [{key: str(getattr(one, key)).strip() for key in context.table.headings} for one in found]
    assert rows == [row.as_dict() for row in context.table], rows
