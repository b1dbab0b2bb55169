"""Many runs at a time, each billed differently, and who reads which result."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from cleveractors import ActorResult, Budget, TokenUsage, last_token_usage_var, result_of
from cleveractors.testing import RecordedRequest, StatusFault, Turn
from features.lib.bench import Bench
from features.lib.failing import check_paired


@dataclass(frozen=True)
class Told:
    """What one task learned of its own run."""

    number: int
    result: ActorResult[Any] | None
    error: Exception | None
    last: ActorResult[Any] | None
    usage: TokenUsage | None


def number_of(request: RecordedRequest) -> int:
    """The number of the question in a request."""
    return next(int(found[1]) for one in request.messages if (found := re.search(r"question (\d+)", str(one))))


def use_counting_provider(bench: Bench) -> None:
    """A provider that asks for the weather once, then answers; every question costs something else."""

    def respond(request: RecordedRequest) -> Turn | StatusFault:
        number = number_of(request)
        rounds = sum(message["role"] == "tool" for message in request.messages)
        if rounds and number % 3 == 0:
            return StatusFault(400)
        costs: dict[str, Any] = {"prompt_tokens": 1000 * (rounds + 1) + number, "completion_tokens": number + 1}
        if rounds:
            return Turn(f"The answer to {number}.", **costs)
        return Turn(calls=[("get_weather", {"city": f"City {number}"})], **costs)

    bench.provider.respond(respond)
    bench.declare(["get_weather"])
    bench.options["budgets"] = [Budget(max_tokens=100_000_000, name="house")]


def expected(number: int) -> TokenUsage:
    """What a question costs in all."""
    if number % 3 == 0:
        return TokenUsage(1000 + number, number + 1)
    return TokenUsage(3000 + 2 * number, 2 * number + 2)


async def ask_one(bench: Bench, number: int, *, streamed: bool = False) -> Told:
    """One question in the caller's task."""
    result = error = None
    try:
        if streamed:
            stream = bench.executor.execute_stream(f"question {number}", **bench.run_options)
            _ = [text async for text in stream]
            result = stream.result
        else:
            result = await bench.executor.execute(f"question {number}", **bench.run_options)
    except Exception as caught:
        error = caught
    result = result or result_of(error) if error else result
    return Told(number, result, error, bench.executor.last_result, last_token_usage_var.get())


async def ask_many(bench: Bench, count: int, *, streamed: bool = False) -> None:
    """Many questions at the same time."""
    tasks = [asyncio.create_task(ask_one(bench, number, streamed=streamed)) for number in range(count)]
    bench.notes += await asyncio.gather(*tasks)


def check_own(told: list[Told], answered: int, failed: int) -> None:
    """Each run has its own bill, and only its own rows."""
    assert Counter(one.error is None for one in told) == {True: answered, False: failed}
    for one in told:
        assert one.result is not None and (one.error is not None) == (one.number % 3 == 0)
        assert {row.run_id for row in one.result.invocations} == {one.result.run_id}
        assert (one.result.prompt_tokens, one.result.completion_tokens) == expected(one.number), one
        answers = check_paired(one.result.messages)
        assert answers["get_weather"] == f"rain in City {one.number}", answers
        assert one.error is not None or one.result.response == f"The answer to {one.number}."


def check_reads(told: list[Told]) -> None:
    """Each task read its own."""
    for one in told:
        assert one.last is one.result and one.usage == expected(one.number), one


def check_budget(bench: Bench) -> None:
    """The shared budget holds nothing and has spent what was billed."""
    budget: Budget = bench.options["budgets"][0]
    totals = bench.provider.totals()
    assert budget.reserved == 0
    assert budget.spent == totals.prompt_tokens + totals.completion_tokens, (budget, totals)


# Stories of the last result: each returns what was read.

Look = Callable[[Bench], Awaitable[object]]


async def _ask(bench: Bench, number: int) -> None:
    bench.notes.append((await ask_one(bench, number)).result)


async def _look(bench: Bench) -> object:
    return bench.executor.last_result


async def no_run(bench: Bench) -> object:
    return bench.executor.last_result


async def a_run(bench: Bench) -> object:
    await _ask(bench, 1)
    return bench.executor.last_result


async def two_runs(bench: Bench) -> object:
    await _ask(bench, 1)
    await _ask(bench, 2)
    return bench.executor.last_result


async def failed_run(bench: Bench) -> object:
    await _ask(bench, 3)
    return bench.executor.last_result


async def run_in_task(bench: Bench) -> object:
    await asyncio.create_task(_ask(bench, 1))
    return bench.executor.last_result


async def gathered(bench: Bench) -> object:
    await asyncio.gather(_ask(bench, 1), _ask(bench, 2))
    return bench.executor.last_result


async def run_then_task(bench: Bench) -> object:
    await _ask(bench, 1)
    await asyncio.create_task(_ask(bench, 2))
    return bench.executor.last_result


async def run_then_other(bench: Bench) -> object:
    await _ask(bench, 1)
    return await asyncio.create_task(_look(bench))


async def two_then_other(bench: Bench) -> object:
    await two_runs(bench)
    return await asyncio.create_task(_look(bench))


async def run_then_thread(bench: Bench) -> object:
    await _ask(bench, 1)
    return await asyncio.to_thread(lambda: bench.executor.last_result)


async def two_then_thread(bench: Bench) -> object:
    await two_runs(bench)
    return await asyncio.to_thread(lambda: bench.executor.last_result)


async def left_stream(bench: Bench) -> object:
    async with bench.open_stream("question 1") as stream:
        await anext(stream)
    bench.notes.append(stream.result)
    return bench.executor.last_result


async def dropped_streams(bench: Bench) -> object:
    for number in (1, 2):
        stream = bench.executor.execute_stream(f"question {number}", streaming="tokens")
        await anext(stream)
        run_id = stream.run_id
        del stream
        last = bench.executor.last_result
        assert last is not None and last.run_id == run_id, last
        bench.notes.append(last)
    return bench.executor.last_result


async def unbegun_stream(bench: Bench) -> object:
    stream = bench.open_stream("question 1")
    await stream.aclose()
    return bench.executor.last_result


STORIES: dict[str, Look] = {
    "no run": no_run,
    "a run": a_run,
    "two runs": two_runs,
    "a failed run": failed_run,
    "a run in a task": run_in_task,
    "two runs in a gather": gathered,
    "a run, then one in a task": run_then_task,
    "a run, then a look from another task": run_then_other,
    "two runs, then a look from another task": two_then_other,
    "a run, then a look from a thread": run_then_thread,
    "two runs, then a look from a thread": two_then_thread,
    "a stream that was left": left_stream,
    "two streams that were dropped": dropped_streams,
    "a stream that never began": unbegun_stream,
}


async def ask_two_executors(bench: Bench) -> None:
    """Two executors, one after the other, in one task."""
    other = bench.make()
    first = await bench.executor.execute("question 1")
    second = await other.execute("question 2")
    bench.notes.append((bench.executor.last_result is first, other.last_result is second))
