"""A chat backend: answers as server-sent events, runs that end with their clients, a bill of every run in SQLite.

pip install fastapi uvicorn
uvicorn app:app
curl -N localhost:8000/chat -H content-type:application/json -d '{"session": "s1", "message": "Where is my order A1?"}'
curl localhost:8000/bills
"""

import json
import os
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Header, Response
from pydantic import BaseModel
from tools import find_order, opening_hours

from cleveractors import ActorPolicy, ActorResult, Limits, create_executor
from cleveractors.sessions import MemorySessions
from cleveractors.web import sse_response

HERE = Path(__file__).parent
DATABASE = os.environ.get("BILLS_DATABASE", str(HERE / "bills.db"))
TABLE = """
    create table if not exists bills (run text primary key, tenant text, session text, prompt_tokens int,
                                      completion_tokens int, unmeasured_calls int, cost text, stop_reason text)
"""


def database() -> closing[sqlite3.Connection]:
    """Open the database; what is done in it is kept at once."""
    return closing(sqlite3.connect(DATABASE, isolation_level=None))


def keep(result: ActorResult[Any]) -> None:
    """Write a bill down: called once for every run, however it ended; again only where it failed."""
    bill = (
        result.run_id,
        result.tenant,
        result.session_id,
        result.prompt_tokens,
        result.completion_tokens,
        result.unmeasured_calls,
        None if result.cost is None else str(result.cost),
        result.stop_reason,
    )
    with database() as db:
        db.execute("insert or replace into bills values (?, ?, ?, ?, ?, ?, ?, ?)", bill)


executor = create_executor(
    HERE / "actor.yaml",
    tools=[find_order, opening_hours],
    # A key is needed once actor.yaml names a real provider; `scripted` is allowed for trying things out.
    credentials="env" if os.environ.get("OPENAI_API_KEY", "").strip() else None,
    policy=ActorPolicy(scripted=True),
    limits=Limits(max_tokens=20_000, timeout=120),
    sessions=MemorySessions(),
    on_result=keep,
)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
    """Make the table, and close the executor with the server: runs have a moment to end, and settle."""
    with database() as db:
        db.execute(TABLE)
    async with executor:
        yield


app = FastAPI(lifespan=lifespan)


class Question(BaseModel):
    """What a client sends."""

    session: str
    message: str


@app.post("/chat")
async def chat(question: Question, x_tenant: str = Header("public")) -> Response:
    """Stream an answer. When the client leaves, the run is cancelled, settled, and its bill kept."""
    # Who calls, your authentication knows; a header that anybody can set is for trying things out.
    session = json.dumps([x_tenant, question.session])
    return sse_response(executor.execute_events(question.message, stream=True, session_id=session, tenant=x_tenant))


@app.get("/bills")
def bills(x_tenant: str = Header("public")) -> list[dict[str, Any]]:
    """What a tenant's runs have cost."""
    with database() as db:
        db.row_factory = sqlite3.Row
        return [dict(row) for row in db.execute("select * from bills where tenant = ? order by run", [x_tenant])]
