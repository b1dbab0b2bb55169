"""The tools of actor.yaml: plain functions; their signatures and docstrings are what the model is told."""

import asyncio
import os

from cleveractors import tool


@tool(timeout=60)
async def find_order(number: str) -> str:
    """Find an order.

    Args:
        number: as it stands on the receipt.
    """
    await asyncio.sleep(float(os.environ.get("FIND_ORDER_SECONDS", "0.5")))  # your database, or an API
    return f"Order {number} was sent this morning."


@tool
def opening_hours(day: str) -> str:
    """Tell when the shop is open.

    Args:
        day: of the week, in English.
    """
    return "Closed." if day.lower() == "sunday" else "Open from 9 to 18."
