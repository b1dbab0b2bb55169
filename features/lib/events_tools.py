"""The tools of the event stream's stories."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cleveractors import AbortSignal, CustomEvent, FatalToolError, RunContext, ToolEventEmitter

__all__ = ["EventTools"]


async def look(word: str) -> str:
    """Look up a word."""
    return f"{word} is a word"


async def big(size: int) -> str:
    """Answer at length."""
    return "x" * size


async def fail() -> str:
    """Fail."""
    raise ValueError("no luck")


async def fatal() -> str:
    """End the run."""
    raise FatalToolError("that was it")


async def hang() -> str:
    """Never answer."""
    return await asyncio.Future[str]()


async def stop_run(context: RunContext) -> str:
    """Abort the run, and never answer."""
    context.abort_signal.abort("enough")
    return await hang()


async def stop_twice(context: RunContext) -> str:
    """Abort the run twice, with two reasons."""
    context.abort_signal.abort("first")
    context.abort_signal.abort("second")
    return await hang()


async def heed(_abort_signal: AbortSignal) -> str:
    """Abort the run's signal, as a tool sees it, and come to an end by itself."""
    _abort_signal.abort("enough")
    await _abort_signal.wait()
    return f"stopped: {_abort_signal.reason}"


async def heed_annotated(seen: AbortSignal) -> str:
    """The same, by annotation."""
    return await heed(seen)


async def ignore(_abort_signal: AbortSignal) -> str:
    """Take the signal, and not care."""
    _abort_signal.abort("enough")
    return await hang()


async def tell(emitter: ToolEventEmitter) -> str:
    """Tell three steps."""
    await emitter.emit("progress", {"step": 1})
    await emitter.emit(CustomEvent("progress", {"step": 2}))
    emitter.emit_sync("progress", {"step": 3})
    return "told"


async def tell_built() -> str:
    """Tell by an emitter of its own making."""
    return await tell(ToolEventEmitter())


async def tell_by_context(context: RunContext) -> str:
    """Tell by the context's emitter."""
    return await tell(context.emitter)


def tell_from_thread(emitter: ToolEventEmitter) -> str:
    """Tell from a sync tool, and from a thread of its own."""
    emitter.emit_sync("progress", {"step": 1})
    other = threading.Thread(target=lambda: ToolEventEmitter.emit_sync(emitter, "progress", {"step": 2}))
    other.start()
    other.join()
    emitter.emit_sync(CustomEvent("progress", {"step": 3}))
    return "told"


async def tell_foreign(emitter: ToolEventEmitter) -> str:
    """Tell in the name of another call."""
    await emitter.emit(CustomEvent("progress", {}, tool_call_id="call_99"))
    return "told"


@dataclass
class EventTools:
    """Those above, and those that leave something behind."""

    kept: list[ToolEventEmitter] = field(default_factory=list[ToolEventEmitter])
    release: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None
    refusal: str = ""
    """What a thread was told that told something too late."""
    told: int = 0
    """Steps that were told to their end."""

    def pick(self, names: list[str]) -> list[Callable[..., Any]]:
        """The tools of these names."""
        own: list[Callable[..., Any]] = [self.keep, self.block, self.spam, self.spam_both, self.end_first]
        plain = [look, big, fail, fatal, hang, stop_run, stop_twice, heed, heed_annotated, ignore]
        talking = [tell, tell_built, tell_by_context, tell_from_thread, tell_foreign]
        every = {one.__name__: one for one in [*plain, *talking, *own]}
        return [every[name] for name in names]

    async def keep(self, emitter: ToolEventEmitter) -> str:
        """Keep the emitter for later."""
        self.kept.append(emitter)
        return "kept"

    def block(self, context: RunContext) -> str:
        """Abort the run from the tool's thread, and go on in it."""
        context.abort_signal.abort("enough")
        self.release.wait(20)
        return "too late"

    async def spam_both(self, count: int, emitter: ToolEventEmitter) -> str:
        """Tell much, two things at once."""
        await asyncio.gather(*(self.spam(count // 2, emitter) for _ in range(2)))
        return "told"

    async def end_first(self, emitter: ToolEventEmitter) -> str:
        """End when a thread of its own has begun to tell something, and before it is told."""
        loop, posted = asyncio.get_running_loop(), threading.Event()
        post = loop.call_soon_threadsafe

        def note(*given: Any, **options: Any) -> Any:
            handle = post(*given, **options)
            posted.set()
            return handle

        setattr(loop, "call_soon_threadsafe", note)  # noqa: B010 - a method of the loop's, in this story alone
        self.thread = threading.Thread(target=self._tell_late, args=(emitter,))
        self.thread.start()
        posted.wait(60)
        setattr(loop, "call_soon_threadsafe", post)  # noqa: B010 - likewise
        return "ended"

    def _tell_late(self, emitter: ToolEventEmitter) -> None:
        try:
            emitter.emit_sync("late")
        except RuntimeError as error:
            self.refusal = str(error)

    async def spam(self, count: int, emitter: ToolEventEmitter) -> str:
        """Tell much."""
        for number in range(count):
            await emitter.emit("progress", {"step": number})
            self.told += 1
        return "told"
