"""Steps about the pages of the documentation."""

from __future__ import annotations

from typing import Any

from behave import then, when
from behave.runner import Context

from features.lib import docs_blocks, docs_dependencies, docs_frames, docs_pages, docs_reference, docs_run, docs_wrong

SECONDS = 110.0
TOLD = "docs_told"


def told_of(context: Context) -> Any:
    return getattr(context, TOLD)


def none_of(faults: list[str]) -> None:
    assert not faults, "\n".join(["", *faults])


@when("the blocks of all pages are run, each page in a folder of its own")
def run_blocks(context: Context) -> None:
    setattr(context, TOLD, docs_run.run_all(SECONDS))


@then("every one of them has ended well, and printed what stands behind it")
def check_run(context: Context) -> None:
    none_of(told_of(context)["faults"])


@then("that were at least {programs:d} programs and {commands:d} commands")
def check_count(context: Context, programs: int, commands: int) -> None:
    told = told_of(context)
    assert told["programs"] >= programs and told["commands"] >= commands, told


@then("every block of every page is valid: its syntax, its names, its keys, its commands")
def check_blocks(context: Context) -> None:
    none_of(docs_blocks.faults())


@then("at most {count:d} blocks are marked as fragments")
def check_fragments(context: Context, count: int) -> None:
    assert len(docs_blocks.fragments()) <= count, docs_blocks.fragments()


@then('the pieces of "{file}" in the pages are the whole file, as it stands')
def check_pieces(context: Context, file: str) -> None:
    none_of(docs_blocks.pieces_of(file))


@then("no page has a link that leads to no file, or to no heading")
def check_links(context: Context) -> None:
    none_of(docs_pages.dead_links())


@then("the site's navigation names every page, and every page that it names is there")
def check_navigation(context: Context) -> None:
    none_of(docs_pages.astray())


@then("every public name has an entry in the reference, and every entry is a name")
def check_reference(context: Context) -> None:
    none_of(docs_reference.unknown() + docs_reference.undocumented())


@then("the page of events lists each code of an error frame, and all that include= may name")
def check_frames(context: Context) -> None:
    none_of(docs_frames.unlisted())


@then("the page of dependencies lists what pyproject.toml requires")
def check_dependencies(context: Context) -> None:
    none_of(docs_dependencies.unlisted())


@when("a page holds {what}")
def look_at_wrong(context: Context, what: str) -> None:
    setattr(context, TOLD, docs_wrong.found_in(what))


@then('its fault is "{fault}"')
def check_fault(context: Context, fault: str) -> None:
    [found] = told_of(context)
    assert fault in found, found
