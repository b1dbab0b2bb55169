"""Pages that are wrong on purpose, and what is found in them."""

from __future__ import annotations

import tempfile
from pathlib import Path

from features.lib.docs_blocks import faults_of
from features.lib.docs_pages import ROOT, Page, dead_links
from features.lib.docs_run import Story, programs

__all__ = ["found_in"]


def _block(language: str, text: str) -> str:
    return f"# A page\n\n```{language}\n{text}\n```\n"


WRONG = {
    "a name that is not there": _block("python", "from cleveractors import Executer"),
    "a program with a slip": _block("python", "print('three'"),
    "a program that raises": _block("python", "1 / 0"),
    "a program that prints otherwise": _block("python", "print('three')") + _block("text", "four").partition("\n\n")[2],
    "an actor with an unknown key": _block("yaml", "model: gpt-4o-mini\ntols: []"),
    "a command of no program": _block("console", "$ cleveractor run actor.yaml"),
    "an option that is not there": _block("console", "$ cleveractors schema --pretty"),
    "an extra that is not there": _block("console", "$ pip install '.[webb]'"),
    "a session that is not there": _block("console", "$ nox -s docks"),
    "a link to no heading": "# A page\n\nSee [below](#nowhere).\n",
}


def found_in(what: str) -> list[str]:
    """What is found in such a page, by looking and by running it."""
    page = Page(ROOT / "docs/wrong.md", WRONG[what])
    found = [*dead_links([page]), *(fault for block in page.blocks for fault in faults_of(block))]
    if found:
        return found
    story = Story()
    with tempfile.TemporaryDirectory() as folder:
        story.run_page(page, programs(Path(folder)))
    return story.faults
