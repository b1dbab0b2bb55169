"""The scripted provider: an OpenAI-compatible server for tests, with a script, faults and a ledger of its own."""

from __future__ import annotations

import asyncio
import atexit
import functools
import socket
from types import TracebackType

from cleveractors.testing.provider.desk import Desk
from cleveractors.testing.provider.ledger import LedgerEntry, LedgerTotals
from cleveractors.testing.provider.request import RecordedRequest
from cleveractors.testing.provider.script import Responder
from cleveractors.testing.provider.thread import ServerThread
from cleveractors.testing.provider.turn import Step


class ScriptedProvider:
    """A real HTTP server on 127.0.0.1 that answers chat completions by a script.

    It serves `POST /v1/chat/completions` (blocking and streaming) and `GET /v1/models` in a thread of its own,
    records every request and keeps a ledger of what a provider would bill. Use it as a context manager, plain or
    async, or call `start` and `close`. Every member is safe to use from any thread:

        with ScriptedProvider() as provider:
            provider.script(Turn("Take a coat.", prompt_tokens=150, completion_tokens=10))
            client = OpenAI(base_url=provider.base_url, api_key="any")

    Args:
        default: A turn for every request for which the script has none left; see `script_forever`.
        api_key: The only key accepted; other requests get a 401. `None` accepts any request.
        strict_history: Reject (400, as OpenAI does) a history in which a tool call has no tool message with its id
            right after it, or a tool message has no tool call.
        port: The port to listen on; 0: any free one.

    Raises:
        ValueError: `default` is neither a turn nor a fault, `api_key` is blank, or there is no such `port`.
    """

    def __init__(
        self,
        default: Step | None = None,
        *,
        api_key: str | None = None,
        strict_history: bool = True,
        port: int = 0,
    ) -> None:
        if api_key is not None and not api_key.strip():
            raise ValueError("api_key is blank; None accepts any request")
        if not 0 <= port <= 65535:
            raise ValueError(f"port is 0 to 65535, not {port!r}")
        self._desk = Desk(api_key, strict_history)
        self._server = ServerThread(self._desk, port)
        self._port = 0
        self._started = self._closed = False
        if default is not None:
            self.script_forever(default)

    def start(self) -> ScriptedProvider:
        """Start to listen.

        Returns:
            The provider itself.

        Raises:
            ValueError: It was started before.
            OSError: The port cannot be used.
        """
        if self._started or self._closed:
            raise ValueError("a provider is started only once; make a new one")
        self._started = True
        self._port = self._server.start()
        return self

    def close(self) -> None:
        """End all connections and the server's thread; does nothing when closed or never started."""
        if self._port and not self._closed:
            self._server.stop()
        self._closed = True

    def __enter__(self) -> ScriptedProvider:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    async def __aenter__(self) -> ScriptedProvider:
        return self.start()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.close)

    @property
    def port(self) -> int:
        """The port it listens on.

        Raises:
            ValueError: It was not started.
        """
        if not self._port:
            raise ValueError("the provider has no address yet: start it, or use it in a with statement")
        return self._port

    @property
    def base_url(self) -> str:
        """The base URL for an OpenAI client, `http://127.0.0.1:PORT/v1`.

        Raises:
            ValueError: It was not started.
        """
        return f"http://127.0.0.1:{self.port}/v1"

    def script(self, *steps: Step, model: str | None = None) -> None:
        """Append turns; each chat request that passes the checks takes one, in order of arrival.

        A request for which nothing is left gets a 400, which nobody retries, that says so, recorded in `problems`.

        Args:
            steps: Turns, or faults for turns without content.
            model: Only for requests for this model, which then takes no other turns; `None`: for all models
                without a script of their own.

        Raises:
            ValueError: A step is neither a turn nor a fault.
        """
        self._desk.script.add(steps, model)

    def respond(self, responder: Responder, *, model: str | None = None) -> None:
        """Set a function that gives the turn of each request for which no turn is left.

        Args:
            responder: Gets the request, gives a turn or a fault. It runs in the server's thread, one call at a time,
                so it must be quick. When it raises, the client gets a 400 and `problems` tells.
            model: As in `script`.
        """
        self._desk.script.set_responder(responder, model)

    def script_forever(self, step: Step, *, model: str | None = None) -> None:
        """Set the turn that every request gets for which no turn is left and no responder is set.

        Args:
            step: The turn or fault.
            model: As in `script`.

        Raises:
            ValueError: The step is neither.
        """
        self._desk.script.set_default(step, model)

    def reset(self) -> None:
        """Forget script, requests, ledger and problems, but go on listening; call it while no request is served."""
        self._desk.clear()

    @property
    def remaining(self) -> int:
        """How many scripted turns were not taken yet."""
        return self._desk.script.remaining()

    @property
    def requests(self) -> tuple[RecordedRequest, ...]:
        """Every HTTP request so far, in order of arrival, the rejected ones among them."""
        return tuple(self._desk.requests)

    @property
    def problems(self) -> tuple[str, ...]:
        """What went wrong that no script asked for: exhausted or failing scripts, requests rejected as malformed."""
        return tuple(self._desk.problems)

    @property
    def ledger(self) -> tuple[LedgerEntry, ...]:
        """Every chat request whose fate is decided, billed or not, in the order of the decisions.

        An entry is there before the client can have read the end of the answer. What the kernel has taken counts as
        told, whether or not the client went on to read it.
        """
        return self._desk.ledger.entries()

    @property
    def billed(self) -> tuple[LedgerEntry, ...]:
        """The entries of `ledger` that the provider bills."""
        return tuple(entry for entry in self.ledger if entry.charged)

    def totals(self) -> LedgerTotals:
        """Sum up what is billed and what the wire told."""
        return self._desk.ledger.totals()

    @property
    def open_connections(self) -> int:
        """How many connections are open now."""
        return self._desk.connections.count

    @property
    def accepted_connections(self) -> int:
        """How many connections were opened so far."""
        return self._desk.connections.accepted

    def wait_requests(self, count: int, timeout: float = 30.0) -> None:
        """Block until that many requests have arrived; not for the event loop that runs the client.

        Args:
            count: How many requests in all.
            timeout: Longest wait in seconds.

        Raises:
            TimeoutError: Fewer arrived in time.
        """
        self._desk.notice.wait(lambda: self._arrived(count), timeout, lambda: self._few_requests(count))

    async def wait_requests_async(self, count: int, timeout: float = 30.0) -> None:
        """Suspend until that many requests have arrived; arguments and errors as `wait_requests`."""
        await self._desk.notice.wait_async(lambda: self._arrived(count), timeout, lambda: self._few_requests(count))

    def wait_settled(self, count: int, timeout: float = 30.0) -> None:
        """Block until the fate of that many chat requests is decided (`ledger` has as many entries).

        Args:
            count: How many chat requests in all.
            timeout: Longest wait in seconds.

        Raises:
            TimeoutError: Fewer were decided in time.
        """
        self._desk.notice.wait(lambda: self._settled(count), timeout, lambda: self._few_settled(count))

    async def wait_settled_async(self, count: int, timeout: float = 30.0) -> None:
        """Suspend until that many fates are decided; arguments and errors as `wait_settled`."""
        await self._desk.notice.wait_async(lambda: self._settled(count), timeout, lambda: self._few_settled(count))

    def wait_closed(self, timeout: float = 30.0, *, remaining: int = 0) -> None:
        """Block until no more than `remaining` connections are open, and the fate of the others' requests is decided.

        Args:
            timeout: Longest wait in seconds.
            remaining: How many connections may stay open.

        Raises:
            TimeoutError: More were still open after that time.
        """
        self._desk.notice.wait(lambda: self.open_connections <= remaining, timeout, self._still_open)

    async def wait_closed_async(self, timeout: float = 30.0, *, remaining: int = 0) -> None:
        """Suspend until so few connections are open; arguments and errors as `wait_closed`."""
        await self._desk.notice.wait_async(lambda: self.open_connections <= remaining, timeout, self._still_open)

    def _arrived(self, count: int) -> bool:
        return len(self._desk.requests) >= count

    def _settled(self, count: int) -> bool:
        return len(self.ledger) >= count

    def _few_requests(self, count: int) -> str:
        return f"{len(self.requests)} of {count} requests arrived"

    def _few_settled(self, count: int) -> str:
        return f"{len(self.ledger)} of {count} chat requests were decided"

    def _still_open(self) -> str:
        return f"{self.open_connections} connections are still open"


@functools.cache
def _refusing_socket() -> socket.socket:
    # Bound but not listening: connections are refused, and no other process can take the port.
    sock = socket.socket()
    sock.bind(("127.0.0.1", 0))
    atexit.register(sock.close)
    return sock


def refused_base_url() -> str:
    """Give a base URL at which every connection is refused.

    Returns:
        `http://127.0.0.1:PORT/v1`; always the same in one process.
    """
    return f"http://127.0.0.1:{_refusing_socket().getsockname()[1]}/v1"
