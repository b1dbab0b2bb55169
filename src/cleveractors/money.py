"""Prices, and what tokens cost; always `Decimal`, per million tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import cast

from cleveractors.exceptions import ConfigurationError
from cleveractors.models.slot import ToldUsage

__all__ = ["Money", "Price", "PriceBook", "PriceSource", "Quote", "money"]

Money = Decimal | str | int | float
_MILLION = Decimal(1_000_000)


def money(value: Money, what: str) -> Decimal:
    """An amount as `Decimal`; a float by its shortest text.

    Raises:
        ValueError: it is not a finite number of 0 or more.
    """
    try:
        amount = value if isinstance(value, Decimal) else Decimal(str(value))
    except InvalidOperation:
        raise ValueError(f"{what} must be a number, found {value!r}") from None
    if not amount.is_finite() or amount < 0:
        raise ValueError(f"{what} must be a finite number of 0 or more, found {value!r}")
    return amount


@dataclass(frozen=True, slots=True)
class Price:
    """What a model's tokens cost, per million tokens.

    Args:
        prompt: tokens sent.
        completion: tokens answered.
        cached: prompt tokens read from the provider's cache; default: `prompt`.
        cache_write: prompt tokens written to it; default: `prompt`.
        reasoning: completion tokens spent on reasoning; default: `completion`.
        above: (tokens, price) pairs, ascending: with a prompt of more tokens the whole request costs that.

    Raises:
        ValueError: an amount is no finite number of 0 or more, or `above` is something else.
    """

    prompt: Decimal
    completion: Decimal
    cached: Decimal | None = None
    cache_write: Decimal | None = None
    reasoning: Decimal | None = None
    above: tuple[tuple[int, Price], ...] = ()

    def __post_init__(self) -> None:
        for name in ("prompt", "completion", "cached", "cache_write", "reasoning"):
            value = getattr(self, name)
            if value is not None or name in ("prompt", "completion"):
                object.__setattr__(self, name, money(cast("Money", value), f"Price.{name}"))
        object.__setattr__(self, "above", _tiers(self.above))

    def cost(self, usage: ToldUsage) -> Decimal:
        """What these tokens cost; parts are priced apart, the rest of each total at its own price."""
        for start, price in reversed(self.above):
            if usage.prompt_tokens > start:
                return price.cost(usage)
        plain = max(usage.prompt_tokens - usage.cached_tokens - usage.cache_write_tokens, 0)
        answered = max(usage.completion_tokens - usage.reasoning_tokens, 0)
        return (
            plain * self.prompt
            + usage.cached_tokens * _or(self.cached, self.prompt)
            + usage.cache_write_tokens * _or(self.cache_write, self.prompt)
            + answered * self.completion
            + usage.reasoning_tokens * _or(self.reasoning, self.completion)
        ) / _MILLION

    @property
    def highest_prompt(self) -> Decimal:
        """The most that one prompt token can cost."""
        own = max(self.prompt, _or(self.cached, self.prompt), _or(self.cache_write, self.prompt)) / _MILLION
        return max((own, *(price.highest_prompt for _, price in self.above)))

    @property
    def highest_completion(self) -> Decimal:
        """The most that one completion token can cost."""
        own = max(self.completion, _or(self.reasoning, self.completion)) / _MILLION
        return max((own, *(price.highest_completion for _, price in self.above)))


def _tiers(above: object) -> tuple[tuple[int, Price], ...]:
    """The pairs as they are kept: what is wrong with them must not show when a cost is due."""
    tiers: list[tuple[int, Price]] = []
    for pair in cast("Sequence[object]", above if isinstance(above, list | tuple) else [above]):
        match pair:
            case (int(start), Price() as price) if not tiers or start > tiers[-1][0]:
                tiers.append((start, price))
            case _:
                raise ValueError(f"Price.above must be a list of (tokens, Price), ascending, found {pair!r}")
    return tuple(tiers)


def _or(value: Decimal | None, other: Decimal) -> Decimal:
    return other if value is None else value


@dataclass(frozen=True, slots=True)
class Quote:
    """A price and where it comes from."""

    price: Price
    source: str


PriceSource = Mapping[str, "Price | Mapping[str, Money]"] | Callable[[str, str], "Price | Mapping[str, Money] | None"]
"""Model name (or `provider/model`) → price; or a function of provider and model."""

Catalogue = Callable[[str, str, "str | None"], "Quote | None"]
"""A function of provider, model and address."""


class PriceBook:
    """Finds the price of a model.

    Args:
        source: the host's prices, or None.
        catalogue: list prices, asked where the host gave none.

    Raises:
        ConfigurationError: a price is malformed.
    """

    def __init__(self, source: PriceSource | None = None, catalogue: Catalogue | None = None) -> None:
        self._ask = source if callable(source) else None
        self._table = {} if source is None or callable(source) else _table(source)
        self._catalogue = catalogue if source is None else None

    @property
    def is_fixed(self) -> bool:
        """Whether prices are known without asking a function of the host's."""
        return self._ask is None

    def listed(self, provider: str, model: str, url: str | None = None) -> Quote | None:
        """The list price of a model, or None where none is known or the host gave prices of its own."""
        return None if self._catalogue is None else self._catalogue(provider, model, url)

    def quote(self, provider: str, model: str, url: str | None = None) -> Quote | None:
        """The price of a model, or None where none is known.

        Args:
            provider: as the actor's file names it.
            model: its name there.
            url: the endpoint, where it is not the provider's own.
        """
        if self._catalogue is not None:
            return self.listed(provider, model, url)
        if self._ask is not None:
            given = self._ask(provider, model)
            price = None if given is None else _price(model, given)
        else:
            price = self._table.get(f"{provider}/{model}") or self._table.get(model)
        return None if price is None else Quote(price, "host")


def _table(source: Mapping[str, Price | Mapping[str, Money]]) -> dict[str, Price]:
    return {model: _price(model, entry) for model, entry in source.items()}


def _price(model: str, entry: Price | Mapping[str, Money]) -> Price:
    try:
        return entry if isinstance(entry, Price) else Price(**entry)  # type: ignore[arg-type]  # __post_init__ converts
    except (TypeError, ValueError) as error:
        raise ConfigurationError(
            f"prices[{model!r}]: {error}; a price has prompt and completion per million tokens, "
            "and may have cached, cache_write and reasoning"
        ) from None
