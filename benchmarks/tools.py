"""The tools of every side: async, and quick but for the one that waits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

__all__ = ["DEFINITIONS", "FUNCTIONS", "get_weather", "save", "wait"]


async def get_weather(city: str, day: int) -> str:
    """Tell the weather of a day.

    Args:
        city: the city
        day: days from today
    """
    return f"{day} degrees in {city}"


async def wait(city: str, day: int) -> str:
    """Tell the weather after 50 ms.

    Args:
        city: the city
        day: days from today
    """
    await asyncio.sleep(0.05)
    return f"{day} degrees in {city}"


async def save(text: str) -> str:
    """Save a text.

    Args:
        text: the text
    """
    return f"saved {len(text)} characters"


FUNCTIONS: dict[str, Callable[..., Awaitable[str]]] = {"get_weather": get_weather, "wait": wait, "save": save}


def _definition(name: str, description: str, **parameters: tuple[str, str]) -> dict[str, Any]:
    properties = {key: {"type": kind, "description": told} for key, (kind, told) in parameters.items()}
    schema = {"type": "object", "properties": properties, "required": list(parameters)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


_PLACE = {"city": ("string", "the city"), "day": ("integer", "days from today")}
DEFINITIONS: dict[str, dict[str, Any]] = {
    "get_weather": _definition("get_weather", "Tell the weather of a day.", **_PLACE),
    "wait": _definition("wait", "Tell the weather after 50 ms.", **_PLACE),
    "save": _definition("save", "Save a text.", text=("string", "the text")),
}
"""Ready-made, so that the baseline converts nothing."""
