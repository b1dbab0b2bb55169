"""The many places that a run can be aborted from."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from cleveractors import AbortSignal, EventOrigin, ReactEndEvent, ReActEvent, ToolCallErrorEvent
from features.lib.events_rules import check_stream
from features.lib.events_story import EventStory

__all__ = ["abort_by_options", "abort_from", "ask_with_two_signals", "ends_of", "errors_of"]


async def abort_from(story: EventStory, where: str, kind: str, *, streamed: bool) -> None:
    """Read a stream that is aborted, from somewhere, when an event of this kind has come."""
    if where == "an observer":
        story.house["observers"] = [_observer(story, kind)]
    abort = _PLACES.get(where, _nowhere)
    stream = story.begin(streamed=streamed)
    async for output in stream:
        story.outputs.append(output)
        if story.rows[-1][0] == kind:
            abort(story)
    story.result = stream.result
    check_stream(story.outputs, story.result)


def _observer(story: EventStory, kind: str) -> Callable[[ReActEvent, EventOrigin], None]:
    def observe(event: ReActEvent, origin: EventOrigin) -> None:
        if event.event_type == kind:
            story.signal.abort("enough")

    return observe


def _from_thread(story: EventStory) -> None:
    thread = threading.Thread(target=story.signal.abort, args=["enough"])
    thread.start()
    thread.join()


def _nowhere(story: EventStory) -> None:
    del story


_PLACES: dict[str, Callable[[EventStory], Any]] = {
    "another thread": _from_thread,
    "the stream": lambda story: story.stream.abort("enough"),
    "the executor": lambda story: story.executor.abort(story.stream.run_id, "enough"),
}


async def abort_by_options(story: EventStory, names: Sequence[str]) -> None:
    """Read a stream that is aborted by a signal given under these names."""
    signal = AbortSignal()
    options: dict[str, Any] = dict.fromkeys(names, signal)
    stream = story.executor.execute_events("Go", **options)
    async for output in stream:
        story.outputs.append(output)
        if story.rows[-1][0] == "tool_call_start":
            signal.abort("enough")
    story.result = stream.result
    check_stream(story.outputs, story.result)


def ask_with_two_signals(story: EventStory) -> None:
    """Ask for a stream; the names of the one option name two signals."""
    story.executor.execute_events("Go", abort_signal=AbortSignal(), _abort_signal=AbortSignal())


def errors_of(story: EventStory) -> list[str]:
    """What tools' errors said, each behind its call's id."""
    return [f"{one.tool_call_id} {one.error}" for one in story.events if isinstance(one, ToolCallErrorEvent)]


def ends_of(story: EventStory) -> list[str]:
    """How agents ended, in order."""
    return [one.stop_reason for one in story.events if isinstance(one, ReactEndEvent)]
