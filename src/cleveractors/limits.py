"""What one run may do at most, with everything that it causes."""

from __future__ import annotations

from dataclasses import dataclass

from cleveractors.money import Money, money

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """The host's limits of one run; they count the whole tree of a run.

    Args:
        max_model_calls: model calls; one of them is kept for the wrap-up answer.
        max_tool_calls: tool calls.
        max_tokens: prompt and completion tokens, or None.
        max_cost: money, in the currency of the prices, or None.
        timeout: seconds for the whole run, or None.

    Raises:
        ValueError: a limit is not a positive number.
    """

    max_model_calls: int | None = 200
    max_tool_calls: int | None = 1000
    max_tokens: int | None = None
    max_cost: Money | None = None
    timeout: float | None = 600

    def __post_init__(self) -> None:
        for name, least in (("max_model_calls", 1), ("max_tool_calls", 0), ("max_tokens", 1)):
            value = getattr(self, name)
            if value is not None and (type(value) is not int or value < least):
                raise ValueError(f"Limits.{name} must be a whole number of {least} or more, or None, found {value!r}")
        if self.timeout is not None and not (_is_number(self.timeout) and 0 < self.timeout < float("inf")):
            raise ValueError(f"Limits.timeout must be seconds above 0 or None, found {self.timeout!r}")
        if self.max_cost is not None:
            object.__setattr__(self, "max_cost", money(self.max_cost, "Limits.max_cost"))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
