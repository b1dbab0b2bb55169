"""Steps about runs as responses, and about the browsers that read them or leave."""

from __future__ import annotations

from behave import given, then, when
from behave.runner import Context

from features.lib import event_browsers as lib
from features.lib.event_frames import stage


@given("a server of ASGI {spec}")
def set_spec(context: Context, spec: str) -> None:
    stage(context).spec = spec


@when("a browser reads the response to the end")
async def read_response(context: Context) -> None:
    stage(context).browser = await lib.answer(stage(context).spec, stage(context).script)


@then("its headers are those of an event stream that nobody may hold back")
def check_headers(context: Context) -> None:
    headers = stage(context).browser.headers
    assert headers["content-type"].startswith("text/event-stream") and "content-length" not in headers
    assert (headers["cache-control"], headers["x-accel-buffering"]) == ("no-cache", "no")


@then("it has read {count:d} frames, the run is closed, and the background task has run")
def check_read(context: Context, count: int) -> None:
    browser = stage(context).browser
    assert len(browser.bodies) == count and browser.sent[-1]["more_body"] is False, browser.sent
    assert stage(context).script.closed.is_set() and browser.background_ran


@when("a browser leaves after {count:d} frames, with a ping of {ping:g} s")
async def leave_response(context: Context, count: int, ping: float) -> None:
    await lib.answer(stage(context).spec, stage(context).script, count, ping=ping)


@when("the scope of the response is cancelled")
async def cancel_scope(context: Context) -> None:
    await lib.answer_in_scope(stage(context).spec, stage(context).script)


@when("the scope of the response is cancelled while its head is being sent")
async def cancel_scope_early(context: Context) -> None:
    await lib.cancel_early(stage(context).spec, stage(context).script)


@when("the head of the response is asked for")
async def ask_head(context: Context) -> None:
    await lib.answer(stage(context).spec, stage(context).script, method="HEAD")


@when("a client leaves a real server after the first text")
async def leave_server(context: Context) -> None:
    assert b"text/event-stream" in await lib.leave_stream(stage(context).script)


@when("a client leaves a real server's handler")
async def leave_handler(context: Context) -> None:
    stage(context).told = list(await lib.leave_handler(stage(context).script))


@then('the handler was told "{reason}", and could read the body all the same')
def check_handler(context: Context, reason: str) -> None:
    assert stage(context).told == [reason, {"a": 1}], stage(context).told


@then("the signal of a request that is lost is aborted, and that of one read as a stream is not")
async def check_bodies(context: Context) -> None:
    assert await lib.signal_after({"type": "http.disconnect"}, streamed=False)
    assert not await lib.signal_after({"type": "http.request", "body": b"x", "more_body": False}, streamed=True)


@then('importing the web room without Starlette fails with "{text}"')
def check_extra(context: Context, text: str) -> None:
    assert text in lib.import_without("starlette"), lib.import_without("starlette")
    assert text not in lib.import_without("anyio")
