"""A row of the table, and the table as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Row", "show"]


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of both sides.

    Args:
        name: what was measured.
        ours: our figure, in `unit`.
        baseline: the other side's.
        ratio: what is judged; not always the quotient of the two, which are medians.
        limit: what the ratio may be at most; None: nothing is asked.
        unit: of both figures.
    """

    name: str
    ours: float
    baseline: float
    ratio: float
    limit: float | None
    unit: str

    @property
    def ok(self) -> bool:
        """Whether the ratio keeps its limit."""
        return self.limit is None or self.ratio <= self.limit

    def cells(self) -> list[str]:
        """The row as texts."""
        limit = "–" if self.limit is None else f"{self.limit:.2f}"
        verdict = "" if self.limit is None else ("yes" if self.ok else "NO")
        figures = [_figure(self.ours), _figure(self.baseline)]
        return [self.name, *figures, self.unit, f"{self.ratio:.3f}", limit, verdict]


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}" if value < 100 else f"{value:.1f}"


def show(rows: Iterable[Row], head: Sequence[str] = ("row", "ours", "baseline", "unit", "ratio", "limit", "ok")) -> str:
    """The rows as a Markdown table whose columns stand in line: as many as the head names."""
    cells = [list(head), *(row.cells()[: len(head)] for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(head))]
    lines = ["| " + " | ".join(_padded(text, widths[at], at) for at, text in enumerate(line)) + " |" for line in cells]
    lines.insert(1, "| " + " | ".join("-" * width for width in widths) + " |")
    return "\n".join(lines)


def _padded(text: str, width: int, column: int) -> str:
    return text.ljust(width) if column in (0, 3, 6) else text.rjust(width)
