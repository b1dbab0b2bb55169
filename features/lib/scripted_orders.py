"""What a test hands to a scripted call: values of the host's own types."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, Field

__all__ = ["ORDERS"]


class Kind(StrEnum):
    """How it comes."""

    LOOSE = "loose"
    BAGS = "bags"


class Order(BaseModel):
    """An order, one of whose keys is named otherwise in JSON."""

    item: str = Field(alias="for")
    kind: Kind = Kind.BAGS
    by: date | None = None


@dataclass
class Line:
    """A line of it."""

    item: str
    count: int


def order(item: str, kind: Kind = Kind.BAGS, by: date | None = None) -> Order:
    """An order, by the names that Python has."""
    return Order.model_validate({"for": item, "kind": kind, "by": by})


ORDERS: Final[dict[str, object]] = {"Kind": Kind, "Line": Line, "Order": order, "date": date}
