"""The thread that serves: an event loop of its own, listening on the loopback interface."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import Any

from cleveractors.testing.provider.connection import Connection
from cleveractors.testing.provider.desk import Desk

_BACKLOG = 1024


class ServerThread:
    """Runs the server of one provider in a daemon thread.

    Args:
        desk: Serves the requests.
        port: The port to listen on; 0: any free one.
    """

    def __init__(self, desk: Desk, port: int) -> None:
        self._desk = desk
        self._port = port
        self._ready = threading.Event()
        self._error: OSError | None = None
        self._thread = threading.Thread(target=self._run, name="scripted-provider", daemon=True)

    def start(self) -> int:
        """Start to listen.

        Returns:
            The port.

        Raises:
            OSError: The port cannot be used.
        """
        self._thread.start()
        self._ready.wait()
        if self._error is not None:
            self._thread.join()
            raise self._error
        return self._port

    def stop(self) -> None:
        """End all connections and the thread; returns once both are gone."""
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except OSError as error:
            self._error = error
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(self._report)
        self._stopping = asyncio.Event()
        server = await self._loop.create_server(self._accept, "127.0.0.1", self._port, backlog=_BACKLOG)
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stopping.wait()
        await self._stop_listening(server)
        await self._desk.connections.close_all()

    async def _stop_listening(self, server: asyncio.Server) -> None:
        # asyncio leaves open what it is accepting while its server is closed: accept no more, let it finish, close.
        with suppress(NotImplementedError):
            for listener in server.sockets:
                self._loop.remove_reader(listener)
        self._desk.connections.closing = True
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        server.close()

    def _accept(self) -> Connection:
        return Connection(self._desk, self._desk.connections)

    def _report(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self._desk.report(f"the provider failed: {context.get('exception') or context.get('message')}")
