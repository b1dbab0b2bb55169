"""The tools that every side offers."""

from __future__ import annotations

__all__ = ["RAN", "look"]

RAN: list[str] = []
"""What was looked at, in this process."""


async def look(what: str = "everything") -> str:
    """Look at a thing.

    Args:
        what: the thing
    """
    RAN.append(what)
    if what == "broken":
        raise RuntimeError("the lamp is out")
    return f"{what} is fine"
