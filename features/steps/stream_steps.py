"""Steps about streams: their texts, their ends, and how they are left."""

from __future__ import annotations

from behave import given, register_type, then, when
from behave.runner import Context
from parse import with_pattern

from features.lib import leaving as lib
from features.lib import tokens
from features.lib.bench import as_json, bench, soon


@with_pattern("|".join(lib.UNUSED))
def unused(string: str) -> str:
    return string


register_type(unused=unused)


@then("the stream's texts are {texts}")
def texts_are(context: Context, texts: str) -> None:
    assert bench(context).texts == as_json(texts), bench(context).texts


@then("the stream has {count:d} texts")
def texts_count(context: Context, count: int) -> None:
    assert len(bench(context).texts) == count, bench(context).texts


@then("the stream has several texts")
def several_texts(context: Context) -> None:
    assert len(bench(context).texts) > 2 and all(bench(context).texts), bench(context).texts


@then("the stream carries the same bill")
def stream_result(context: Context) -> None:
    stream = bench(context).stream
    assert stream is not None and stream.result is bench(context).result


@given("a shared budget of {tokens:d} tokens")
def shared_budget(context: Context, tokens: int) -> None:
    lib.use_budget(bench(context), tokens)


@given("a custom agent that yields a text, asks its model, and yields what it said")
def use_teller(context: Context) -> None:
    lib.use_teller(bench(context))


@when("the stream is {way} after {count:d} texts")
async def leave_after(context: Context, way: str, count: int) -> None:
    await lib.WAYS[way](bench(context), count, True)


@when("the stream is {way} before its next step")
async def leave_between(context: Context, way: str) -> None:
    await lib.WAYS[way](bench(context), 1, False)


@when("the stream is broken out of at its chunk")
async def leave_at_chunk(context: Context) -> None:
    await lib.broken_out_of(bench(context), 1, False)


@when("the stream is closed when its usage has been told")
async def leave_after_usage(context: Context) -> None:
    await lib.closed(bench(context), 1, True)


@when("a stream is {unused:unused}")
async def not_begun(context: Context, unused: str) -> None:
    await lib.UNUSED[unused](bench(context))


@when("a stream is aborted, and then read")
async def abort_and_read(context: Context) -> None:
    stream = bench(context).open_stream()
    stream.abort("changed my mind")
    await bench(context).read(stream)


@when("a stream is read, and read again")
async def read_again(context: Context) -> None:
    await lib.read_again(bench(context))


@when("a second task reads a stream that the first one waits for")
async def read_by_two(context: Context) -> None:
    await lib.read_by_two(bench(context))


@then("the second one is told that another task reads it")
def told_of_other(context: Context) -> None:
    assert "another task" in bench(context).notes[-1], bench(context).notes


@then("the second reading gave nothing")
def second_reading(context: Context) -> None:
    assert bench(context).notes == [[]]


@then("the bill holds what was streamed")
def holds_streamed(context: Context) -> None:
    lib.check_streamed(bench(context))


@then("nothing is left of the run")
async def nothing_left(context: Context) -> None:
    await lib.check_nothing_left(bench(context))


@then("it was no run")
def no_run(context: Context) -> None:
    assert bench(context).billed == [] and bench(context).executor.last_result is None
    assert not bench(context).provider.requests
    stream = bench(context).stream
    assert stream is None or stream.result is None


@then("the custom agent's stream was closed")
async def teller_closed(context: Context) -> None:
    await soon(lambda: lib.Teller.closed == [bench(context).result.run_id])


@given("streaming in the file is {mode}")
def streaming_in_file(context: Context, mode: str) -> None:
    bench(context).keys["streaming"] = as_json(mode)


@given("streaming of the host is {mode}")
def streaming_of_host(context: Context, mode: str) -> None:
    bench(context).options["streaming"] = as_json(mode)


@given("streaming of the run is {mode}")
def streaming_of_run(context: Context, mode: str) -> None:
    bench(context).run_options["streaming"] = as_json(mode)


@given("a model whose turns are {turns}")
def scripted_model(context: Context, turns: str) -> None:
    tokens.use_turns(bench(context), as_json(turns))


@given("a model that writes {pieces:d} pieces as fast as it can")
def torrent(context: Context, pieces: int) -> None:
    tokens.use_torrent(bench(context), pieces)


@when("its stream is read slowly")
async def read_slowly(context: Context) -> None:
    await tokens.read_slowly(bench(context))


@when("the actor is asked as a stream whose consumer takes longer than stream_idle_timeout")
async def read_late(context: Context) -> None:
    await tokens.read_late(bench(context))


@when("a stream is read, and a second one is begun")
async def begin_second(context: Context) -> None:
    await tokens.begin_second(bench(context))


@when("the overriding agent is asked as a stream of tokens")
async def stream_step(context: Context) -> None:
    await tokens.stream_step(bench(context))


@then('the stream\'s texts make "{text}"')
def texts_make(context: Context, text: str) -> None:
    assert "".join(bench(context).texts) == text.replace("⏎", "\n"), bench(context).texts


@then("the model was never more than {count:d} pieces ahead")
def never_ahead(context: Context, count: int) -> None:
    assert bench(context).notes[-1] <= count, bench(context).notes[-1]


@then("all {count:d} pieces arrived, in order")
def all_arrived(context: Context, count: int) -> None:
    assert "".join(bench(context).texts) == "".join(f"{number} " for number in range(count))


@then("while it runs the context has no tokens of the first")
def no_old_tokens(context: Context) -> None:
    assert bench(context).notes == [(31, 7), (0, 0), (0, 0)], bench(context).notes
