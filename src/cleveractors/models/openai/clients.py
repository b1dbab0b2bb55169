"""The HTTP clients of one executor: one per event loop, none from the environment."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import anyio
import httpx2
import openai
from openai import AsyncOpenAI, Omit

from cleveractors.exceptions import ConfigurationError
from cleveractors.models.openai.connections import Connections, Origin
from cleveractors.models.openai.sending import SendingClient
from cleveractors.models.openai.settings import OPENAI_URL, OpenAISettings

__all__ = ["OpenAIClients", "request_headers"]

_CONNECTIONS = 1000
_KEEPALIVE = 30.0
_CONNECT_TIMEOUT = 10.0
_CLOSING = 2.0
_KEY_COMES_WITH_THE_REQUEST = "none"
_DEFAULT_HEADERS: dict[str, str | Omit] = {
    "Accept": "application/json",
    "Content-Type": "application/json",
    "User-Agent": f"AsyncOpenAI/Python {openai.__version__}",
}

_tls_lock = threading.Lock()
_tls: dict[bytes, ssl.SSLContext] = {}


class OpenAIClients:
    """Owns the HTTP clients of one executor; safe to call from any thread that runs a loop.

    Connections are pooled per loop and shared by all payers; keys travel with each request.

    Args:
        make_http: makes the HTTP client of a loop, for hosts with a proxy or a transport of their own.
    """

    def __init__(self, make_http: Callable[[], httpx2.AsyncClient] | None = None) -> None:
        self._make_http = make_http or _http_client
        self._lock = threading.Lock()
        self._of_loop: dict[asyncio.AbstractEventLoop, _LoopClients] = {}

    def http(self) -> httpx2.AsyncClient:
        """Give the HTTP client of the running loop, made at the first call.

        Raises:
            RuntimeError: no event loop runs here.
        """
        return self._here().http

    def client(self, settings: OpenAISettings) -> AsyncOpenAI:
        """Give the openai client for the running loop and the endpoint of `settings`.

        It is shared, so it carries no key, organization or project: `request_headers` are
        to be sent with each request. It never retries.

        Raises:
            ConfigurationError: the base URL is none.
        """
        loop_clients = self._here()
        url = settings.base_url or OPENAI_URL
        client = loop_clients.by_url.get(url)
        if client is None:
            client = loop_clients.by_url[url] = _client(url, loop_clients.http)
        return client

    async def aclose(self) -> None:
        """Close the clients of this loop, and those of other loops as far as those loops still run.

        Never waits longer than a few seconds; may be called again.
        """
        with self._lock:
            leaving, self._of_loop = self._of_loop, {}
        here = asyncio.get_running_loop()
        elsewhere = [
            asyncio.wrap_future(asyncio.run_coroutine_threadsafe(clients.http.aclose(), loop))
            for loop, clients in leaving.items()
            if loop is not here and loop.is_running()
        ]
        if here in leaving:
            await _bounded(leaving[here].http.aclose())
        for closing in elsewhere:
            await _bounded(closing)

    def _here(self) -> _LoopClients:
        loop = asyncio.get_running_loop()
        found = self._of_loop.get(loop)
        if found is not None:
            return found
        with self._lock:
            # Sockets of a closed loop can only be closed by forgetting them.
            self._of_loop = {known: clients for known, clients in self._of_loop.items() if not known.is_closed()}
            return self._of_loop.setdefault(loop, _LoopClients(self._make_http()))


def request_headers(settings: OpenAISettings) -> dict[str, str]:
    """Give the headers that say who asks and who pays.

    Raises:
        ConfigurationError: the key is no text that a header could carry.
    """
    key = settings.api_key.strip()
    if not (key.isascii() and key.isprintable()):
        raise ConfigurationError("The API key holds characters that no HTTP header can carry.")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    if settings.organization:
        headers["OpenAI-Organization"] = settings.organization
    if settings.project:
        headers["OpenAI-Project"] = settings.project
    return {**headers, **(settings.default_headers or {})}


@dataclass(slots=True)
class _LoopClients:
    http: httpx2.AsyncClient
    by_url: dict[str, AsyncOpenAI] = field(default_factory=dict[str, AsyncOpenAI])


class _EndpointClient(AsyncOpenAI):
    """An openai client that takes nothing from the environment."""

    def __init__(self, url: str, query: Mapping[str, object], http: httpx2.AsyncClient) -> None:
        wire = ("accept-encoding", "connection")
        self._wire_headers = {**_DEFAULT_HEADERS, **{name: http.headers[name] for name in wire if name in http.headers}}
        # Empty rather than absent: what is absent the client looks up in the environment.
        super().__init__(
            api_key=_KEY_COMES_WITH_THE_REQUEST,
            admin_api_key="",
            organization="",
            project="",
            webhook_secret="",  # nosec B106 - empty: nothing of the environment is read
            base_url=url,
            default_query=query,
            http_client=http,
            max_retries=0,
        )

    @property
    def default_headers(self) -> dict[str, str | Omit]:
        # Anew, since the inherited ones contain OPENAI_CUSTOM_HEADERS, and describe the host's machine.
        return self._wire_headers


def _client(url: str, http: httpx2.AsyncClient) -> AsyncOpenAI:
    try:
        base = httpx2.URL(url)
    except httpx2.InvalidURL as error:
        raise ConfigurationError(f"The base URL {url!r} is none: {error}.") from error
    if base.scheme not in ("http", "https") or not base.host:
        raise ConfigurationError(f"The base URL {url!r} is none: it has to begin with http:// or https:// and a host.")
    query: dict[str, Any] = dict(base.params)
    return _EndpointClient(str(base.copy_with(query=None)), query, http)


def _http_client() -> httpx2.AsyncClient:
    # How long an answer may take is the runtime's to say.
    timeout = httpx2.Timeout(None, connect=_CONNECT_TIMEOUT)
    return SendingClient(Connections(_lane, _CONNECTIONS, _KEEPALIVE), timeout)


def _lane(origin: Origin) -> httpx2.AsyncBaseTransport:
    """A transport of one connection."""
    limits = httpx2.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=_KEEPALIVE)
    return httpx2.AsyncHTTPTransport(verify=_tls_context(origin[0]), trust_env=False, limits=limits)


def _tls_context(scheme: bytes) -> ssl.SSLContext:
    """The context of a scheme, made once: reading all the authorities takes long, and plain HTTP needs none."""
    with _tls_lock:
        if scheme not in _tls:
            bare = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if scheme == b"http" else None
            _tls[scheme] = bare or httpx2.create_ssl_context(trust_env=False)
        return _tls[scheme]


async def _bounded(closing: Awaitable[object]) -> None:
    # A loop may stop, or a socket break, while we ask it to close: nothing is left to do then.
    with suppress(Exception), anyio.move_on_after(_CLOSING, shield=True):
        await closing
