"""Writes the tables into a page of the documentation."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from benchmarks.table import Row, show

__all__ = ["put_between_marks", "write_page"]


def write_page(
    page: Path,
    heads: Mapping[str, Sequence[str]],
    tables: Mapping[str, Sequence[Row]],
    pairs: int,
    versions: Mapping[str, str],
) -> None:
    """Put tables between `<!-- NAME -->` and `<!-- /NAME -->`, with what they were measured on.

    Args:
        page: a Markdown file that has the marks.
        heads: name of a table → its columns' titles.
        tables: name → rows; the page's other tables stay.
        pairs: samples of each side.
        versions: name of a table → what else was at work in it.

    Raises:
        ValueError: the page lacks a mark.
    """
    put_between_marks(
        page,
        {
            name: f"{show(rows, heads[name])}\n\n{_measured_on(pairs, versions.get(name))}"
            for name, rows in tables.items()
        },
    )


def put_between_marks(page: Path, texts: Mapping[str, str]) -> None:
    """Put texts between `<!-- NAME -->` and `<!-- /NAME -->`.

    Args:
        page: a Markdown file that has the marks.
        texts: name → what stands between its marks; what else is on the page stays.

    Raises:
        ValueError: the page lacks a mark.
    """
    text = page.read_text(encoding="utf-8")
    for name, put in texts.items():
        begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
        before, opened, rest = text.partition(begin)
        _, closed, after = rest.partition(end)
        if not opened or not closed:
            raise ValueError(f"{page} has no marks {begin} and {end}")
        text = f"{before}{begin}\n\n{put}\n\n{end}{after}"
    page.write_text(text, encoding="utf-8")


def _measured_on(pairs: int, beside: str | None) -> str:
    parts = [f"{name} {version(name)}" for name in ("langchain-core", "langchain-openai", "openai", "pydantic")]
    where = f"{platform.system()} on {os.cpu_count()} cores of {platform.machine()}, Python {platform.python_version()}"
    date = time.strftime("%Y-%m-%d", time.gmtime())
    others = f" Beside them: {beside}." if beside else ""
    return f"Medians of {pairs} pairs, {date}: {where}; {', '.join(parts)}.{others}"
