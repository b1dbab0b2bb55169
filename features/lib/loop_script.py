"""What a model says, as the tables of features have it: one row a turn, for a provider or a chat model."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from cleveractors.models.turn import ScriptedCall, ScriptedTurn
from cleveractors.testing import BodyFault, Call, DropFault, Gate, StatusFault, StreamFault, Turn

__all__ = ["Said", "read_script"]

CALL = re.compile(r"(?P<name>[^\s#]+)(?:#(?P<id>\S*))?\s*(?P<arguments>.*)", re.DOTALL)
Faults = StatusFault | DropFault | BodyFault | StreamFault


@dataclass(frozen=True)
class Said:
    """One turn.

    The columns of a table: `says`; `calls`, as `echo#id {"text": "a"} & clock` (`#` alone: without id); `finish`;
    `tokens`, as `100, 10`; `fault`, as `429`, `429 after 0.1`, `drop`, `drop after 2`; `stands`: `here`, or after
    so many chunks, at the gate; `times`: how often the same turn comes.
    """

    says: str | None = None
    calls: tuple[tuple[str, str, str | None], ...] = ()
    finish: str | None = None
    tokens: tuple[int, int] | None = None
    fault: str = ""
    stands: str = ""

    def turn(self, gate: Gate, *, honour_cap: bool, usage: bool) -> Turn:
        """The turn of a provider."""
        prompt, completion = self.tokens or (None, None)
        return Turn(
            self.says,
            calls=[Call(name, arguments, call_id) for name, arguments, call_id in self.calls],
            finish_reason=self.finish or "auto",
            prompt_tokens=prompt,
            completion_tokens=completion,
            usage="last" if usage else "never",
            hold_before=gate if self.stands == "here" else None,
            hold_after_chunk=(int(self.stands), gate) if self.stands.isdigit() else None,
            honour_cap=honour_cap,
            fault=read_fault(self.fault),
        )

    def scripted(self) -> ScriptedTurn:
        """The turn of a scripted chat model."""
        calls = [
            ScriptedCall(name, {}, None if call_id == "auto" else call_id, raw) for name, raw, call_id in self.calls
        ]
        error = RuntimeError(self.fault) if self.fault else None
        return ScriptedTurn(
            self.says or "", calls, usage=self.tokens or "counted", finish_reason=self.finish, error=error
        )


def read_script(rows: Iterable[Mapping[str, str]]) -> list[Said]:
    """Read a table."""
    script: list[Said] = []
    for row in rows:
        tokens = [int(figure) for figure in row.get("tokens", "").split(",") if figure]
        said = Said(
            row.get("says") or None,
            tuple(_call(text) for text in row.get("calls", "").split(" & ") if text.strip()),
            row.get("finish") or None,
            (tokens[0], tokens[1]) if tokens else None,
            row.get("fault", ""),
            row.get("stands", ""),
        )
        script += [said] * int(row.get("times") or 1)
    return script


def _call(text: str) -> tuple[str, str, str | None]:
    found = CALL.fullmatch(text.strip())
    assert found is not None, text
    name, call_id, arguments = found["name"], found["id"], found["arguments"]
    if arguments == "nothing":
        arguments = ""
    elif not arguments:
        arguments = "{}"
    return name, arguments, "auto" if call_id is None else call_id or None


def read_fault(text: str) -> Faults | None:
    """Read what goes wrong: a status, `503 with soon`, `drop`, `html`, `error after 2`; None for nothing."""
    if not text:
        return None
    kind, _, header = text.partition(" with ")
    if header:
        return StatusFault(int(kind), headers={"Retry-After": header})
    kind, _, after = text.partition(" after ")
    if kind.isdigit():
        return StatusFault(int(kind), retry_after=_moment(after))
    if kind == "overflow":
        return StatusFault(400, code="context_length_exceeded")
    if kind == "drop":
        return DropFault(_point(after) if after else None)
    if kind == "error":
        return StreamFault(_point(after or "0"), code="server_error")
    return BodyFault("html")


def _point(text: str) -> int | Literal["finish", "usage"]:
    return text if text in ("finish", "usage") else int(text)


def _moment(text: str) -> float | datetime | None:
    if not text:
        return None
    if text == "a date":
        # A date has whole seconds only: this one lies between one and two seconds ahead.
        return datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=2)
    return float(json.loads(text))
