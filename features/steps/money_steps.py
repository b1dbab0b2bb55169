"""Steps about prices, and what calls cost."""

from __future__ import annotations

from behave import given
from behave.runner import Context

from features.lib.bench import as_json, bench


@given("the host's prices {prices}")
def host_prices(context: Context, prices: str) -> None:
    bench(context).options["prices"] = as_json(prices)
