"""Sessions in an SQLite file, which several processes may share."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from cleveractors.exceptions import ConfigurationError, ExecutionError
from cleveractors.extras import install
from cleveractors.sessions.encoding import decode, encode
from cleveractors.sessions.store import StoredMessage, conflict
from cleveractors.tasks import outlive

if TYPE_CHECKING:
    from aiosqlite import Connection

__all__ = ["SQLiteSessions"]

T = TypeVar("T")

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE messages (session_id TEXT NOT NULL, position INTEGER NOT NULL, message TEXT NOT NULL, "
        "PRIMARY KEY (session_id, position))",
        "CREATE TABLE turns (session_id TEXT NOT NULL, run_id TEXT NOT NULL, position INTEGER NOT NULL, "
        "stored_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, PRIMARY KEY (session_id, run_id)) WITHOUT ROWID",
    ),
)
"""What brings a file from each version, `user_version`, to the next."""


class SQLiteSessions:
    """Keeps sessions in a file: OpenAI chat dicts as JSON, one row a message.

    Each call opens a connection of its own and closes it, so that there is nothing to close, and any
    number of loops, threads and processes may use the file at a time.

    Args:
        path: of the file; it is made when something is first asked of it.
        timeout: seconds to wait for another writer.

    Raises:
        ConfigurationError: aiosqlite is not installed, or the path is none.
    """

    def __init__(self, path: str | os.PathLike[str], *, timeout: float = 10) -> None:
        self._path = os.fspath(path)
        self._timeout = timeout
        if not self._path or self._path == ":memory:":
            raise ConfigurationError(
                f"SQLiteSessions needs the path of a file, found {self._path!r}; in memory: MemorySessions()"
            )
        self._aiosqlite = _library()

    async def load(self, session_id: str) -> tuple[list[StoredMessage], int]:
        """The messages of a session, and the position behind them.

        Raises:
            ExecutionError: SQLite failed; its error is the cause.
        """
        return await self._work(partial(_load, session_id))

    async def append(self, session_id: str, messages: Sequence[StoredMessage], *, position: int, run_id: str) -> int:
        """Add the messages of one run, in one transaction.

        Returns:
            The position behind what this run added; a second append of a run adds nothing.

        Raises:
            SessionConflictError: somebody else has appended since `position`.
            ExecutionError: SQLite failed; its error is the cause.
        """
        return await self._work(partial(_append, session_id, encode(messages), position, run_id))

    async def forget(self, session_id: str) -> None:
        """Delete all of a session."""
        await self._work(partial(_forget, session_id))

    async def _work(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        try:
            # A cancelled wait would leave the connection's thread behind.
            return await outlive(self._connected(work), 3 * self._timeout, f"sessions in {self._path}")
        except (sqlite3.Error, TimeoutError) as error:
            raise ExecutionError(f"sessions in {self._path}: {type(error).__name__}: {error}") from error

    async def _connected(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        connect = self._aiosqlite.connect
        async with connect(self._path, timeout=self._timeout, isolation_level=None) as connection:
            await _make_ready(connection, self._path)
            return await work(connection)

    def __repr__(self) -> str:
        return f"SQLiteSessions({self._path!r})"


def _library() -> Any:
    try:
        return import_module("aiosqlite")
    except ImportError as error:
        raise ConfigurationError(f"SQLiteSessions needs aiosqlite: {install('sqlite')}") from error


async def _make_ready(connection: Connection, path: str) -> None:
    """Bring the file to the version that this code reads."""
    version = await _number(connection, "PRAGMA user_version")
    if version < len(MIGRATIONS):
        await _migrate(connection)
    elif version > len(MIGRATIONS):
        raise ConfigurationError(
            f"sessions in {path}: the file is of version {version}, and this library knows {len(MIGRATIONS)} at most"
        )
    # Who opens the file at the same moment sets it too.
    with suppress(sqlite3.OperationalError):
        await connection.execute("PRAGMA journal_mode=WAL")


async def _migrate(connection: Connection) -> None:
    await connection.execute("BEGIN EXCLUSIVE")
    # Another process may have done it while this one waited.
    version = await _number(connection, "PRAGMA user_version")
    for statements in MIGRATIONS[version:]:
        for statement in statements:
            await connection.execute(statement)
    await connection.execute(f"PRAGMA user_version={max(version, len(MIGRATIONS))}")
    await connection.execute("COMMIT")


async def _load(session_id: str, connection: Connection) -> tuple[list[StoredMessage], int]:
    query = "SELECT message, position FROM messages WHERE session_id = ? ORDER BY position"
    async with connection.execute(query, (session_id,)) as cursor:
        rows = list(await cursor.fetchall())
    return decode(row[0] for row in rows), rows[-1][1] if rows else 0


async def _append(session_id: str, lines: Sequence[str], position: int, run_id: str, connection: Connection) -> int:
    await connection.execute("BEGIN IMMEDIATE")
    query = "SELECT position FROM turns WHERE session_id = ? AND run_id = ?"
    async with connection.execute(query, (session_id, run_id)) as cursor:
        known = await cursor.fetchone()
    if known is not None:
        return known[0]
    end = await _number(connection, "SELECT COALESCE(MAX(position), 0) FROM messages WHERE session_id = ?", session_id)
    if end != position:
        raise conflict(session_id, position, end)
    rows = [(session_id, place, line) for place, line in enumerate(lines, end + 1)]
    await connection.executemany("INSERT INTO messages VALUES (?, ?, ?)", rows)
    end += len(rows)
    await connection.execute(
        "INSERT INTO turns (session_id, run_id, position) VALUES (?, ?, ?)", (session_id, run_id, end)
    )
    await connection.execute("COMMIT")
    return end


async def _forget(session_id: str, connection: Connection) -> None:
    await connection.execute("BEGIN IMMEDIATE")
    for statement in ("DELETE FROM messages WHERE session_id = ?", "DELETE FROM turns WHERE session_id = ?"):
        await connection.execute(statement, (session_id,))
    await connection.execute("COMMIT")


async def _number(connection: Connection, query: str, *values: object) -> int:
    async with connection.execute(query, values) as cursor:
        row = await cursor.fetchone()
    return row[0] if row is not None else 0
