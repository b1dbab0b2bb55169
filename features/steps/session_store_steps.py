"""Steps about stores of sessions."""

from __future__ import annotations

from behave import given, then, when
from behave.runner import Context

from cleveractors import SessionConflictError
from cleveractors.sessions import MemorySessions
from features.lib import session_stores as lib
from features.lib.bench import as_json, bench


@given("a session store of the kind {kind:w}")
def store_of_kind(context: Context, kind: str) -> None:
    bench(context).notes.append(lib.new_store(context.world, kind))


@given("a session store of the kind memory for {count:d} session")
def small_store(context: Context, count: int) -> None:
    bench(context).notes.append(MemorySessions(max_sessions=count))


def store_of(context: Context) -> lib.Store:
    return bench(context).notes[0]


@when("two runs that have read the same append to the session")
async def append_twice_at(context: Context) -> None:
    with context.world.catching():
        await lib.append_twice_at(store_of(context))


@when("a run is appended, then another one, then the first one again")
async def append_again(context: Context) -> None:
    bench(context).notes += await lib.append_again(store_of(context))


@when("{threads:d} threads append {runs:d} runs each, and read anew after each conflict")
async def write_from_threads(context: Context, threads: int, runs: int) -> None:
    await lib.write_from_threads(store_of(context), threads, runs)


@when("{processes:d} processes append {runs:d} runs each, and read anew after each conflict")
def write_from_processes(context: Context, processes: int, runs: int) -> None:
    lib.write_from_processes(store_of(context), processes, runs)


@when("a run is appended, and the session is forgotten")
async def append_and_forget(context: Context) -> None:
    await lib.append_again(store_of(context))
    await store_of(context).forget(lib.SESSION)


@when("a run is appended, another session is used, and the first one goes on")
async def return_after_eviction(context: Context) -> None:
    bench(context).notes.append(await lib.return_after_eviction(store_of(context)))


@when("a run is appended, and {count:d} other sessions are used")
async def use_others(context: Context, count: int) -> None:
    await lib.append_again(store_of(context))
    for number in range(count):
        await store_of(context).append(f"other {number}", lib.said("hi"), position=0, run_id="r")


@when("{count:d} runs are appended, and the last one again")
async def append_many(context: Context, count: int) -> None:
    bench(context).notes += await lib.append_many(store_of(context), count)


@then("it was known, and the session goes on")
async def was_known(context: Context) -> None:
    first, again = bench(context).notes[1:]
    assert first == again
    await store_of(context).append(lib.SESSION, lib.said("on"), position=again, run_id="on")


@when("a run is appended, and a row of it is damaged")
async def append_and_damage(context: Context) -> None:
    await lib.append_again(store_of(context))
    await lib.damage(store_of(context))


@when("a load of the session is cancelled")
async def cancel_load(context: Context) -> None:
    with context.world.catching(BaseException):
        await lib.cancel_load(store_of(context))


@when("a memory store is made with {bound:w} {value:d}")
def make_memory(context: Context, bound: str, value: int) -> None:
    with context.world.catching():
        MemorySessions(**{bound: value})


@when("sessions are read from {file}")
async def read_from(context: Context, file: str) -> None:
    with context.world.catching():
        await lib.read_from(context.world, file)


@when("sessions are kept in a file without aiosqlite")
def without_library(context: Context) -> None:
    with context.world.catching():
        lib.without_library(context.world)


@then("a session that nobody has written to has nothing, at position 0")
async def has_nothing(context: Context) -> None:
    messages, position = await store_of(context).load(lib.SESSION)
    assert (list(messages), position) == ([], 0), (messages, position)


@then("a stored conversation comes back equal, message for message")
async def comes_back(context: Context) -> None:
    await lib.check_round_trip(store_of(context), lib.messages_of(lib.EVERY_KIND))


@then("texts that no wire carries come back equal")
async def odd_comes_back(context: Context) -> None:
    await lib.check_round_trip(store_of(context), lib.odd_texts())


@then("the second is refused with a SessionConflictError that names both positions")
def second_refused(context: Context) -> None:
    text = str(context.world.error_of(SessionConflictError))
    assert "read up to position 0 and now ends at 2" in text, text


@then("only the first one's messages are stored")
async def only_first(context: Context) -> None:
    assert await lib.texts(store_of(context)) == ["first"]


@then("its second append has returned the position of its first")
def same_position(context: Context) -> None:
    _, first, again = bench(context).notes
    assert first == again == 2


@then("both runs are stored once")
async def both_once(context: Context) -> None:
    assert await lib.texts(store_of(context)) == ["first", "second"]


@then("for {count:d} drawn orders of three writers the session is what an honest list would be")
def drawn_orders(context: Context, count: int) -> None:
    lib.check_drawn_orders(context.world, store_of(context), count)


@then("all {count:d} runs are stored once")
async def all_once(context: Context, count: int) -> None:
    await lib.check_all_once(store_of(context), count)


@then("for {count:d} drawn uses of a memory store its bounds are kept, and each session is valid")
def bounds_kept(context: Context, count: int) -> None:
    lib.check_bounds(context.world, count)


@then("its append was no conflict")
async def no_conflict(context: Context) -> None:
    assert await lib.texts(store_of(context)) == ["second"]
    assert bench(context).notes[1] == 4


@then("the call of the store is cancelled")
def is_cancelled(context: Context) -> None:
    assert type(context.world.error).__name__ == "CancelledError", context.world.error


@then("the damaged row is read as {entry}")
async def damaged_row(context: Context, entry: str) -> None:
    messages, position = await store_of(context).load(lib.SESSION)
    assert messages[0] == as_json(entry) and (len(messages), position) == (4, 4), messages


@then('the session store is refused with "{text}"')
def store_refused(context: Context, text: str) -> None:
    lib.check_refused(context.world.error, text)
