"""Steps about where a key goes."""

from __future__ import annotations

import os

from behave import given, then, when
from behave.runner import Context

from features.lib.endpoints import KEY, endpoints, page_is_current


@given("a house whose key belongs to one server, beside another server")
def stand(context: Context) -> None:
    endpoints(context)


@given("the key's credential lists the other server too")
def list_other(context: Context) -> None:
    endpoints(context).listed = True


@given("the environment of the process names the other server and a key")
def set_environment(context: Context) -> None:
    named = {"OPENAI_BASE_URL": endpoints(context).other.base_url, "OPENAI_API_KEY": "sk-of-the-environment"}
    before = {name: os.environ.get(name) for name in named}
    os.environ.update(named)
    context.world.defer(lambda: [os.environ.pop(name) for name, value in before.items() if value is None])


@when("a file that names {place} is run there")
async def run_file(context: Context, place: str) -> None:
    house = endpoints(context)
    url = {"the other server": house.other.base_url, "its own server": house.own.base_url}.get(place)
    await house.ask({"model": "m", **({"base_url": url} if url else {})})


@when("a file whose fallback names the other server is run there")
async def run_fallback(context: Context) -> None:
    house = endpoints(context)
    await house.ask({"model": "m", "fallbacks": [{"model": "m2", "base_url": house.other.base_url}]})


@when("a run brings a key of its own")
async def run_own_key(context: Context) -> None:
    house = endpoints(context)
    own = {"openai": "sk-of-the-run"}
    with context.world.catching(Exception):
        await house.ask({"model": "m", "base_url": house.own.base_url}, credentials=own)


@then("the other server has seen nothing, and the key's own {count:d} requests with it")
def check_seen(context: Context, count: int) -> None:
    house = endpoints(context)
    assert not house.other.requests, house.other.requests
    assert house.seen(house.own) == [KEY] * count, house.seen(house.own)


@then("the other server has seen the key in {count:d} requests")
def check_listed(context: Context, count: int) -> None:
    house = endpoints(context)
    assert house.seen(house.other) == [KEY] * count, house.seen(house.other)


@then("the file is refused for its address")
def check_refused(context: Context) -> None:
    text = str(context.world.error)
    assert "base_url" in text and KEY not in text, text


@then("no server has seen the house's key")
def check_unseen(context: Context) -> None:
    house = endpoints(context)
    context.world.error  # noqa: B018 - looked at: the run's own key may have no endpoint here
    assert KEY not in house.seen(house.own) + house.seen(house.other)


@then("the page of the language says what the models say")
def check_page(context: Context) -> None:
    assert page_is_current(), "docs/language.md is not what reference_markdown() makes"
