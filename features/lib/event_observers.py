"""Observers and filters of event streams: what the steps about them need."""

from __future__ import annotations

import asyncio
from typing import Any

from cleveractors.events.envelope import EventOrigin, EventYield, ReactOutput
from cleveractors.events.filters import FilteredStream, events_only, filter_events, responses_only
from cleveractors.events.observers import Observer, Observers
from cleveractors.events.types import ReactStartEvent
from cleveractors.tools import ToolThreads
from features.lib.event_frames import Script
from features.lib.event_wire import value_of


def filtered(names: str, script: Script) -> FilteredStream[Any]:
    """A stream through a filter and what it is for, of a feature's words."""
    kind, *wanted = names.split(", ")
    if kind == "filter_events":
        return filter_events(script, *map(word_of, wanted))
    return responses_only(script) if kind == "responses_only" else events_only(script)


def word_of(text: str) -> Any:
    """Something wanted, of an expression."""
    return value_of(text)


def number_of(output: ReactOutput) -> str:
    """An event's number, or that it is the answer."""
    return str(output.origin.event_seq) if isinstance(output, EventYield) else "response"


async def notify(count: int, fn: Observer) -> None:
    """Notify an observer of many events before it can hear of any."""
    observers = Observers([fn], ToolThreads())
    for number in range(1, count + 1):
        observers.notify(ReactStartEvent(), EventOrigin("s", "a", number))
    await observers.drain(5)


async def notify_after_drain(fn: Observer) -> None:
    """Notify an observer whose run has ended."""
    observers = Observers([fn], ToolThreads())
    await observers.drain(5)
    observers.notify(ReactStartEvent(), EventOrigin("s", "a", 1))


async def cancel_drain(fn: Observer) -> None:
    """Cancel the wait for an observer that hangs."""
    observers = Observers([fn], ToolThreads())
    observers.notify(ReactStartEvent(), EventOrigin("s", "a", 1))
    draining = asyncio.create_task(observers.drain(60))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    draining.cancel()
    await asyncio.wait([draining])
    assert draining.cancelled()


def observer_of(kind: str, told: list[Any]) -> Observer:
    """An observer: `sync`, `async`, `raising`, `hanging`, or one that answers with a coroutine."""

    def sync(event: object, origin: EventOrigin) -> None:
        told.append(origin.event_seq)

    async def asynchronous(event: object, origin: EventOrigin) -> None:
        await asyncio.sleep(0)
        told.append(origin.event_seq)

    async def raising(event: object, origin: EventOrigin) -> None:
        told.append(origin.event_seq)
        raise asyncio.CancelledError if origin.event_seq == 1 else ValueError("not today")

    def raising_sync(event: object, origin: EventOrigin) -> None:
        told.append(origin.event_seq)
        raise ValueError("not today")

    async def hanging(event: object, origin: EventOrigin) -> None:
        told.append(origin.event_seq)
        await asyncio.Event().wait()

    def answering(event: object, origin: EventOrigin) -> object:
        return asynchronous(event, origin)

    kinds: dict[str, Observer] = {
        "sync": sync,
        "async": asynchronous,
        "raising": raising,
        "raising sync": raising_sync,
        "hanging": hanging,
        "answering": answering,
    }
    return kinds[kind]
