"""A web client that can leave in the middle of an answer."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable
from typing import Any
from urllib.request import urlopen

from robot.api.deco import keyword, library


@library(scope="SUITE")
class Web:
    """Asks one server, whose port `Ask Server On` names."""

    def __init__(self) -> None:
        self._port = 0
        self._left: socket.socket | None = None

    @keyword
    def ask_server_on(self, port: int) -> None:
        """Name the port of the server."""
        self._port = port

    @keyword
    def get_text(self, path: str) -> str:
        """Read a whole answer."""
        with urlopen(f"http://127.0.0.1:{self._port}{path}", timeout=60) as response:
            return response.read().decode()

    @keyword
    def get_json(self, path: str) -> Any:
        """Read a whole answer as JSON."""
        return json.loads(self.get_text(path))

    @keyword
    def begin_to_read(self, path: str, until: str | None = None) -> None:
        """Ask, and read until a text has come; None: nothing."""
        client = self._left = socket.create_connection(("127.0.0.1", self._port), 60)
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: test\r\n\r\n".encode())
        seen = b""
        while until is not None and until.encode() not in seen:
            piece = client.recv(4096)
            assert piece, f"the server closed after {seen!r}"
            seen += piece

    @keyword
    def leave(self) -> None:
        """Close the connection in the middle of the answer."""
        assert self._left is not None
        self._left.close()

    @keyword
    def wait_for_bill(self, number: int = 1) -> dict[str, Any]:
        """Wait until `/stats` tells of so many bills; return the last."""
        return _until(lambda: self.get_json("/stats")["bills"], lambda bills: len(bills) >= number)[-1]

    @keyword
    def wait_for_tasks(self, count: int) -> None:
        """Wait until no more tasks run than that."""
        _until(lambda: self.get_json("/stats")["tasks"], lambda tasks: len(tasks) <= count)


def _until(ask: Callable[[], Any], done: Callable[[Any], bool]) -> Any:
    deadline = time.monotonic() + 60
    while not done(answer := ask()):
        assert time.monotonic() < deadline, f"still {answer!r}"
        time.sleep(0.02)
    return answer
