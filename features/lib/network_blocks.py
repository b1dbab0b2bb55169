"""Code that tries to leave the machine under `block_network()`, and what was refused."""

from __future__ import annotations

import asyncio
import inspect
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from http import server as http_server
from typing import Any, cast

from cleveractors.testing import NetworkBlock, NetworkBlockedError, block_network
from features.lib.world import World

__all__ = ["Blocked", "blocked"]

BLOCKED = "network_blocks"
OUTSIDE = ("203.0.113.1", 443)  # an address of documentation, which nobody has
GUARDED = {
    socket.socket: ("connect", "connect_ex", "sendto", "sendmsg"),
    socket: ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr", "getnameinfo"),
}
PATIENCE = 60.0


class Protocol(asyncio.DatagramProtocol):
    """Takes nothing."""


@dataclass
class Blocked:
    """The attempts of a scenario."""

    world: World
    port: int = 0
    block: NetworkBlock | None = None
    said: tuple[list[str], str] = ([], "")

    def __post_init__(self) -> None:
        self.before = functions()

    def listen(self) -> None:
        """Listen on loopback, for every kind of client."""
        server = self.world.use(socket.create_server(("", 0), backlog=8))
        self.port = server.getsockname()[1]

    def words(self) -> dict[str, Any]:
        """What the features' expressions may use."""
        return {
            "asyncio": asyncio,
            "hide": hide,
            "http_server": http_server,
            "loop": asyncio.get_event_loop(),
            "port": self.port,
            "Protocol": Protocol,
            "socket": socket,
            "tcp": lambda: self._socket(socket.AF_INET, socket.SOCK_STREAM),
            "tcp6": lambda: self._socket(socket.AF_INET6, socket.SOCK_STREAM),
            "udp": lambda: self._socket(socket.AF_INET, socket.SOCK_DGRAM),
            "unix": self._pair,
            "unix_stream": lambda: self._socket(socket.AF_UNIX, socket.SOCK_STREAM),
        }

    async def attempt(self, text: str, allow_loopback: bool = True) -> None:
        """Do what the expression says, under a block."""
        self.block = block_network(allow_loopback=allow_loopback)
        with self.world.catching(), self.block:
            done = eval(text, self.words())
            if inspect.isawaitable(done):
                done = await done
            if isinstance(done, tuple) and isinstance(done[-1], asyncio.StreamWriter):
                done[-1].close()
                await done[-1].wait_closed()

    def try_outside(self) -> NetworkBlockedError:
        """The refusal of a connection to the outside."""
        try:
            self._socket(socket.AF_INET, socket.SOCK_STREAM).connect(OUTSIDE)
        except NetworkBlockedError as error:
            return error
        raise AssertionError("it was let through")

    def reaches_loopback(self) -> bool:
        """Whether the server of the test is reached."""
        try:
            self._socket(socket.AF_INET, socket.SOCK_STREAM).connect(("127.0.0.1", self.port))
        except NetworkBlockedError:
            return False
        return True

    def _socket(self, family: int, kind: int) -> socket.socket:
        try:
            return self.world.use(socket.socket(family, kind))
        except OSError:  # a machine without IPv6; the address alone is what a block looks at
            return self.world.use(socket.socket(socket.AF_INET, kind))

    def _pair(self) -> socket.socket:
        left, right = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.world.use(right)
        return self.world.use(left)


def blocked(context: Any) -> Blocked:
    """The scenario's attempts."""
    if not hasattr(context, BLOCKED):
        setattr(context, BLOCKED, Blocked(context.world))
    return cast("Blocked", getattr(context, BLOCKED))


def functions() -> list[object]:
    """Python's functions that a block stands in front of, as they are now."""
    return [getattr(owner, name, None) for owner, names in GUARDED.items() for name in names]


def hide(action: Callable[[], object]) -> None:
    """Do something, and tell no error."""
    with suppress(Exception):
        action()


def enter_and_leave() -> None:
    """Leave a block by its end, and another by an error."""
    before = functions()
    with block_network():
        assert all(now is not then for now, then in zip(functions(), before, strict=True))
    with suppress(KeyError), block_network():
        raise KeyError


def check_nesting(story: Blocked) -> None:
    """The strictest rules are in force, as long as they are."""
    with block_network():
        assert story.reaches_loopback()
        with block_network(allow_loopback=False):
            assert not story.reaches_loopback()
        assert story.reaches_loopback()
    assert functions() == story.before


def check_noting(story: Blocked) -> None:
    """Every block notes a refusal once."""
    outer, inner = block_network(), block_network()
    with outer, inner, inner:
        story.try_outside()
    assert outer.attempts == inner.attempts == ["203.0.113.1:443"]


def check_threads(story: Blocked) -> None:
    """A block of one thread holds in another, as long as it lasts."""
    entered, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with block_network():
            entered.set()
            leave.wait(PATIENCE)

    thread = threading.Thread(target=hold)
    thread.start()
    try:
        assert entered.wait(PATIENCE)
        with block_network():
            story.try_outside()
        story.try_outside()
    finally:
        leave.set()
        thread.join(PATIENCE)
    assert functions() == story.before


async def call_decorated(story: Blocked, kind: str) -> tuple[list[str], str]:
    """Call a decorated function twice; what was refused, and the function's name."""
    story.block = block = block_network()

    @block
    def leave_machine() -> str:
        return str(story.try_outside())

    @block
    async def leave_machine_async() -> str:
        await asyncio.sleep(0)
        return str(story.try_outside())

    if kind == "sync":
        return [leave_machine(), leave_machine()], leave_machine.__name__
    said = list(await asyncio.gather(leave_machine_async(), leave_machine_async()))
    return said, leave_machine_async.__name__


def undecorated(what: str) -> Callable[..., object]:
    """Something whose code runs when its call has returned."""

    def generator() -> Iterator[int]:
        yield 1

    async def async_generator() -> AsyncIterator[int]:
        yield 1

    class Tests:
        """Has methods."""

    kinds = {"a generator": generator, "an async generator": async_generator, "a class": Tests}
    return cast("Callable[..., object]", kinds[what])
