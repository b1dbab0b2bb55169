"""Ctrl-C, and being told to end: the run is cancelled, and settles."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from typing import Any

__all__ = ["Interruption"]


class Interruption:
    """Cancels a task when the process is told to end, and again each time it is told so."""

    def __init__(self) -> None:
        self.number: int | None = None
        """The signal that came first."""

    def watch(self, task: asyncio.Task[Any]) -> None:
        """Listen on the running loop, unless whoever started the process has switched a signal off."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) is signal.SIG_IGN:
                continue
            # Loops of Windows know no signals: there Ctrl-C cancels the task in asyncio's own way.
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(number, self._told, number, task)

    def _told(self, number: int, task: asyncio.Task[Any]) -> None:
        self.number = self.number or number
        task.cancel()
