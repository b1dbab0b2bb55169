"""What a side is given: where the provider is, whether to use an opt-in, and a way to wait for a moment."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any

__all__ = ["MARK", "MESSAGE", "Facts", "Stage", "cancelled", "reports"]

MARK = "probe: "
"""Begins each line that a side writes to its judge; libraries may write lines of their own."""

MESSAGE = "Look at everything, please."

Facts = dict[str, Any]
"""What a side has in hand.

`usage`: prompt and completion tokens, or None; `unknown`: calls told apart as unmeasured; `raised`: an exception;
`answer`: text; `how`: the opt-in; `lacking`: why there is no such feature; `reports`: usage as the library shows it.
"""


class Stage:
    """The side's end of the line to its judge.

    Args:
        base_url: of the provider.
        asked: use the opt-in.
    """

    def __init__(self, base_url: str, asked: bool) -> None:
        self.base_url = base_url
        self.asked = asked

    def say(self, kind: str, value: object) -> None:
        """Write a line to the judge."""
        print(MARK + json.dumps({kind: value}), flush=True)

    async def moment(self, name: str) -> None:
        """Tell the judge that a moment has come, or is waited for, and go on when it says so."""
        self.say("moment", name)
        await asyncio.to_thread(sys.stdin.readline)

    async def left(self) -> None:
        """Tell the judge that the reader has left, and again when garbage was collected."""
        await self.moment("left")
        gc.collect()
        await self.moment("collected")


async def cancelled(stage: Stage, run: Awaitable[object]) -> BaseException:
    """Cancel a run's task while its third call is under way; the exception that leaves it."""
    task = asyncio.ensure_future(run)
    await stage.moment("third call")
    task.cancel()
    try:
        await task
    except BaseException as error:
        return error
    raise AssertionError("the run was not cancelled")


async def reports(run: Callable[[], Awaitable[object]]) -> list[object]:
    """What is reported of a run whose second call's usage was not told, then of one that was told zero for it."""
    return [await run(), await run()]
