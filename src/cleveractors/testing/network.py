"""A stop to all network traffic, so that a test which would leave the machine fails and says so."""

from __future__ import annotations

import functools
import inspect
import ipaddress
import socket
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Lock
from types import TracebackType
from typing import Any, Final, ParamSpec, Self, TypeVar, cast

__all__ = ["NetworkBlock", "NetworkBlockedError", "block_network"]

P = ParamSpec("P")
R = TypeVar("R")

_CONNECTS: Final = ("connect", "connect_ex", "sendto", "sendmsg")
_LOOKUPS: Final = ("getaddrinfo", "gethostbyname", "gethostbyname_ex")
_REVERSE_LOOKUPS: Final = ("gethostbyaddr", "getnameinfo")
_lock = Lock()
_active: list[NetworkBlock] = []
_originals: dict[tuple[object, str], Any] = {}


class NetworkBlockedError(RuntimeError):
    """Code tries to reach the network while it is blocked. No `OSError`: nobody takes it for a fault worth a retry."""


class NetworkBlock(AbstractContextManager["NetworkBlock"]):
    """What `block_network` returns: a context manager and a decorator, of async functions too."""

    def __init__(self, *, allow_loopback: bool) -> None:
        self.allow_loopback = allow_loopback
        """Whether loopback addresses and Unix sockets may be reached."""
        self.attempts: list[str] = []
        """The addresses that were refused, in order: clients may hide the error."""

    def __enter__(self) -> Self:
        with _lock:
            _active.append(self)
            if len(_active) == 1:
                _install()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with _lock:
            _active.remove(self)
            if not _active:
                _restore()

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        """Return `function` with the network blocked while it runs.

        Raises:
            TypeError: it is a generator or a class: their code runs when the call has long returned.
        """
        if any(kind(function) for kind in (inspect.isgeneratorfunction, inspect.isasyncgenfunction, inspect.isclass)):
            raise TypeError(f"block_network() can't be put on {function!r}: use it in a with statement inside")
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def run_async(*args: P.args, **kwargs: P.kwargs) -> Any:
                with self:
                    return await function(*args, **kwargs)

            return cast("Callable[P, R]", run_async)

        @functools.wraps(function)
        def run(*args: P.args, **kwargs: P.kwargs) -> R:
            with self:
                return function(*args, **kwargs)

        return run


def block_network(*, allow_loopback: bool = True) -> NetworkBlock:
    """Block the network in the whole process, in a `with` statement or as a decorator.

    Connections, datagrams and look-ups of names raise `NetworkBlockedError` until the block is left. Blocks may be
    nested and overlap across threads; the strictest rules. It stands in Python's `socket`: event loops and clients
    written in C (uvloop) pass it by.

    Args:
        allow_loopback: Let loopback addresses and Unix sockets be reached, and this machine's own name be looked up,
            for servers of the test itself.

    Returns:
        The block, with the refused addresses in `attempts`.
    """
    return NetworkBlock(allow_loopback=allow_loopback)


def _install() -> None:
    for name in _CONNECTS:
        if not hasattr(socket.socket, name):
            continue  # sendmsg is not everywhere
        _put(socket.socket, name, _guarded_connect(getattr(socket.socket, name)))
    for name in _LOOKUPS:
        _put(socket, name, _guarded_lookup(getattr(socket, name)))
    for name in _REVERSE_LOOKUPS:
        _put(socket, name, _guarded_reverse_lookup(getattr(socket, name)))


def _put(owner: object, name: str, guarded: Callable[..., Any]) -> None:
    # The class inherits its methods from C: they are taken away again, not written back.
    _originals[owner, name] = vars(owner).get(name)
    setattr(owner, name, guarded)


def _restore() -> None:
    for (owner, name), original in _originals.items():
        if original is None:
            delattr(owner, name)
        else:
            setattr(owner, name, original)
    _originals.clear()


def _guarded_connect(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def connect(self: socket.socket, *args: Any) -> Any:
        # Without an address, a message goes to where its socket is connected.
        named = args[3:] if original.__name__ == "sendmsg" else args[-1:]
        if named and named[0] is not None:
            _check(named[0])
        return original(self, *args)

    return connect


def _guarded_lookup(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def look_up(host: Any, *args: Any, **kwargs: Any) -> Any:
        # A number needs no network to be looked up, and servers bind to numbers.
        if host and _number(host) is None:
            _check((host,))
        return original(host, *args, **kwargs)

    return look_up


def _guarded_reverse_lookup(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def look_up(address: Any, *args: Any) -> Any:
        if not (args and args[0] & socket.NI_NUMERICHOST):
            _check(cast("object", address) if isinstance(address, tuple) else (address,))
        return original(address, *args)

    return look_up


def _check(address: object) -> None:
    """Raise unless every block in force lets `address` be reached: a tuple that begins with a host, or a Unix path."""
    with _lock:
        blocks = list(_active)
    if not blocks or (all(block.allow_loopback for block in blocks) and _is_local(address)):
        return
    parts = cast("tuple[object, ...]", address) if isinstance(address, tuple) else (address,)
    shown = ":".join(_text(part) for part in parts[:2])
    for block in dict.fromkeys(blocks):
        block.attempts.append(shown)
    raise NetworkBlockedError(f"block_network() is in force, and something tries to reach {shown}")


def _is_local(address: object) -> bool:
    if not isinstance(address, tuple) or not address:
        return True
    host = _text(cast("tuple[object, ...]", address)[0]).rstrip(".").lower()
    number = _number(host)
    if number is None:
        # Servers ask for the machine's own name.
        return host in ("", "localhost", socket.gethostname().lower()) or host.endswith(".localhost")
    mapped = number.ipv4_mapped if isinstance(number, ipaddress.IPv6Address) else None
    return number.is_loopback or number.is_unspecified or (mapped is not None and mapped.is_loopback)


def _number(host: object) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(_text(host).partition("%")[0])
    except ValueError:
        return None


def _text(part: object) -> str:
    return part.decode("utf-8", "replace") if isinstance(part, bytes | bytearray) else str(part)
