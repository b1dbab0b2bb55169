"""A thousand jobs, twenty at a time, out of one purse: `python examples/jobs.py [USAGE_LOG]`.

A provider on loopback stands in for the real one: it refuses one job in 250, and keeps a ledger of its own.
"""

import asyncio
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from cleveractors import ActorResult, Budget, Credential, Executor, JsonlUsageLog, create_executor, result_of
from cleveractors.testing import ScriptedProvider, StatusFault, Turn
from cleveractors.testing.provider import RecordedRequest, Step
from cleveractors.usage_log import read_usage_log, sum_usage

JOBS, AT_A_TIME, PURSE = 1_000, 20, 60_000
ACTOR = {
    "model": "gpt-4o-mini",
    "parameters": {"max_tokens": 64},
    "system_prompt": "Sort the review: good, bad or neither. Answer with one word.",
}


async def work(executor: Executor, jobs: Iterator[str], purse: Budget, batch: str) -> list[ActorResult[Any]]:
    """Take one job after the other until none is left. A job that fails ends itself alone, and has its bill too."""
    results: list[ActorResult[Any]] = []
    for job in jobs:
        try:
            results.append(await executor.execute(job, budgets=[purse], metadata={"batch": batch}))
        except Exception as error:
            failed = result_of(error)
            if failed is None:  # it never began: a mistake of ours
                raise
            results.append(failed)
    return results


async def work_all(executor: Executor, purse: Budget, batch: str) -> list[ActorResult[Any]]:
    """So many workers share one iterator: none waits for another, and no job is held in memory before its turn."""
    jobs = iter([f"Review {number}: the parcel came in the rain, and was dry." for number in range(1, JOBS + 1)])
    async with asyncio.TaskGroup() as group:
        workers = [group.create_task(work(executor, jobs, purse, batch)) for _ in range(AT_A_TIME)]
    return [result for worker in workers for result in worker.result()]


def answer(request: RecordedRequest) -> Step:
    """What the stand-in for the provider says."""
    number = int(request.messages[-1]["content"].split(":")[0].split()[-1])
    return StatusFault(400) if number % 250 == 0 else Turn("good", prompt_tokens=60 + number % 10, completion_tokens=1)


async def main(path: str) -> None:
    batch = str(uuid4())
    # `wait`: where others hold the rest of the purse, a job waits to see whether they leave some of it.
    purse = Budget(max_tokens=PURSE, name="this batch", wait=10)
    with ScriptedProvider() as provider, JsonlUsageLog(path) as log:
        provider.respond(answer)
        # For a real provider: credentials="env", and a purse in money, Budget(max_cost="5").
        keys = {"openai": Credential("sk-any", base_url=provider.base_url)}
        # More runs at a time than that would raise ExecutorBusyError: a net below the number of workers.
        async with create_executor(ACTOR, credentials=keys, on_usage=log, max_concurrent_runs=AT_A_TIME) as executor:
            results = await work_all(executor, purse, batch)
        ledger = provider.totals()
    # The log is appended to: only the rows of this batch count.
    logged = sum_usage(row for row in read_usage_log(path) if row.metadata.get("batch") == batch)
    print(", ".join(f"{count} {reason}" for reason, count in sorted(Counter(r.stop_reason for r in results).items())))
    print(f"bills: {sum(result.total_tokens for result in results)} tokens")
    print(f"usage log: {sum(one.total_tokens for one in logged)} tokens")
    print(f"purse: {purse.spent} of {PURSE} tokens spent, {purse.reserved} reserved")
    print(f"provider's ledger: {ledger.prompt_tokens + ledger.completion_tokens} tokens in {ledger.billed} calls")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:2] or ["jobs-usage.jsonl"]))
