"""The pages of the documentation as data: their blocks, their headings, their links."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

import yaml

__all__ = ["FRAGMENT", "ROOT", "Block", "Page", "astray", "dead_links", "documentation", "pages"]

ROOT = Path(__file__).parents[2]
FRAGMENT = "fragment"
"""The title of a block that shows a part of a program, and so is not run."""

_FENCE = re.compile(r"^(`{3,})(\S*)[ ]?([^\n]*)\n(.*?)^\1[ ]*$", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r'title="([^"]*)"')
_HEADING = re.compile(r"^#{1,6} +(.+?)(?: +\{ *#([\w.-]+) *\})? *$", re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[[^\]\n]*(?:\n[^\]\n]*)?\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]*))?\)")
_CODE = re.compile(r"`[^`\n]+`")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a page."""

    page: Path
    line: int
    """Of the page, on which its text begins."""
    language: str
    title: str
    """The name of the file that it is, or `fragment`; empty for neither."""
    text: str
    shown: str | None
    """What the block right behind it says that it prints."""

    @property
    def place(self) -> str:
        """Where it is, for people."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"


@dataclass(frozen=True, slots=True)
class Page:
    """One Markdown file."""

    path: Path
    text: str

    @property
    def blocks(self) -> list[Block]:
        """Its fenced blocks, in order."""
        found = list(_FENCE.finditer(self.text))
        behind = [*found[1:], None][: len(found)]
        return [self._block(one, then) for one, then in zip(found, behind, strict=True)]

    @property
    def prose(self) -> str:
        """Its text without blocks."""
        return _FENCE.sub("", self.text)

    @property
    def anchors(self) -> set[str]:
        """What a link may name behind `#`, in a site and where the file is shown as it is."""
        return set(_anchors(self.prose))

    @property
    def links(self) -> Iterator[tuple[str, str | None]]:
        """Its relative links: path and anchor."""
        for path, anchor in _LINK.findall(_CODE.sub("`code`", self.prose)):
            yield path, anchor or None

    def _block(self, match: re.Match[str], then: re.Match[str] | None) -> Block:
        title = _TITLE.search(match[3])
        follows = then is not None and then[2] == "text" and not self.text[match.end() : then.start()].strip()
        line = self.text.count("\n", 0, match.start(4)) + 1
        shown = then[4] if then is not None and follows else None
        return Block(self.path, line, match[2], title[1] if title else "", match[4], shown)


def _anchors(prose: str) -> Iterator[str]:
    seen: dict[str, int] = {}
    for heading, given in _HEADING.findall(prose):
        slug = given or _slug(heading)
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        # A second heading of a name is told apart in two ways: `-1` where files are shown, `_1` in a site.
        if not count:
            yield slug


def _slug(heading: str) -> str:
    text = unicodedata.normalize("NFKD", heading.replace("`", "")).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())


@cache
def documentation() -> tuple[Page, ...]:
    """The pages in `docs/`, in the order of their names."""
    return tuple(_page(path) for path in sorted((ROOT / "docs").rglob("*.md")))


@cache
def pages() -> tuple[Page, ...]:
    """All pages: those in `docs/`, and those beside the README."""
    return (*documentation(), *(_page(path) for path in sorted(ROOT.glob("*.md"))))


def astray() -> list[str]:
    """Pages that the site's navigation names and that are not there, and pages that it does not name."""
    nav = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    named = {str(ROOT / "docs" / path) for path in _paths(nav)}
    there = {str(page.path) for page in documentation()}
    return [f"mkdocs.yml: there is no {path}" for path in sorted(named - there)] + [
        f"mkdocs.yml: its navigation lacks {path}" for path in sorted(there - named)
    ]


def _paths(entry: object) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
        return
    inner = cast("dict[str, object]", entry).values() if isinstance(entry, dict) else cast("list[object]", entry)
    for one in inner:
        yield from _paths(one)


def _page(path: Path) -> Page:
    return Page(path, path.read_text(encoding="utf-8"))


def dead_links(looked_at: Iterable[Page] = ()) -> list[str]:
    """Relative links, of these pages or of all, that lead to no file, or to no heading of it."""
    looked_at = [*looked_at] or pages()
    known = {page.path: page for page in (*pages(), *looked_at)}
    dead: list[str] = []
    for page in looked_at:
        for path, anchor in page.links:
            target = Path(os.path.normpath(page.path.parent / path)) if path else page.path
            there = target.exists() and (anchor is None or (target in known and anchor in known[target].anchors))
            if not there:
                dead.append(f"{page.path.relative_to(ROOT)}: {path}{f'#{anchor}' if anchor else ''}")
    return dead
