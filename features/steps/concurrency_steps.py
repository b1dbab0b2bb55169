"""Steps about many runs at a time, and about the last result."""

from __future__ import annotations

from behave import given, then, when
from behave.runner import Context

from features.lib import concurrency as lib
from features.lib.bench import bench


@given("a provider that bills every question differently, and refuses every third")
def counting_provider(context: Context) -> None:
    lib.use_counting_provider(bench(context))


@when("{count:d} questions are asked at the same time, each in a task of its own")
async def ask_many(context: Context, count: int) -> None:
    await lib.ask_many(bench(context), count)


@when("{count:d} questions are asked at the same time, each as a stream")
async def stream_many(context: Context, count: int) -> None:
    await lib.ask_many(bench(context), count, streamed=True)


@then("{answered:d} were answered and {failed:d} failed, each with the bill of its own question")
def own_bills(context: Context, answered: int, failed: int) -> None:
    lib.check_own(bench(context).notes, answered, failed)


@then("each task read its own last result and its own tokens")
def own_reads(context: Context) -> None:
    lib.check_reads(bench(context).notes)


@then("on_result came {count:d} times, once for each run")
def billed_each(context: Context, count: int) -> None:
    billed = bench(context).billed
    assert len(billed) == len(set(billed)) == count, len(billed)


@then("all bills together equal the provider's ledger")
def all_bills(context: Context) -> None:
    totals = bench(context).provider.totals()
    assert sum(bill.prompt_tokens for bill in bench(context).bills) == totals.prompt_tokens
    assert sum(bill.completion_tokens for bill in bench(context).bills) == totals.completion_tokens


@then("no reservation is left in the shared budget, which has spent what was billed")
def budget_is_even(context: Context) -> None:
    lib.check_budget(bench(context))


@when('the story "{story}" is told')
async def tell(context: Context, story: str) -> None:
    bench(context).ways.last = await lib.STORIES[story](bench(context))  # type: ignore[assignment]


@then("the last result is none")
def last_is_none(context: Context) -> None:
    assert bench(context).ways.last is None, bench(context).ways.last


@then("the last result is of the {place:d}{suffix:w} run")
def last_is_of(context: Context, place: int, suffix: str) -> None:
    assert bench(context).ways.last is bench(context).notes[place - 1], bench(context).ways.last


@when("two executors are asked in one task")
async def ask_two(context: Context) -> None:
    await lib.ask_two_executors(bench(context))


@then("each has the last result of its own run")
def each_own(context: Context) -> None:
    assert bench(context).notes == [(True, True)]
