"""How the runs of the fault matrix are driven: what happens to each from outside, at a known moment."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any

import uvicorn
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.tracers.context import register_configure_hook
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

from cleveractors import AbortSignal, Credential, InvocationRecord, RunStream
from cleveractors.testing import refused_base_url
from features.lib import cancelling, leaving
from features.lib.asgi import Raising
from features.lib.bench import PATIENCE, soon
from features.lib.matrix_stage import Stage, asking, saying

Drive = Callable[[Stage], Awaitable[None]]


def _cancelling(way: cancelling.Way) -> Drive:
    async def drive(stage: Stage) -> None:
        await way(stage, stage.work)

    return drive


by_task = _cancelling(cancelling.by_task)
by_scope = _cancelling(cancelling.by_scope)
by_group = _cancelling(cancelling.by_group)
by_timeout = _cancelling(cancelling.by_timeout)
by_fail_after = _cancelling(cancelling.by_fail_after)
again_and_again = _cancelling(cancelling.again_and_again)


async def by_sigint(stage: Stage) -> None:
    """Ctrl-C: asyncio.run cancels the main task, which this one is."""

    async def press() -> None:
        await stage.gate.wait_reached_async()
        signal.raise_signal(signal.SIGINT)

    pressed = asyncio.create_task(press())
    await stage.observe(stage.work)
    await pressed
    stage.interrupted = True


async def _when(stage: Stage, moment: Awaitable[Any], act: Callable[[asyncio.Task[Any]], object]) -> None:
    """Act at a moment of the run, and wait for its end."""
    task = asyncio.create_task(stage.observe(stage.work))
    async with asyncio.timeout(PATIENCE):
        await moment
    act(task)
    await task


def _cancel(task: asyncio.Task[Any]) -> None:
    task.cancel()


async def in_tool(stage: Stage) -> None:
    """Cancelled while a tool works."""
    await _when(stage, stage.in_tool.wait(), _cancel)


async def by_abort(stage: Stage) -> None:
    """The host's signal, in the model call."""
    stop = stage.run_options["abort_signal"] = AbortSignal()
    await _when(stage, stage.gate.wait_reached_async(), lambda task: stop.abort("enough"))


async def abort_in_tool(stage: Stage) -> None:
    """The host's signal, while a tool works."""
    stop = stage.run_options["abort_signal"] = AbortSignal()
    await _when(stage, stage.in_tool.wait(), lambda task: stop.abort("enough"))


async def in_delivery(stage: Stage) -> None:
    """Cancelled while `on_usage` has the settled row of the call."""
    begun, released = asyncio.Event(), asyncio.Event()

    async def take(row: InvocationRecord) -> None:
        stage.note_row(row)
        if row.state == "settled" and stage.settled == stage.before + 1:
            begun.set()
            await released.wait()

    def act(task: asyncio.Task[Any]) -> None:
        task.cancel()
        asyncio.get_running_loop().call_soon(released.set)

    stage.options["on_usage"] = take
    await _when(stage, begun.wait(), act)


class _Tail(AsyncCallbackHandler):
    """Stands between a model's answer and the return of `ainvoke`."""

    def __init__(self, skip: int) -> None:
        self._skip = skip
        self.reached, self.released = asyncio.Event(), asyncio.Event()

    async def on_llm_end(self, response: object, **kwargs: Any) -> None:
        self._skip -= 1
        if self._skip < 0:
            self.reached.set()
            await self.released.wait()


_tail: ContextVar[_Tail | None] = ContextVar("matrix_tail", default=None)
register_configure_hook(_tail, inheritable=True)


async def in_tail(stage: Stage) -> None:
    """Cancelled when the answer is there and LangChain has not handed it over."""
    handler = _Tail(stage.before)
    token = _tail.set(handler)
    try:
        await _when(stage, handler.reached.wait(), _cancel)
    finally:
        handler.released.set()
        _tail.reset(token)


# Streams that are left: in answer mode at their one chunk, when the run has ended; in tokens mode in the call.


def _leaving(way: leaving.Leave) -> Drive:
    async def drive(stage: Stage) -> None:
        await way(stage, 1, stage.streamed)

    return drive


broken_out_of = _leaving(leaving.broken_out_of)
dropped = _leaving(leaving.dropped)
dropped_in_thread = _leaving(leaving.in_thread)
left_by_error = _leaving(leaving.by_error)


async def closed(stage: Stage) -> None:
    """`aclose`; in answer mode it has to come from another task than the one that waits."""
    if stage.streamed:
        await leaving.closed(stage, 1, True)
    else:
        await leaving.closed_elsewhere(stage, 0, True)


# Clients of a real server


async def asgi_cancels(stage: Stage) -> None:
    """ASGI 2.3: the response is cancelled, again and again."""
    await _visit(stage, lambda app: app, opens=False)


async def asgi_raises(stage: Stage) -> None:
    """ASGI 2.4: nobody is cancelled; the next `send` raises."""
    await _visit(stage, Raising, opens=True)


async def _visit(stage: Stage, wrap: Callable[[Any], Any], *, opens: bool) -> None:
    """A client asks, waits until the provider stands still, and goes."""

    async def answer(request: Request) -> StreamingResponse:
        stream: RunStream[str] = stage.executor.execute_stream("rain?", **stage.run_options)
        return StreamingResponse(stream, media_type="text/plain")

    app = wrap(Starlette(routes=[Route("/", answer)]))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        await soon(lambda: server.started)
        await _ask_and_go(stage, listening.getsockname()[1])
        await soon(lambda: not server.server_state.connections)
        if opens:
            stage.gate.open()
        await soon(lambda: bool(stage.bills) and not server.server_state.tasks)
        server.should_exit = True
        await serving
    stage.results.append(stage.bills[0])


async def _ask_and_go(stage: Stage, port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
    if stage.streamed:
        await reader.readuntil(b"Let" if stage.place == "middle" else b"It")
    await stage.gate.wait_reached_async()
    writer.close()
    await writer.wait_closed()


# What is prepared beside the script


def refuse(stage: Stage) -> None:
    """Nobody listens at the provider's address any more when the call is made."""
    if stage.place == "first":
        stage.options["credentials"] = {"openai": Credential("sk-secret", refused_base_url())}

    async def take(row: InvocationRecord) -> None:
        stage.note_row(row)
        if row.state == "settled" and stage.settled == stage.before:
            await asyncio.to_thread(stage.provider.close)

    stage.options["on_usage"] = take
    stage.script([], saying())


def prune_at_gate(stage: Stage) -> None:
    """A pruning pass stands at the gate: the second round's result is long, the third one's short."""

    async def reads() -> str:
        """Reads a lot."""
        return "It rains and rains. " * 100

    stage.keys |= {"tools": [*stage.keys["tools"], "reads"]}
    stage.keys["pruning"] = {"trigger_tokens": 300, "keep_last_rounds": 1, "mode": "condense"}
    stage.tools.append(reads)
    stage.script([asking("reads"), asking(), saying(hold_before=stage.gate)], saying())


def ask_for_ever(stage: Stage) -> None:
    """The model asks for a tool until it may not."""
    stage.script([], asking(text=saying().text))
