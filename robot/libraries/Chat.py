"""A client of the chat backend, which can leave in the middle of an answer."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
from robot.api.deco import keyword, library


@library(scope="SUITE")
class Chat:
    """Speaks to one server, whose port `Chat With` names."""

    def __init__(self) -> None:
        self._client = httpx.Client()

    @keyword
    def chat_with(self, port: int) -> None:
        """Name the port of the server."""
        self._client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60)

    @keyword
    def ask(self, message: str, session: str, tenant: str) -> dict[str, Any]:
        """Ask for an answer in one piece."""
        response = self._client.post("/ask", json=_question(message, session), headers={"x-tenant": tenant})
        return response.raise_for_status().json()

    @keyword
    def chat(self, message: str, session: str, tenant: str, leave_at: str | None = None) -> list[list[Any]]:
        """Ask for a streamed answer, and return its frames as names and data; leave behind the frame of a name."""
        frames: list[list[Any]] = []
        headers = {"x-tenant": tenant}
        with self._client.stream("POST", "/chat", json=_question(message, session), headers=headers) as response:
            for name, data in _frames(response.raise_for_status().iter_lines()):
                frames.append([name, data])
                if name == leave_at:
                    break
        return frames

    @keyword
    def bills_of(self, tenant: str) -> list[dict[str, Any]]:
        """What the database has of a tenant's runs."""
        return self._client.get("/bills", headers={"x-tenant": tenant}).raise_for_status().json()

    @keyword
    def wait_for_bills_of(self, tenant: str, count: int) -> list[dict[str, Any]]:
        """Wait until the database has so many of them."""
        deadline = time.monotonic() + 60
        while len(bills := self.bills_of(tenant)) < count:
            assert time.monotonic() < deadline, f"still {bills!r}"
            time.sleep(0.02)
        return bills


def _question(message: str, session: str) -> dict[str, str]:
    return {"message": message, "session": session}


def _frames(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    name = ""
    for line in lines:
        key, _, value = line.partition(": ")
        if key == "event":
            name = value
        elif key == "data":
            yield name, json.loads(value)
