"""A ready sink for `on_usage`: one line of JSON a row, appended, never content."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, cast

from cleveractors.usage import InvocationRecord

__all__ = ["JsonlUsageLog", "UsageSum", "read_usage_log", "sum_usage"]


class JsonlUsageLog:
    """Appends each row to a file, as `create_executor(on_usage=JsonlUsageLog("usage.jsonl"))`.

    A row stands in the file once for each of its states; the last one counts. Several processes may
    write to one file. A line that a crash or a full disk has torn is closed off before the next one.

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
        self._torn = self._ends_torn()

    def _ends_torn(self) -> bool:
        size = os.fstat(self._file).st_size
        return size > 0 and os.pread(self._file, 1, size - 1) != b"\n"

    def __call__(self, row: InvocationRecord) -> None:
        """Append a row.

        Raises:
            OSError: it could not be written whole, or the log is closed.
        """
        line = json.dumps(row.to_dict(), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
        with self._lock:
            if self._file < 0:
                raise OSError(f"{self.path}: the usage log is closed")
            whole = b"\n" + line if self._torn else line
            # One write for the line: appends of several processes don't mix.
            written = os.write(self._file, whole)
            self._torn = written != len(whole)
            if self._torn:
                raise OSError(f"{self.path}: only {written} of {len(whole)} bytes of a row were written")
            if self._fsync:
                os.fsync(self._file)

    def close(self) -> None:
        """Close the file. Idempotent."""
        with self._lock:
            file, self._file = self._file, -1
        if file >= 0:
            os.close(file)

    def __enter__(self) -> JsonlUsageLog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"JsonlUsageLog({str(self.path)!r})"


def read_usage_log(path: str | os.PathLike[str]) -> Iterator[InvocationRecord]:
    """The rows of a log, each once, as it last stood; lines that are no rows are passed over.

    Raises:
        OSError: the file can't be read.
    """
    last: dict[str, InvocationRecord] = {}
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            row = _row(line)
            if row is not None and (row.id not in last or row.revision >= last[row.id].revision):
                last[row.id] = row
    yield from last.values()


_TEXTS = ("id", "run_id", "agent", "provider", "model", "state")
_NUMBERS = ("revision", "started_at", "prompt_tokens", "completion_tokens")


def _row(line: str) -> InvocationRecord | None:
    """The row of a line; None where it was torn, or is something else."""
    try:
        found = json.loads(line)
    except ValueError:
        return None
    if not isinstance(found, dict):
        return None
    values = cast("dict[str, Any]", found)
    sound = all(isinstance(values.get(name), str) for name in _TEXTS) and all(
        type(values.get(name)) in (int, float) for name in _NUMBERS
    )
    try:
        return InvocationRecord.from_dict(values) if sound else None
    except (TypeError, InvalidOperation):
        # Fields are missing, or money is none.
        return None


@dataclass(slots=True)
class UsageSum:
    """What one tenant used of one model on one day."""

    tenant: str | None
    model: str
    day: str
    """In UTC, as `2026-01-31`."""
    calls: int = 0
    """Attempts that were billed, or may have been."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    unmeasured_calls: int = 0
    """Calls that may have been billed though the provider told nothing."""
    estimated_prompt_tokens: int = 0
    """Of unmeasured calls."""
    estimated_completion_tokens: int = 0
    """Of unmeasured calls."""
    open_calls: int = 0
    """Calls whose end was never written: their process died, or they still run."""
    cost: Decimal = field(default_factory=Decimal)
    """Of the settled calls whose price is known."""
    estimated_cost: Decimal = field(default_factory=Decimal)
    """Of unmeasured calls."""
    unpriced_calls: int = 0
    """Settled calls without a known price."""

    @property
    def total_tokens(self) -> int:
        """Prompt and completion, as providers told them."""
        return self.prompt_tokens + self.completion_tokens


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
    total.open_calls += row.state == "open"
    if row.state == "settled":
        total.prompt_tokens += row.prompt_tokens
        total.completion_tokens += row.completion_tokens
        total.cost += row.cost or 0
        total.unpriced_calls += row.cost is None
    elif row.state == "unmeasured":
        total.unmeasured_calls += 1
        total.estimated_prompt_tokens += row.prompt_tokens
        total.estimated_completion_tokens += row.completion_tokens
        total.estimated_cost += row.cost or 0
