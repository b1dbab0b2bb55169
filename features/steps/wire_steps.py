"""Steps about a client of the scripted provider, and the bytes it gets."""

from __future__ import annotations

import json
from urllib.parse import urlsplit

from behave import given, then, when
from behave.runner import Context

from cleveractors.testing import refused_base_url
from features.lib.provider_stage import at, stage, transcript
from features.lib.wire_client import WireClient


@when("a client of it asks {count:d} times with {body}")
async def ask_often(context: Context, count: int, body: str) -> None:
    for _ in range(count):
        await stage(context).ask(stage(context).value(body))


@when("a client of it asks with {body} and the headers {headers}")
async def ask_headers(context: Context, body: str, headers: str) -> None:
    await stage(context).ask(stage(context).value(body), stage(context).value(headers))


@when("a client of it asks with {body}")
async def ask_with(context: Context, body: str) -> None:
    await stage(context).ask(stage(context).value(body))


@when("a client of it asks")
async def ask(context: Context) -> None:
    await stage(context).ask({})


@when("a client of it asks for a stream")
async def ask_stream(context: Context) -> None:
    await stage(context).ask({"stream": True, "stream_options": {"include_usage": True}})


@when("a client of it asks for a stream without usage")
async def ask_stream_only(context: Context) -> None:
    await stage(context).ask({"stream": True})


@when("{count:d} clients of it ask at once with {body}")
async def ask_together(context: Context, count: int, body: str) -> None:
    await stage(context).ask_together(count, stage(context).value(body))


@given("a client of it that waits for the answer to {body}")
@when("a client of it waits for the answer to {body}")
async def ask_and_wait(context: Context, body: str) -> None:
    await stage(context).connect()
    await stage(context).send_chat(stage(context).value(body))


@when("a client of it sends in pieces {data}, of {size:d} bytes each")
async def send_pieces(context: Context, data: str, size: int) -> None:
    await stage(context).send_pieces(stage(context).value(data), size)


@when("a client of it sends {data}")
async def send(context: Context, data: str) -> None:
    await stage(context).send(stage(context).value(data))


@when("the provider has taken all that was sent")
async def taken_all(context: Context) -> None:
    await stage(context).probe()


@when("a client of it only sends {data}")
async def only_send(context: Context, data: str) -> None:
    await (await stage(context).connected()).send(stage(context).value(data))


@when("that client reads on")
async def read_on(context: Context) -> None:
    await stage(context).read(stage(context).client)


@when("that client has read {marker}")
async def read_until(context: Context, marker: str) -> None:
    await stage(context).client.receive_until(marker.encode())


@when("that client leaves")
def leave(context: Context) -> None:
    stage(context).client.leave()


@when("that client leaves by a reset")
def leave_reset(context: Context) -> None:
    stage(context).client.leave(reset=True)


@when("that client says that it sends no more")
def finish(context: Context) -> None:
    stage(context).client.finish_sending()


@when("a client of it that does not read asks for {path}")
async def not_reading(context: Context, path: str) -> None:
    client = await stage(context).connect(receive_buffer=4096)
    await client.send(f"GET {path} HTTP/1.1\r\n\r\n".encode())
    await stage(context).provider.wait_requests_async(1)


@when("a client of it that does not read waits for the answer to {body}")
async def not_reading_chat(context: Context, body: str) -> None:
    await stage(context).connect(receive_buffer=4096)
    await stage(context).send_chat(stage(context).value(body))


@then("the response is a {status:d}")
def status_is(context: Context, status: int) -> None:
    assert stage(context).last.status == status, stage(context).last


@then("the response is a {status:d} that says {text}")
def status_says(context: Context, status: int, text: str) -> None:
    last = stage(context).last
    assert last.status == status and text in last.document["error"]["message"], last


@then("the responses are {statuses}")
def statuses_are(context: Context, statuses: str) -> None:
    found = [one.status for one in stage(context).received]
    assert found == stage(context).value(statuses), found


@then("the response has")
def has(context: Context) -> None:
    document = stage(context).last.document
    for row in context.table:
        found, expected = at(document, row["at"]), ... if row["is"] == "-" else json.loads(row["is"])
        assert found == expected, f"{row['at']} is {found!r}, not {expected!r}"


@then("the body of the response is {data}")
def body_is(context: Context, data: str) -> None:
    assert stage(context).last.body == stage(context).value(data), stage(context).last


@then("the body of the response begins with {data}")
def body_begins(context: Context, data: str) -> None:
    assert stage(context).last.body.startswith(stage(context).value(data)), stage(context).last


@then("the response has the headers {headers}")
def headers_are(context: Context, headers: str) -> None:
    expected, found = stage(context).value(headers), stage(context).last.headers
    assert {name: found.get(name) for name in expected} == expected, found


@then("the response is {ending} after {size:d} bytes of its body")
def ends_after(context: Context, ending: str, size: int) -> None:
    last = stage(context).last
    assert (last.ending, len(last.body)) == (ending, size), last


@then("the response ends {ending}")
def ends(context: Context, ending: str) -> None:
    assert stage(context).last.ending == ending, stage(context).last


@then("the connection is {ending} before any response")
async def no_response(context: Context, ending: str) -> None:
    last = stage(context).last
    assert (last.status, last.ending) == (0, ending), last


@then("the stream of the response is")
def stream_is(context: Context) -> None:
    lines = context.text.replace("⏎", "\n").split("\n")
    found, expected = transcript(stage(context).last.body), [line.strip() for line in lines]
    assert found == expected, "\n".join(["found:", *found])


@then("the packets of the response are {sizes} bytes")
def packets_are(context: Context, sizes: str) -> None:
    found = [len(packet) for packet in stage(context).last.packets]
    assert found == stage(context).value(sizes), f"{found} is not it"


@then("that client's connection is ended")
async def ended(context: Context) -> None:
    assert await stage(context).client.wait_end()


@then("every response tells its own client's {count:d} answers apart")
def all_apart(context: Context, count: int) -> None:
    received = stage(context).received
    assert all(one.status == 200 and one.ending == "complete" for one in received)
    assert len({one.headers["x-request-id"] for one in received}) == count


@then("the bodies miss {missing} bytes of the first, and end {endings}")
def bodies_miss(context: Context, missing: str, endings: str) -> None:
    received = stage(context).received
    assert [len(received[0].body) - len(one.body) for one in received] == stage(context).value(missing), received
    assert [one.ending for one in received] == stage(context).value(endings), received


@then("nothing can connect to the refused address, which is always the same")
async def refused_address(context: Context) -> None:
    address = urlsplit(refused_base_url())
    assert refused_base_url() == address.geturl() and address.path == "/v1" and address.port
    client = WireClient(address.port)
    context.world.defer(client.leave)
    with context.world.catching():
        await client.open()
    context.world.error_of(ConnectionRefusedError)


@then("every response has its number, in order")
def numbered(context: Context) -> None:
    found = [one.headers["x-request-id"] for one in stage(context).received]
    assert found == [f"req_{number:06d}" for number in range(len(found))], found
