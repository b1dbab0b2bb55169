"""Telling JSON values apart, for a reader that trusts nothing."""

from __future__ import annotations

from typing import Any, TypeGuard

__all__ = ["is_list", "is_object"]


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Tell whether a JSON value is an object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Tell whether a JSON value is an array."""
    return isinstance(value, list)
