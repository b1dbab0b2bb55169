"""What surrounds one scenario: its event loop, its time limit, and the search for what it left behind."""

from __future__ import annotations

import asyncio
import faulthandler
import gc
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Coroutine
from types import FrameType
from typing import Any

STDERR = sys.__stderr__ or sys.stderr  # the real one, whatever captures the output
WEDGED = 30.0  # seconds past its time limit after which the whole process is ended
LINGER = 2.0  # seconds that a thread may take to end after the scenario


class ScenarioTimeout(Exception):
    """The scenario took too long."""


class StepCancelled(Exception):
    """A cancellation came out of an async step; behave would end the whole run with it."""


class ScenarioLoop(asyncio.SelectorEventLoop):
    """The one loop of all async steps of a scenario."""

    def run_until_complete(self, future: Any) -> Any:
        try:
            return super().run_until_complete(future)
        except asyncio.CancelledError as error:
            raise StepCancelled("the step was cancelled") from error


class Guard:
    """Gives a scenario its loop, and tells what was wrong when it has ended."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.faults: list[str] = []
        self.loop = ScenarioLoop()
        self.loop.set_exception_handler(self._on_loop_fault)
        self._threads = set(threading.enumerate())
        self._unraisablehook = sys.unraisablehook
        self._filters = warnings.catch_warnings()
        self._late = False

    def start(self) -> None:
        """Start the clock; all that can only be told by a hook or a warning becomes a fault from here on."""
        gc.freeze()  # what lives already is not the scenario's; a collection then takes milliseconds
        self._filters.__enter__()
        warnings.filterwarnings("error", category=ResourceWarning)
        warnings.filterwarnings("error", message="coroutine .* was never awaited", category=RuntimeWarning)
        sys.unraisablehook = self._on_unraisable
        faulthandler.dump_traceback_later(self.seconds + WEDGED, exit=True, file=STDERR)
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self._on_alarm)
            signal.setitimer(signal.ITIMER_REAL, self.seconds, 1.0)
        self.enter_loop()

    def enter_loop(self) -> None:
        """Make the scenario's loop the current one again: `asyncio.run` in a sync step leaves none behind."""
        asyncio.set_event_loop(self.loop)

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run *work* on the scenario's loop; an exception is a fault."""
        try:
            self.loop.run_until_complete(work)
        except Exception as error:
            self.faults.append("".join(traceback.format_exception(error)))

    def finish(self) -> list[str]:
        """Stop the clock, look for what is left, close the loop; the faults found, in words."""
        self._look_for_tasks()
        gc.collect()
        self.run(self._wind_up())
        self._stop_clock()
        self.loop.close()
        asyncio.set_event_loop(None)
        gc.collect()
        self._look_for_threads()
        sys.unraisablehook = self._unraisablehook
        self._filters.__exit__(None, None, None)
        return self.faults

    def _look_for_tasks(self) -> None:
        self.run(asyncio.sleep(0))  # callbacks that are due may end a task
        for task in asyncio.all_tasks(self.loop):
            self.faults.append(f"a task is left: {task!r}")
            task.cancel()

    async def _wind_up(self) -> None:
        if rest := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(rest, timeout=LINGER)
        await self.loop.shutdown_asyncgens()
        await self.loop.shutdown_default_executor()

    def _look_for_threads(self) -> None:
        for thread in set(threading.enumerate()) - self._threads:
            if thread.daemon:
                continue
            thread.join(LINGER)
            if thread.is_alive():
                self.faults.append(f"a thread is left: {thread!r}")

    def _stop_clock(self) -> None:
        faulthandler.cancel_dump_traceback_later()
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _on_alarm(self, signum: int, frame: FrameType | None) -> None:
        """First cancel what runs on the loop; every second after that, raise wherever the program is."""
        again, self._late = self._late, True
        if not again:
            self.faults.append(f"the scenario took longer than {self.seconds:g} s")
            faulthandler.dump_traceback(file=STDERR)
        if self.loop.is_running() and not again:
            self.loop.call_soon_threadsafe(self._cancel_all)
        else:
            raise ScenarioTimeout(f"{self.seconds:g} s")

    def _cancel_all(self) -> None:
        for task in asyncio.all_tasks(self.loop):
            task.cancel("the scenario took too long")

    def _on_loop_fault(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        trace = "".join(traceback.format_exception(error)) if error else ""
        self.faults.append(f"the loop was told: {context.get('message')}\n{trace}")

    def _on_unraisable(self, unraisable: sys.UnraisableHookArgs, /) -> None:
        trace = "".join(traceback.format_exception(unraisable.exc_value)) if unraisable.exc_value else ""
        self.faults.append(f"{unraisable.err_msg or 'ignored'} in {unraisable.object!r}\n{trace}")
