"""Scripted providers that are started, waited for and closed in ways of all kinds."""

from __future__ import annotations

import asyncio
import threading

from cleveractors.testing import ScriptedProvider, Turn
from features.lib.provider_stage import CHAT, QUESTION, Stage, failing
from features.lib.wire_client import PATIENCE, WireClient, request_bytes

__all__ = [
    "cancel_wait",
    "check_both_wait",
    "check_closed_unstarted",
    "check_failed_start",
    "check_managers",
    "close_early",
]


async def close_early(stage: Stage, count: int, clients: int) -> None:
    """Close providers as their clients' connections are being accepted."""
    for _ in range(count):
        with ScriptedProvider() as provider:
            for _ in range(clients):
                stage.clients.append(await WireClient(provider.port).open())
                stage.world.defer(stage.client.leave)


def check_closed_unstarted() -> None:
    """Closed is closed."""
    provider = ScriptedProvider()
    provider.close()
    assert "started only once" in str(failing(provider.start))


def check_failed_start(port: int) -> None:
    """A port in use stays the reason of the first error; then the provider is used up."""
    provider = ScriptedProvider(port=port)
    assert isinstance(failing(provider.start), OSError)
    assert "started only once" in str(failing(provider.start))
    assert "no address" in str(failing(lambda: provider.port))
    provider.close()


async def check_both_wait(stage: Stage) -> None:
    """A thread that blocks, and a loop that goes on, are both woken."""
    woken = threading.Event()
    provider = stage.provider

    def wait() -> None:
        provider.wait_requests(1, PATIENCE)
        woken.set()

    thread = threading.Thread(target=wait)
    thread.start()
    waiting = asyncio.create_task(provider.wait_requests_async(1, PATIENCE))
    await asyncio.sleep(0)
    await stage.ask({})
    await waiting
    await asyncio.to_thread(thread.join, PATIENCE)
    assert woken.is_set()


async def cancel_wait(stage: Stage) -> None:
    """Give up a wait."""
    waiting = asyncio.create_task(stage.provider.wait_requests_async(1, PATIENCE))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting])
    assert waiting.cancelled()


async def check_managers(stage: Stage) -> None:
    """Both kinds start and close."""
    with ScriptedProvider(Turn("x")) as provider:
        assert await _status(provider.port) == 200
    await _check_gone(stage, provider.port)
    async with ScriptedProvider(Turn("x")) as provider:
        assert await _status(provider.port) == 200
    await _check_gone(stage, provider.port)


async def _status(port: int) -> int:
    client = await WireClient(port).open()
    try:
        await client.send(request_bytes("POST", CHAT, QUESTION))
        return (await client.receive()).status
    finally:
        client.leave()


async def _check_gone(stage: Stage, port: int) -> None:
    client = WireClient(port)
    stage.world.defer(client.leave)
    with stage.world.catching():
        await client.open()
    stage.world.error_of(ConnectionRefusedError)
