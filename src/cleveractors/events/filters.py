"""Parts of an event stream; closing one closes the stream."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable
from types import TracebackType
from typing import Any, Generic, Self, TypeAlias, TypeVar, cast

from cleveractors.events.envelope import EventYield, ReactOutput, ResponseYield, is_event_yield, is_response_yield
from cleveractors.events.types import ReActEvent, ReActEventType

__all__ = ["FilteredStream", "Wanted", "close_stream", "events_only", "filter_events", "responses_only"]

T = TypeVar("T", EventYield, ResponseYield, ReactOutput)

Wanted: TypeAlias = "type[ReActEvent] | ReActEventType | Callable[[EventYield], bool]"
"""An event class, a type of events, or a predicate of an `EventYield`."""


class FilteredStream(Generic[T]):
    """The outputs of another stream that are wanted.

    Args:
        stream: what is read; it is closed with this one.
        keep: says which are wanted.
    """

    def __init__(self, stream: AsyncIterable[ReactOutput], keep: Callable[[ReactOutput], bool]) -> None:
        self._source = aiter(stream)
        self._keep = keep

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        while True:
            output = await self._source.__anext__()
            try:
                wanted = self._keep(output)
            except BaseException:
                await self.aclose()
                raise
            if wanted:
                return cast("T", output)

    async def aclose(self) -> None:
        """Close the stream that is read. Idempotent where that one is."""
        await close_stream(self._source)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


async def close_stream(stream: AsyncIterator[Any]) -> None:
    """Close a stream, where it can be."""
    aclose = getattr(stream, "aclose", None)
    if aclose is not None:
        await aclose()


def responses_only(stream: AsyncIterable[ReactOutput]) -> FilteredStream[ResponseYield]:
    """The answers of a stream."""
    return FilteredStream[ResponseYield](stream, is_response_yield)


def events_only(stream: AsyncIterable[ReactOutput]) -> FilteredStream[EventYield]:
    """The events of a stream."""
    return FilteredStream[EventYield](stream, is_event_yield)


def filter_events(stream: AsyncIterable[ReactOutput], *wanted: Wanted) -> FilteredStream[EventYield]:
    """The events of a stream that are of one of these classes or types, or for which a predicate holds.

    Raises:
        TypeError: something wanted is none of these.
    """
    classes = tuple(one for one in wanted if isinstance(one, type) and issubclass(one, ReActEvent))
    types = frozenset(one for one in wanted if isinstance(one, ReActEventType))
    rest = [one for one in wanted if one not in classes and not isinstance(one, ReActEventType)]
    predicates = [cast("Callable[[EventYield], bool]", one) for one in rest if callable(one)]
    if unknown := [one for one in rest if not callable(one) or isinstance(one, type)]:
        raise TypeError(f"an event class, a ReActEventType or a predicate is wanted, found {unknown[0]!r}")

    def keep(output: ReactOutput) -> bool:
        if not is_event_yield(output):
            return False
        event = output.event
        return isinstance(event, classes) or event.event_type in types or any(holds(output) for holds in predicates)

    return FilteredStream[EventYield](stream, keep)
