"""The tools of the research actor: a library of a few pages, in place of a search engine and the web."""

from cleveractors import ToolRetry, tool

LIBRARY = {
    "Tea": "Tea is made from the leaves of one plant. Green tea is heated soon after the harvest, black tea is not.",
    "Coffee": "Coffee is made from roasted seeds. A cup of it has about twice the caffeine of a cup of tea.",
    "Caffeine": "Caffeine keeps people awake. Half of it has left the body after about five hours.",
}


@tool(idempotent=True)
async def search(query: str) -> list[str]:
    """Find the titles of pages that speak of something.

    Args:
        query: one or two words.
    """
    words = query.lower().split()
    return [title for title, page in LIBRARY.items() if any(word in f"{title} {page}".lower() for word in words)]


@tool(idempotent=True)
async def read(title: str) -> str:
    """Read a page.

    Args:
        title: as the search gave it.
    """
    if title not in LIBRARY:
        raise ToolRetry(f"There is no page {title!r}; search first.")
    return LIBRARY[title]
