"""The results of one response's calls: each has its place in the record from the first moment."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from cleveractors.agents.tool import error_message, no_such_tool
from cleveractors.history import INTERRUPTED
from cleveractors.models.asked import AskedCall
from cleveractors.tools.base import TOOL_NAME

if TYPE_CHECKING:
    from langchain_core.messages import ToolMessage

__all__ = ["Places", "storable", "tool_call"]


class Places:
    """Says which place of a record is still free for whose result.

    Args:
        calls: of the response, in the order asked.
        start: where in the record their results begin.
    """

    __slots__ = ("_open", "_raw", "start")

    def __init__(self, calls: Sequence[AskedCall] = (), start: int = 0) -> None:
        self.start = start
        self._open = dict(enumerate(calls))
        self._raw: frozenset[int] = frozenset()

    def reserved(self) -> list[ToolMessage]:
        """What stands in the places until the results are there."""
        return self.refusals(INTERRUPTED)

    def refusals(self, text: str) -> list[ToolMessage]:
        """Answers for the calls that have none."""
        return [error_message(call.id or "", call.name, text) for call in self._open.values()]

    def take(self, place: int, *, raw: bool) -> int | None:
        """Where in the record a result goes; None where it comes too late.

        Args:
            place: the call's place in the response.
            raw: whether another may take the result's place when hooks have seen it.
        """
        if self._open.pop(place, None) is None and place not in self._raw:
            return None
        self._raw = self._raw | {place} if raw else self._raw - {place}
        return self.start + place

    def close(self) -> list[int]:
        """Take no more results; the places that had none."""
        left = list(self._open)
        self._open.clear()
        self._raw = frozenset()
        return [self.start + place for place in left]


def storable(call: AskedCall, tools: Iterable[str]) -> AskedCall:
    """The call under a name that providers take back in a history; under another than its own it is not run."""
    if TOOL_NAME.fullmatch(call.name):
        return call
    name = re.sub(r"[^A-Za-z0-9_-]", "_", call.name)[:64] or "_"
    raw = call.raw or json.dumps(call.arguments, ensure_ascii=False, default=str)
    return AskedCall(call.id, name, None, raw, no_such_tool(call.name, tools))


def tool_call(call: AskedCall) -> dict[str, Any]:
    """The call as a message has it."""
    return {"name": call.name, "args": call.arguments or {}, "id": call.id, "type": "tool_call"}
