"""Steps about logs of usage."""

from __future__ import annotations

import json

from behave import given, then, when
from behave.runner import Context

from features.lib import usage_logs as lib
from features.lib.bench import as_json, bench


def logs_of(context: Context) -> lib.Logs:
    stories = bench(context).stories
    if not stories:
        stories.append(lib.Logs(bench(context)))
    return stories[0]


@given("rows go into a log")
def use_log(context: Context) -> None:
    bench(context).options["on_usage"] = logs_of(context).open()


@given("rows go into a log with fsync {fsync:w}")
def use_fsync_log(context: Context, fsync: str) -> None:
    bench(context).options["on_usage"] = logs_of(context).open(fsync=fsync == "on")


@given("rows go into a log that was closed")
def use_closed_log(context: Context) -> None:
    log = bench(context).options["on_usage"] = logs_of(context).open()
    log.close()


@given("a log of {count:d} rows")
def log_of_rows(context: Context, count: int) -> None:
    logs_of(context).write(lib.row(f"row-{number}") for number in range(count))


@given("a log of {count:d} rows whose last line is torn {where}")
def torn_log(context: Context, count: int, where: str) -> None:
    log_of_rows(context, count)
    logs_of(context).tear(where)


@given("these lines are in it")
def lines_in_log(context: Context) -> None:
    logs_of(context).append(line["line"] for line in context.table)


@given('the last row is there once more, with a revision of 9 and the field "{field}"')
def later_row(context: Context, field: str) -> None:
    logs_of(context).repeat(field)


@given("a log with the rows")
def log_with(context: Context) -> None:
    logs_of(context).write(
        lib.row_of(number, dict(zip(context.table.headings, cells, strict=True)))
        for number, cells in enumerate(context.table)
    )


@when("the actor is asked, and calls of fsync are counted")
async def count_fsync(context: Context) -> None:
    bench(context).notes.append(await lib.count_fsync(bench(context).ask))


@when("{count:d} more rows are appended by a new log")
def append_more(context: Context, count: int) -> None:
    logs_of(context).write(lib.row(f"more-{number}") for number in range(count))


@when("a row is written half, and 2 more whole")
def write_half(context: Context) -> None:
    logs_of(context).write_half()


@when("{processes:d} processes write {each:d} rows each to one log")
def write_from_processes(context: Context, processes: int, each: int) -> None:
    lib.write_from_processes(logs_of(context), processes, each)


@when("a process is killed while its provider answers")
async def kill_in_call(context: Context) -> None:
    await lib.kill_in_call(logs_of(context))


@then("the log has {count:d} lines, and reads as the bill's rows")
def log_reads_as_bill(context: Context, count: int) -> None:
    lines = logs_of(context).path.read_text().splitlines()
    assert len(lines) == count, lines
    assert logs_of(context).rows == list(bench(context).result.invocations)


@then('the log says nothing of "{words}"')
def log_is_silent(context: Context, words: str) -> None:
    text = logs_of(context).path.read_text()
    assert text and not [word for word in words.split(", ") if word in text], text


@then('each of its rows has the tenant "{tenant}" and the metadata {metadata}')
def rows_have_labels(context: Context, tenant: str, metadata: str) -> None:
    for row in logs_of(context).rows:
        assert (row.tenant, row.metadata) == (tenant, as_json(metadata)), row


@then("the log's mode is {mode}")
def log_mode(context: Context, mode: str) -> None:
    assert oct(logs_of(context).path.stat().st_mode)[-3:] == mode


@then("there were {count:d} of them")
def counted(context: Context, count: int) -> None:
    assert bench(context).notes == [count], bench(context).notes


@then("the half one was an OSError")
def half_failed(context: Context) -> None:
    assert isinstance(logs_of(context).error, OSError), logs_of(context).error


@then("it reads as {count:d} rows")
def reads_as(context: Context, count: int) -> None:
    assert len(logs_of(context).rows) == count, logs_of(context).rows


@then("it reads as {count:d} rows, and every line is whole")
def reads_whole(context: Context, count: int) -> None:
    # Whoever opens the log while another writes may take that line for torn, and close it off by an empty one.
    lines = [line for line in logs_of(context).path.read_text().splitlines() if line]
    assert len({json.loads(line)["id"] for line in lines}) == len(lines) == count, len(lines)
    assert len(logs_of(context).rows) == count


@then("the sums have 1 open call of no tokens")
def one_open(context: Context) -> None:
    assert lib.sums_of(logs_of(context), ["calls", "open_calls", "total_tokens"]) == [["1", "1", "0"]]


@then("its sums are")
def sums_are(context: Context) -> None:
    found = lib.sums_of(logs_of(context), context.table.headings)
    assert found == [list(row) for row in context.table], found
