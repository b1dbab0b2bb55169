"""Pipes of a process, waited for on whichever loop runs, and only while somebody waits."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable

__all__ = ["READ_SIZE", "read_now", "wait_readable", "write_all"]

READ_SIZE = 65_536


async def wait_readable(files: Iterable[int], seconds: float | None) -> set[int]:
    """Wait until a file can be read; those that can, none after `seconds`."""
    loop = asyncio.get_running_loop()
    ready: set[int] = set()
    woken: asyncio.Future[None] = loop.create_future()
    watched = tuple(files)
    timer = None if seconds is None else loop.call_later(max(seconds, 0), _wake, woken)

    def note(file: int) -> None:
        ready.add(file)
        loop.remove_reader(file)
        _wake(woken)

    try:
        for file in watched:
            loop.add_reader(file, note, file)
        await woken
    finally:
        if timer is not None:
            timer.cancel()
        for file in watched:
            loop.remove_reader(file)
    return ready


def _wake(woken: asyncio.Future[None]) -> None:
    if not woken.done():
        woken.set_result(None)


def read_now(file: int) -> bytes | None:
    """What can be read at once: `b""` at its end, None where there is nothing now."""
    try:
        return os.read(file, READ_SIZE)
    except BlockingIOError:
        return None
    except OSError:
        return b""


async def write_all(file: int, data: bytes) -> None:
    """Write all of it.

    Raises:
        OSError: nobody reads any more.
    """
    loop = asyncio.get_running_loop()
    left = memoryview(data)
    while left:
        try:
            left = left[os.write(file, left) :]
        except BlockingIOError:
            free: asyncio.Future[None] = loop.create_future()
            loop.add_writer(file, _wake, free)
            try:
                await free
            finally:
                loop.remove_writer(file)
