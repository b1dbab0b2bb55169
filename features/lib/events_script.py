"""What the model of an event stream's story says, read from a table."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from cleveractors import AbortSignal
from cleveractors.testing import ScriptedCall, ScriptedError, ScriptedTurn

__all__ = ["read_turns"]

CALL = re.compile(r"(\w+)\((.*)\)", re.DOTALL)


def read_turns(rows: Iterable[Mapping[str, str]], signal: AbortSignal) -> list[ScriptedTurn]:
    """One turn a row: `text`, `calls` as `look({"word": "a"}); fail()`, `tokens`, and what it `does` else.

    `does` is `fails 500` (a status), `aborts` (before anything is said), `aborts after 1` (chunks), `hangs after 1`,
    `overflows` or `is cut`.
    """
    return [_turn(row, signal) for row in rows]


def _turn(row: Mapping[str, str], signal: AbortSignal) -> ScriptedTurn:
    what, _, number = row.get("does", "").partition(" ")
    chunks = int(number.removeprefix("after ")) if number.startswith("after ") else None
    asked, said = (row.get("tokens") or "10 5").split()
    halt = _halt(signal if what == "aborts" else None)
    return ScriptedTurn(
        text=row.get("text", ""),
        calls=[_call(text.strip()) for text in row.get("calls", "").split(";") if text.strip()],
        usage=(int(asked), int(said)),
        finish_reason="length" if what == "is" else None,
        error=_error(what, number),
        before=halt if what == "aborts" and chunks is None else None,
        between=None if chunks is None else _after(chunks, halt),
    )


def _error(what: str, number: str) -> ScriptedError | None:
    if what == "overflows":
        return ScriptedError("beyond the maximum context length", 400)
    return ScriptedError("the provider fails", int(number)) if what == "fails" else None


def _call(text: str) -> ScriptedCall:
    found = CALL.fullmatch(text)
    assert found, f"no call: {text!r}"
    return ScriptedCall(found[1], {}, raw=found[2] or "{}")


def _halt(signal: AbortSignal | None) -> Callable[[], Any]:
    async def halt() -> None:
        if signal is not None:
            signal.abort("enough")
        await asyncio.Future[None]()

    return halt


def _after(chunks: int, halt: Callable[[], Any]) -> Callable[[int], Any]:
    async def between(sent: int) -> None:
        if sent == chunks:
            await halt()

    return between
