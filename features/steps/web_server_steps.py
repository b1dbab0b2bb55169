"""Steps about a real web server whose clients leave."""

from __future__ import annotations

from behave import given, then, when
from behave.runner import Context

from features.lib import asgi as lib
from features.lib.bench import bench


@given("a provider that stands still in the middle of every answer")
def standing_provider(context: Context) -> None:
    lib.use_standing_provider(bench(context))


@given("a web server that {kind}, and streams the actor's tokens")
def web_server(context: Context, kind: str) -> None:
    bench(context).notes.append(lib.start_server(bench(context), kind))


@when("{count:d} clients ask, read a little, and leave")
async def clients_leave(context: Context, count: int) -> None:
    await lib.visit_often(bench(context).notes[0], count)


@then("{count:d} bills were delivered, each with its own rows and none of them open")
def bills_delivered(context: Context, count: int) -> None:
    lib.check_bills(bench(context), count)


@then("at most {count:d} connection to the provider is open")
def few_connections(context: Context, count: int) -> None:
    assert bench(context).provider.open_connections <= count, bench(context).provider.open_connections


@then("the server has as many tasks and open files as after the first client")
def server_unchanged(context: Context) -> None:
    books = bench(context).notes[0].books
    assert len(books) == 2 and books[1] <= books[0], books


@then("no reservation is left in the house's budget")
def nothing_reserved(context: Context) -> None:
    assert bench(context).options["budgets"][0].reserved == 0
