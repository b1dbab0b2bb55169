"""Agents are opened once, by whichever run needs them first."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from typing import Any

from cleveractors.abort import bounded
from cleveractors.agents.base import Agent
from cleveractors.run import Run

__all__ = ["Openings"]


class Openings:
    """Opens agents before their first run and closes them with the executor; usable from several loops."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._opened: dict[str, Future[bool]] = {}
        self._closed: set[str] = set()

    async def open(self, agent: Agent[Any], run: Run) -> None:
        """Open an agent unless it is; others wait for whoever opens it, and try themselves where that failed.

        Raises:
            Aborted: the run's signal ended the wait.
            TimeoutError: the run's clock did.
        """
        if type(agent).open is Agent.open:
            return
        async with bounded(run.signal, None, run.clock):
            while True:
                future, mine = self._claim(agent.name)
                if mine:
                    await self._open(agent, future)
                    return
                # The wait of one run may end; the opening goes on.
                if await asyncio.shield(asyncio.wrap_future(future)):
                    return

    def _claim(self, name: str) -> tuple[Future[bool], bool]:
        with self._lock:
            future = self._opened.get(name)
            if future is not None:
                return future, False
            future = self._opened[name] = Future()
            return future, True

    async def _open(self, agent: Agent[Any], future: Future[bool]) -> None:
        try:
            await agent.open()
        except BaseException:
            with self._lock:
                del self._opened[agent.name]
            future.set_result(False)
            raise
        future.set_result(True)

    async def close(self, agents: Iterable[Agent[Any]], seconds: float) -> list[Exception]:
        """Close every agent once that was opened, or that needs no opening; the errors that came."""
        errors: list[Exception] = []
        for agent in agents:
            if not self._take(agent):
                continue
            try:
                async with asyncio.timeout(seconds):
                    await agent.aclose()
            except Exception as error:
                errors.append(error)
        return errors

    def _take(self, agent: Agent[Any]) -> bool:
        """Whether it is for this caller to close the agent."""
        with self._lock:
            unopened = type(agent).open is not Agent.open and agent.name not in self._opened
            if unopened or agent.name in self._closed:
                return False
            self._closed.add(agent.name)
            return True
