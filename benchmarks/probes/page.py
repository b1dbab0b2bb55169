"""The findings as tables, and their place in a page."""

from __future__ import annotations

import platform
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.page import put_between_marks
from benchmarks.probes.play import Finding

__all__ = ["table", "write_page"]

TITLES = {
    "paid_on_error": "The third call fails",
    "paid_on_cancel": "The task is cancelled",
    "leaving": "The reader leaves a stream",
    "ceiling": "Ten runs share a ceiling",
    "rounds": "The limit of rounds is reached",
    "not_json": "Arguments are not JSON",
    "one_raises": "One of three tools raises",
    "same_ids": "Two calls have the same id",
    "sub_agent": "An agent is a tool",
    "no_usage": "The provider tells no usage",
}
NAMES = {"pydantic_ai": "pydantic-ai", "openai_agents": "openai-agents"}

Findings = Mapping[str, Mapping[str, Finding]]


def table(found: Findings, probes: Sequence[str]) -> str:
    """A row for each probe, a column for each side."""
    sides = list(found)
    rows = [["moment", *(NAMES.get(side, side) for side in sides)], ["---"] * (len(sides) + 1)]
    for probe in probes:
        anchor = TITLES[probe].lower().replace(" ", "-")
        cells = [found[side][probe].cell if probe in found[side] else "–" for side in sides]
        rows.append([f"[{TITLES[probe]}](#{anchor})", *cells])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def notes(found: Findings, probes: Sequence[str]) -> str:
    """A row for each way to ask for more, for each place of a figure, and for each feature that is not there."""
    rows = ["| moment | library | note |", "| --- | --- | --- |"]
    for probe in probes:
        for side, findings in found.items():
            one = findings.get(probe)
            if one is None:
                continue
            told = [one.note] if one.note else []
            if one.helps:
                told.append(f"on request: {one.how}")
            if told:
                rows.append(f"| {TITLES[probe]} | {NAMES.get(side, side)} | {'; '.join(told)} |")
    return "\n".join(rows)


def write_page(page: Path, found: Findings, probes: Sequence[str]) -> None:
    """Put the tables between their marks.

    Args:
        page: a Markdown file that has `<!-- findings -->`, `<!-- /findings -->`, `<!-- notes -->`, `<!-- /notes -->`.
        found: side → probe → what it did.
        probes: the rows, in order.

    Raises:
        ValueError: the page lacks a mark.
    """
    findings = f"{table(found, probes)}\n\n{_versions(found)}"
    put_between_marks(page, {"findings": findings, "notes": notes(found, probes)})


def _versions(found: Findings) -> str:
    told: dict[str, str] = {}
    for findings in found.values():
        for finding in findings.values():
            told |= finding.versions
    packages = ", ".join(f"{name} {version}" for name, version in told.items())
    return f"{time.strftime('%Y-%m-%d', time.gmtime())}, Python {platform.python_version()}: {packages}."
