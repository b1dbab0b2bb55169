"""A chat page in the browser, which shows a run while it goes on: text, tools, what tools tell, and how it ended.

    pip install '.[web]'
    uvicorn --app-dir examples/chat_page app:app

Then open http://127.0.0.1:8000. No key, no network. The page itself is `page.html`.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from cleveractors import ActorPolicy, ActorResult, ToolEventEmitter, create_executor
from cleveractors.sessions import MemorySessions
from cleveractors.web import sse_response

SHELVES = 4
SECONDS = float(os.environ.get("CHAT_PAGE_SECONDS", "0.5"))

# For a real model: "provider": "openai", "model": "gpt-4o-mini"; then credentials="env" in place of the policy.
ACTOR = {"provider": "scripted", "model": "demo", "tools": ["search_shelves"], "streaming": "tokens"}


async def search_shelves(title: str, emitter: ToolEventEmitter) -> str:
    """Look for a book.

    Args:
        title: as it stands on the cover.
    """
    for shelf in range(1, SHELVES + 1):
        # Such events reach the page at once. Arguments and results do not, unless sse_response(include=…) says so.
        await emitter.emit("progress", {"text": f"shelf {shelf} of {SHELVES}"})
        await asyncio.sleep(SECONDS)
    return f"{title} stands on shelf {SHELVES}."


def bill(result: ActorResult[Any]) -> None:
    """Once for each run, that of a page which has gone too; a real one writes it into a database."""
    print(f"{result.session_id}: {result.total_tokens} tokens, {result.stop_reason}", flush=True)


executor = create_executor(
    ACTOR,
    tools=[search_shelves],
    policy=ActorPolicy(scripted=True),
    sessions=MemorySessions(),
    on_result=bill,
)


async def page(request: Request) -> Response:
    """The page."""
    return FileResponse(Path(__file__).with_name("page.html"))


async def chat(request: Request) -> Response:
    """Answer a message of the page; when the page goes, or its Stop is pressed, the run ends and is billed."""
    question = await request.json()
    if not all(isinstance(question.get(key), str) and question[key] for key in ("message", "session")):
        return JSONResponse({"detail": "message and session must be texts"}, 422)
    # With users, take the session from who is logged in: whoever knows its name may read on in it.
    return sse_response(executor.execute_events(question["message"], stream=True, session_id=question["session"]))


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """Close the executor with the server: runs have a moment to end, and settle."""
    async with executor:
        yield


app = Starlette(routes=[Route("/", page), Route("/chat", chat, methods=["POST"])], lifespan=lifespan)
