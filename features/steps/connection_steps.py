"""Steps about the HTTP connections of the OpenAI models."""

from __future__ import annotations

from behave import given, then, when
from behave.runner import Context

from features.lib import connections as lib
from features.lib.bench import bench


@given("connections, {most:d} at most, kept for {seconds:d} seconds")
def make(context: Context, most: int, seconds: int) -> None:
    lib.begin(context, most, seconds)


@when("{count:d} requests to a host follow each other")
@when("{count:d} request to a host follows")
async def one_by_one(context: Context, count: int) -> None:
    await lib.world(context).one_by_one(["one"] * count)


@when("requests to {count:d} hosts follow each other")
async def many_hosts(context: Context, count: int) -> None:
    await lib.world(context).one_by_one([f"host{number}" for number in range(count)])


@when("{count:d} requests to a host are answered at a time")
async def at_a_time(context: Context, count: int) -> None:
    await lib.world(context).at_a_time(count)


@when("a request to a host fails")
async def fails(context: Context) -> None:
    await lib.world(context).fail()


@when("a response of a host can't be closed")
async def stuck(context: Context) -> None:
    await lib.world(context).stick()


@when("{count:d} request to a host follows {seconds:d} seconds later")
async def later(context: Context, count: int, seconds: int) -> None:
    await lib.world(context).later(count, seconds)


@when("a request that waits is cancelled as a connection becomes free")
async def cancelled(context: Context) -> None:
    await lib.world(context).cancel_one()


@when("a request that waits is cancelled before a connection becomes free")
async def cancelled_before(context: Context) -> None:
    await lib.world(context).cancel_one("before")


@when("a request that waits is cancelled and then a connection becomes free")
async def cancelled_first(context: Context) -> None:
    await lib.world(context).cancel_one("and then")


@when("a response of a host is closed twice")
async def closed_twice(context: Context) -> None:
    await lib.world(context).close_twice()


@when("a client of the models gets a page with a query and a login")
async def get_page(context: Context) -> None:
    bench(context).notes[:] = [await lib.get_page(bench(context).provider.base_url)]


@then("the page was asked for with both")
def asked_with_both(context: Context) -> None:
    request = bench(context).notes[0]
    assert request.url.params["a"] == "1" and request.headers["authorization"].startswith("Basic "), request


@when("the connections are closed while a request is answered")
async def closed(context: Context) -> None:
    await lib.world(context).close_busy()


@when("the connections are closed while a request waits")
async def closed_waiting(context: Context) -> None:
    await lib.world(context).close_waiting()


@then("{count:d} connection was {done}")
@then("{count:d} connections were {done}")
def count_of(context: Context, count: int, done: str) -> None:
    lanes = lib.world(context).lanes
    found = len(lanes) if done == "opened" else sum(lane.closed for lane in lanes)
    assert found == count, lanes


@then("the connections have served {counts} requests")
def served(context: Context, counts: str) -> None:
    expected = [int(one) for one in counts.replace(" and ", ", ").split(", ")]
    assert sorted((lane.served for lane in lib.world(context).lanes), reverse=True) == expected


@then("all {count:d} requests were answered")
def answered(context: Context, count: int) -> None:
    assert sum(lane.served for lane in lib.world(context).lanes) == count


@then("the request behind it is answered")
def behind(context: Context) -> None:
    assert lib.world(context).statuses == [200]


@then("a further request is refused")
@then("the request that waits is refused")
async def refused(context: Context) -> None:
    assert await lib.world(context).refusal() == "the HTTP client was closed"
