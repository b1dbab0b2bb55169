"""An HTTP client that sends requests as they are: no cookies, redirects or logins, of no use to model calls."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

import httpx2

from cleveractors.models.openai.notes import note_headers

__all__ = ["SendingClient"]

_MORE = ("params", "cookies", "data", "files", "json", "extensions")


class SendingClient(httpx2.AsyncClient):
    """Sends what the openai client hands over, with a third of the steps.

    Cookies would be worse than a waste: one payer's would go out with another's requests.

    Args:
        transport: of every request; the environment and its proxies are not asked.
        timeout: where a request has none of its own.
    """

    def __init__(self, transport: httpx2.AsyncBaseTransport, timeout: httpx2.Timeout) -> None:
        super().__init__(transport=transport, timeout=timeout, trust_env=False)
        self._own_transport = transport

    def build_request(self, method: str, url: httpx2.URL | str, **given: Any) -> httpx2.Request:
        """Make a request of ready-made headers and content; anything else is left to the library."""
        timeout = given.get("timeout")
        if not isinstance(timeout, httpx2.Timeout) or any(given.get(name) for name in _MORE):
            return super().build_request(method, url, **given)
        return httpx2.Request(
            method,
            _parsed(url),
            headers=given.get("headers"),
            content=given.get("content"),
            extensions={"timeout": timeout.as_dict()},
        )

    async def send(self, request: httpx2.Request, *, stream: bool = False, **given: Any) -> httpx2.Response:
        """Send a request, and note the headers of its response; with a login or redirects it is left to the library."""
        if given:
            return await super().send(request, stream=stream, **given)
        try:
            response = await self._own_transport.handle_async_request(request)
        except httpx2.RequestError as error:
            error.request = request
            raise
        response.request = request
        note_headers(response.headers)
        if not stream:
            await _read(response)
        return response


async def _read(response: httpx2.Response) -> None:
    try:
        await response.aread()
    except BaseException:
        await response.aclose()
        raise


@lru_cache(maxsize=256)
def _parsed(url: httpx2.URL | str) -> httpx2.URL:
    return httpx2.URL(cast("Any", url))
