"""A ready sink for `on_usage`: one line of JSON a row, appended, never content."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

from cleveractors.usage import InvocationRecord

__all__ = ["JsonlUsageLog", "UsageSum", "read_usage_log", "sum_usage"]


class JsonlUsageLog:
    """Appends each row to a file, as `create_executor(on_usage=JsonlUsageLog("usage.jsonl"))`.

    A row stands in the file once for each of its states; the last one counts. Several processes may
    write to one file. A line that a crash has torn is closed off by the next start.

    Args:
        path: made with mode 0600 where it is not there.
        fsync: wait for the disk after each row.

    Raises:
        OSError: the file can't be opened.
    """

    def __init__(self, path: str | os.PathLike[str], *, fsync: bool = False) -> None:
        self.path = Path(path)
        self._fsync = fsync
        self._lock = threading.Lock()
        self._file = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        self._close_torn_line()

    def _close_torn_line(self) -> None:
        size = os.fstat(self._file).st_size
        if size and os.pread(self._file, 1, size - 1) != b"\n":
            os.write(self._file, b"\n")

    def __call__(self, row: InvocationRecord) -> None:
        """Append a row.

        Raises:
            OSError: it could not be written whole.
        """
        line = json.dumps(row.to_dict(), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
        with self._lock:
            # One write for the line: appends of several processes don't mix.
            written = os.write(self._file, line)
            if written != len(line):
                raise OSError(f"{self.path}: only {written} of {len(line)} bytes of a row were written")
            if self._fsync:
                os.fsync(self._file)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def __repr__(self) -> str:
        return f"JsonlUsageLog({str(self.path)!r})"


def read_usage_log(path: str | os.PathLike[str]) -> Iterator[InvocationRecord]:
    """The rows of a log, each once, as it last stood; lines that are no rows are passed over.

    Raises:
        OSError: the file can't be read.
    """
    last: dict[str, dict[str, Any]] = {}
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            values = _row(line)
            if values is None:
                continue
            known = last.get(values["id"])
            if known is None or values["revision"] >= known["revision"]:
                last[values["id"]] = values
    for values in last.values():
        yield InvocationRecord.from_dict(values)


def _row(line: str) -> dict[str, Any] | None:
    try:
        values = json.loads(line)
    except ValueError:
        return None
    if not isinstance(values, dict) or not {"id", "revision", "state"} <= values.keys():
        return None
    return cast("dict[str, Any]", values)


@dataclass(slots=True)
class UsageSum:
    """What one tenant used of one model on one day."""

    tenant: str | None
    model: str
    day: str
    """In UTC, as `2026-01-31`."""
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    unmeasured_calls: int = 0
    """Calls that may have been billed though the provider told nothing."""
    open_calls: int = 0
    """Calls whose end was never written: their process died."""
    cost: Decimal = field(default_factory=Decimal)
    unpriced_calls: int = 0


def sum_usage(rows: Iterable[InvocationRecord]) -> list[UsageSum]:
    """Sum rows by tenant, model and day, in that order."""
    sums: dict[tuple[str, str, str], UsageSum] = {}
    for row in rows:
        day = datetime.fromtimestamp(row.started_at, UTC).date().isoformat()
        key = (row.tenant or "", row.model, day)
        _add(sums.setdefault(key, UsageSum(row.tenant, row.model, day)), row)
    return [sums[key] for key in sorted(sums)]


def _add(total: UsageSum, row: InvocationRecord) -> None:
    total.calls += row.state in ("settled", "unmeasured", "open")
    total.unmeasured_calls += row.state == "unmeasured"
    total.open_calls += row.state == "open"
    if row.state == "settled":
        total.prompt_tokens += row.prompt_tokens
        total.completion_tokens += row.completion_tokens
        total.cost += row.cost or 0
        total.unpriced_calls += row.cost is None
