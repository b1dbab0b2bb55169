"""A web server that counts what it holds: `python -m features.lib.disconnect_server URL KIND`."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import sys
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from cleveractors import ActorResult, Budget, Credential, InvocationRecord, create_executor
from features.lib.asgi import Raising
from features.lib.bench import get_weather

budget = Budget(max_tokens=1_000_000_000, name="house")
ended: dict[str, int] = {}
rows: dict[str, int] = {}


async def take_bill(result: ActorResult[object]) -> None:
    """`on_result`: a real one would insert it."""
    ended[result.stop_reason] = ended.get(result.stop_reason, 0) + 1


async def take_row(row: InvocationRecord) -> None:
    """`on_usage`."""
    rows[row.state] = rows.get(row.state, 0) + 1


def _memory() -> int:
    """Kibibytes that the process has in memory."""
    found = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS")]
    return int(found[0].split()[1])


def books() -> dict[str, object]:
    """What the process holds."""
    gc.collect()
    return {
        "tasks": len(asyncio.all_tasks()),
        "files": len(os.listdir("/proc/self/fd")),
        "threads": threading.active_count(),
        "objects": len(gc.get_objects()),
        "memory": _memory(),
        "reserved": budget.reserved,
        "ended": sum(ended.values()),
        "rows": dict(rows),
    }


def serve(url: str, kind: str) -> None:
    """Stream an executor's answers until the process is ended."""
    # It warns of every write to a client that has gone, which is what all of them do.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    executor = create_executor(
        {"model": "gpt-4o-mini", "tools": ["get_weather"], "streaming": "tokens"},
        tools=[get_weather],
        credentials={"openai": Credential("sk-secret", url)},
        budgets=[budget],
        on_usage=take_row,
        on_result=take_bill,
    )

    @asynccontextmanager
    async def lifespan(app: object) -> AsyncGenerator[None]:
        async with executor:
            yield

    async def answer(request: Request) -> Response:
        return StreamingResponse(executor.execute_stream("rain?"), media_type="text/plain")

    async def count(request: Request) -> Response:
        return JSONResponse(books())

    routes = [Route("/", answer), Route("/books", count)]
    app = Starlette(routes=routes, lifespan=lifespan)
    config = uvicorn.Config(Raising(app) if kind == "raises" else app, log_level="error", lifespan="on")
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(64)
        print(listening.getsockname()[1], flush=True)
        uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    serve(*sys.argv[1:])
