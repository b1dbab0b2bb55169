"""Public list prices from genai-prices, when it is installed: the only room that imports it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from cleveractors.money import Price, Quote

__all__ = ["list_prices"]

_PRIVATE = (".localhost", ".local", ".internal", ".home.arpa")
_PARTS = {
    "prompt": "input_mtok",
    "completion": "output_mtok",
    "cached": "cache_read_mtok",
    "cache_write": "cache_write_mtok",
}
"""Our parts of a price → theirs; both are per million tokens."""


def list_prices() -> Callable[[str, str, str | None], Quote | None] | None:
    """A function of provider, model and address that finds the list price, or None without genai-prices.

    An address that the list does not know has no list price: a model served elsewhere under a known name
    costs something else. The list is long, and read when somebody first asks for a price that may be on it.
    """
    return _find if find_spec("genai_prices") is not None else None


def _find(provider: str, model: str, url: str | None) -> Quote | None:
    if url is not None and _is_private(url):
        return None
    snapshot, source = _list()
    try:
        _, info = snapshot.find_provider_model(model, None, None if url else provider, url)
    except LookupError:
        return None
    price = _price(info.get_prices(datetime.now(UTC)))
    return None if price is None else Quote(price, source)


@cache
def _list() -> tuple[Any, str]:
    from importlib.metadata import version

    from genai_prices import data_snapshot

    return data_snapshot.get_snapshot(), f"genai-prices {version('genai-prices')}"


def _is_private(url: str) -> bool:
    """Whether an address is one of the host's own machines: no public list knows what a call there costs."""
    host = urlsplit(url).hostname or ""
    try:
        return not ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith(_PRIVATE)


def _price(prices: Any) -> Price | None:
    """One of their prices as ours; where tiers apply, each as a price of its own."""
    given = {ours: getattr(prices, theirs, None) for ours, theirs in _PARTS.items()}
    if given["prompt"] is None or given["completion"] is None:
        return None
    starts = sorted({tier.start for value in given.values() for tier in getattr(value, "tiers", ())})
    above = tuple((start, Price(**_at(given, start + 1))) for start in starts)
    return replace(Price(**_at(given, 0)), above=above)


def _at(given: dict[str, Any], prompt_tokens: int) -> dict[str, Any]:
    """The parts that hold for a prompt of so many tokens."""
    parts: dict[str, Any] = {}
    for name, value in given.items():
        if value is None:
            continue
        tiers = getattr(value, "tiers", None)
        if tiers is None:
            parts[name] = value
        else:
            reached = [tier.price for tier in tiers if prompt_tokens > tier.start]
            parts[name] = reached[-1] if reached else value.base
    return parts
