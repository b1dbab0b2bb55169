"""Kernels by whom they belong to: a session, else a run."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cleveractors.exceptions import ExecutionError
from cleveractors.sessions.turns import Turns
from cleveractors.tools.repl.kernel import Bounds, Emit, Kernel, Outcome

if TYPE_CHECKING:
    from cleveractors.tasks import Background

__all__ = ["Kernels", "Place"]

KEPT_REASONS = 1_000


@dataclass(frozen=True, slots=True)
class Place:
    """Whose a kernel is."""

    owner: object
    """The executor's services: ids are unique within them alone."""
    run_id: str | None = None
    session_id: str | None = None


class Kernels:
    """All kernels of one tool; each works for one call at a time.

    Args:
        make: starts one.
        most: that may live at a time.
    """

    def __init__(self, make: Callable[[], Kernel], most: int) -> None:
        self._make = make
        self._most = most
        self._lock = threading.Lock()
        self._turns = Turns()
        self._kernels: OrderedDict[Place, Kernel] = OrderedDict()
        self._lost: OrderedDict[Place, str] = OrderedDict()
        """Why the last kernel of a place is no more, until its next call is told."""

    async def run(self, place: Place, code: str, bounds: Bounds, emit: Emit) -> tuple[Outcome, str | None]:
        """Run a cell in the kernel of a place, which is started where there is none.

        Returns:
            How it ended, and why an earlier kernel's variables are gone, where the code may miss them.

        Raises:
            ExecutionError: there are as many kernels as may be, or none comes up.
        """
        turn = await self._turns.take(place)
        try:
            kernel, missed = await self._kernel(place)
            try:
                outcome = await kernel.run(code, bounds, emit)
            except BaseException:
                self._forget(place, kernel, "it was ended with the call that it worked for")
                raise
            if outcome.lost is not None:
                self._forget(place, kernel, outcome.lost)
            return outcome, missed
        finally:
            turn.release()

    async def _kernel(self, place: Place) -> tuple[Kernel, str | None]:
        with self._lock:
            kernel = self._kernels.get(place)
            if kernel is not None:
                self._kernels.move_to_end(place)
        if kernel is not None and kernel.process.has_ended():
            await kernel.end()
            self._forget(place, kernel, "its process ended between two calls")
            kernel = None
        if kernel is not None:
            return kernel, None
        await self._make_room()
        with self._lock:
            if len(self._kernels) >= self._most:
                raise ExecutionError(f"{len(self._kernels)} kernels are at work, as many as may be: try again later")
            kernel = self._kernels[place] = self._make()
            return kernel, self._lost.pop(place, None)

    async def _make_room(self) -> None:
        """End the kernel of the session that was quiet for longest, where there are as many as may be."""
        with self._lock:
            if len(self._kernels) < self._most:
                return
            quiet = [one for one in self._kernels if one.session_id is not None and not self._turns.is_taken(one)]
            if not quiet:
                return
            place = quiet[0]
            kernel = self._kernels[place]
        self._forget(place, kernel, "it was ended to make room for another")
        await kernel.end()

    def _forget(self, place: Place, kernel: Kernel, why: str) -> None:
        with self._lock:
            if self._kernels.get(place) is kernel:
                del self._kernels[place]
                self._lost[place] = why
                if len(self._lost) > KEPT_REASONS:
                    self._lost.popitem(last=False)

    def release(self, chosen: Callable[[Place], bool], background: Background | None) -> None:
        """End the kernels of some places, at once; from any thread."""
        with self._lock:
            places = [place for place in self._kernels if chosen(place)]
            kernels = [self._kernels.pop(place) for place in places]
            for place in [place for place in self._lost if chosen(place)]:
                del self._lost[place]
        for kernel in kernels:
            kernel.process.kill("it was ended with its run or session")
            _reap(kernel, background)

    async def aclose(self) -> None:
        """End all kernels, and wait for that."""
        with self._lock:
            kernels = list(self._kernels.values())
            self._kernels.clear()
            self._lost.clear()
        for kernel in kernels:
            await kernel.end("its tool was closed")

    def __len__(self) -> int:
        return len(self._kernels)


def _reap(kernel: Kernel, background: Background | None) -> None:
    if background is not None and _loop_runs():
        background.start(kernel.process.reap(), f"end of kernel {kernel.process.pid}")
    else:
        kernel.process.reap_now()


def _loop_runs() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
