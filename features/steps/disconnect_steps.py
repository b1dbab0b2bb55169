"""Steps about clients that leave a server in a process of its own."""

from __future__ import annotations

from behave import given, then, when
from behave.runner import Context

from features.lib import disconnecting as lib
from features.lib.bench import bench


def visited(context: Context) -> lib.Visited:
    (found,) = bench(context).stories
    return found


@given("a server process that {kind:w} {how}")
def server_process(context: Context, kind: str, how: str) -> None:
    bench(context).notes.clear()
    bench(context).stories.append(lib.start(bench(context), kind))


@when("{count:d} clients of the process ask, read a little, and leave")
async def clients_leave(context: Context, count: int) -> None:
    await lib.visit_all(visited(context), count)


@then("every run of the process was billed")
def all_billed(context: Context) -> None:
    assert visited(context).books[-1]["ended"] == visited(context).visits, visited(context).books


@then("the process has no more tasks, sockets, threads and memory than half-way")
def nothing_grew(context: Context) -> None:
    lib.check_books(visited(context))
