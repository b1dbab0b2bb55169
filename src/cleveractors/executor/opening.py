"""Agents are opened once, by whichever run needs them first."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from typing import Any

from cleveractors.agents.base import Agent

__all__ = ["Openings"]


class Openings:
    """Opens agents before their first run and closes them with the executor; usable from several loops."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._opened: dict[str, Future[None]] = {}

    async def open(self, agent: Agent[Any]) -> None:
        """Open an agent unless it is; others wait for whoever opens it. A failure is tried again by the next run."""
        if type(agent).open is Agent.open:
            return
        with self._lock:
            future = self._opened.get(agent.name)
            mine = future is None
            if future is None:
                future = self._opened[agent.name] = Future[None]()
        if not mine:
            await asyncio.wrap_future(future)
            return
        try:
            await agent.open()
        except BaseException as error:
            with self._lock:
                del self._opened[agent.name]
            future.set_exception(error if isinstance(error, Exception) else RuntimeError("opening was cancelled"))
            # Whoever waits gets it; nobody may.
            future.exception()
            raise
        future.set_result(None)

    async def close(self, agents: Iterable[Agent[Any]]) -> list[Exception]:
        """Close every agent that was opened, or that needs no opening; the errors that came."""
        errors: list[Exception] = []
        for agent in agents:
            if type(agent).open is not Agent.open and agent.name not in self._opened:
                continue
            try:
                await agent.aclose()
            except Exception as error:
                errors.append(error)
        return errors
