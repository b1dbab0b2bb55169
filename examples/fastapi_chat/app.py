"""A chat backend: answers as server-sent events, a bill of every run in SQLite, runs that end with their clients.

It runs without a key: `uvicorn --app-dir examples/fastapi_chat app:app`, then

    curl -N localhost:8000/chat -H content-type:application/json -d '{"session": "s1", "message": "Where is order A1?"}'

The database is `chat.db` in the folder where it was started, or where `CHAT_DATABASE` says.
"""

import asyncio
import json
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Header, Request, Response
from pydantic import BaseModel

from cleveractors import (
    ActorPolicy,
    ActorResult,
    Budget,
    ToolEventEmitter,
    create_executor,
    dump_messages,
    load_messages,
)
from cleveractors.web import abort_on_disconnect, sse_response

DATABASE = os.environ.get("CHAT_DATABASE", "chat.db")
TENANT_TOKENS = int(os.environ.get("CHAT_TENANT_TOKENS", "100000"))
TABLES = """
    create table if not exists bills (run text primary key, tenant text, session text, prompt_tokens int,
                                      completion_tokens int, estimated_tokens int, cost text, stop_reason text);
    create table if not exists chats (tenant text, session text, messages text, primary key (tenant, session));
"""


def database() -> closing[sqlite3.Connection]:
    """Open the database; what is done in it is kept at once."""
    return closing(sqlite3.connect(DATABASE, isolation_level=None))


async def find_order(number: str, emitter: ToolEventEmitter) -> str:
    """Find an order.

    Args:
        number: as it stands on the receipt.
    """
    await emitter.emit("progress", {"text": "Asking the warehouse"})
    await asyncio.sleep(float(os.environ.get("CHAT_WAREHOUSE_SECONDS", "1")))
    return f"Order {number} was sent this morning."


def keep(result: ActorResult[Any]) -> None:
    """Write down the bill and the conversation: once for every run, however it ended, before its client sees the end.

    It may be called again where it failed, so it writes over what it has written.
    """
    bill = (
        result.run_id,
        result.tenant,
        result.session_id,
        result.prompt_tokens,
        result.completion_tokens,
        result.estimated_prompt_tokens + result.estimated_completion_tokens,
        None if result.cost is None else str(result.cost),
        result.stop_reason,
    )
    chat = (result.tenant, result.session_id, json.dumps(dump_messages(result.messages)))
    with database() as db:
        db.execute("insert or replace into bills values (?, ?, ?, ?, ?, ?, ?, ?)", bill)
        db.execute("insert or replace into chats values (?, ?, ?)", chat)


def history(tenant: str, session: str) -> list[Any]:
    """What was said before in a tenant's session."""
    with database() as db:
        row = db.execute("select messages from chats where tenant = ? and session = ?", [tenant, session]).fetchone()
    return load_messages(json.loads(row[0])) if row else []


purses: dict[str, Budget] = {}


def purse(tenant: str) -> Budget:
    """A tenant's budget, which all runs of the tenant share; it begins with what the bills have of earlier days."""
    if tenant not in purses:
        with database() as db:
            spent = db.execute(
                "select coalesce(sum(prompt_tokens + completion_tokens + estimated_tokens), 0) from bills "
                "where tenant = ?",
                [tenant],
            ).fetchone()[0]
        purses[tenant] = Budget(max_tokens=TENANT_TOKENS, spent=spent, name=f"{tenant}'s tokens")
    return purses[tenant]


executor = create_executor(
    Path(__file__).with_name("chat.yaml"),
    tools=[find_order],
    policy=ActorPolicy(scripted=True),
    on_result=keep,
    require_tenant=True,
)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Make the tables, and close the executor with the server: runs have a moment to end, and settle."""
    with database() as db:
        db.executescript(TABLES)
    async with executor:
        yield


app = FastAPI(lifespan=lifespan)


class Question(BaseModel):
    """What a client sends."""

    session: str
    message: str


@app.post("/chat")
async def chat(question: Question, x_tenant: str = Header("public")) -> Response:
    """Stream an answer. When the client leaves, the run is cancelled, settled, and kept."""
    run = executor.execute_events(
        question.message,
        stream=True,
        session_id=question.session,
        tenant=x_tenant,
        history=history(x_tenant, question.session),
        budgets=[purse(x_tenant)],
    )
    return sse_response(run)


@app.post("/ask")
async def ask(question: Question, request: Request, x_tenant: str = Header("public")) -> dict[str, Any]:
    """Answer in one piece. A client that leaves aborts the run."""
    async with abort_on_disconnect(request) as abort_signal:
        result = await executor.execute(
            question.message,
            session_id=question.session,
            tenant=x_tenant,
            history=history(x_tenant, question.session),
            budgets=[purse(x_tenant)],
            abort_signal=abort_signal,
        )
    return {"answer": result.response, "tokens": result.total_tokens, "stop_reason": result.stop_reason}


@app.get("/bills")
def bills(x_tenant: str = Header("public")) -> list[dict[str, Any]]:
    """What a tenant's runs have cost."""
    with database() as db:
        db.row_factory = sqlite3.Row
        return [dict(row) for row in db.execute("select * from bills where tenant = ? order by run", [x_tenant])]
