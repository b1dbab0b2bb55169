"""What a bill has to look like, and the books it is compared with."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Sequence
from typing import Any

from cleveractors import ActorResult, InvocationRecord, result_of
from cleveractors.testing import ScriptedProvider
from features.lib.bench import Seen, Ways
from features.lib.world import World

FINAL = ("settled", "unmeasured", "rejected", "unsent")


def check_ledger(result: ActorResult[Any], provider: ScriptedProvider) -> None:
    """The sums are what the wire told, and whatever it did not tell is counted as unmeasured."""
    totals = provider.totals()
    assert result.prompt_tokens == totals.told_prompt_tokens, (result.prompt_tokens, totals)
    assert result.completion_tokens == totals.told_completion_tokens, (result.completion_tokens, totals)
    # Of a broken answer nobody but the provider knows whether it is billed.
    assert result.unmeasured_calls >= totals.untold, (result.unmeasured_calls, totals)
    settled = [row for row in result.invocations if row.state == "settled"]
    assert sum(row.prompt_tokens for row in settled) == result.prompt_tokens
    assert sum(row.completion_tokens for row in settled) == result.completion_tokens


def row_cells(row: InvocationRecord, columns: Sequence[str]) -> list[str]:
    """A row as a table writes it."""
    return ["" if (value := getattr(row, column)) is None else str(value) for column in columns]


def check_moments(seen: Sequence[Seen]) -> None:
    """Open, settled, open, settled …: each before whatever comes next."""
    states = [one.row.state for one in seen]
    assert states and states == ["open", "settled"] * (len(seen) // 2), states
    for call, (opened, settled) in enumerate(zip(seen[::2], seen[1::2], strict=True)):
        assert opened.row.id == settled.row.id and settled.row.revision > opened.row.revision
        assert opened.arrived == call, f"row {call} opened when {opened.arrived} requests had arrived"
        assert settled.arrived == call + 1, f"row {call} settled when {settled.arrived} requests had arrived"


def check_ways(ways: Ways) -> None:
    """All ways show one and the same bill."""
    error = ways.error
    result = ways.value if error is None else ways.carried
    assert isinstance(result, ActorResult), f"no bill on {error!r}"
    if isinstance(error, TimeoutError) and error.__cause__ is not None:
        # `asyncio.timeout` raises an error of its own from the one that left.
        assert result_of(error.__cause__) is result
    elif error is not None:
        assert ways.attribute is result, ways.attribute
    assert ways.last is result, (ways.last, result)
    assert tuple(ways.usage or ()) == (result.prompt_tokens, result.completion_tokens), ways.usage
    assert ways.billed == [result.run_id], ways.billed
    assert all(row.state in FINAL for row in result.invocations), result.invocations


def told(error: BaseException | None) -> str:
    """All that a log would show of an exception."""
    return "" if error is None else "".join(traceback.format_exception(error))


def check_cause(error: BaseException | None, kind: str, function: str) -> None:
    """An exception is what was raised, and says where."""
    assert error is not None and type(error).__name__ == kind, repr(error)
    frames = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
    assert function in frames, frames


def keep_log(world: World, records: list[Any], level: int) -> None:
    """Collect what the library logs."""

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record)

    logger, handler = logging.getLogger("cleveractors"), Keeper(level)
    logger.addHandler(handler)
    world.defer(lambda: logger.removeHandler(handler))


async def all_at_once(count: int, work: Any) -> list[Any]:
    """Run `work(0)` … in tasks of their own."""
    return await asyncio.gather(*(asyncio.create_task(work(index)) for index in range(count)))
