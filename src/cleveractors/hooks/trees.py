"""The processes that a command has started, found and ended, also those that left its group."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

__all__ = ["Tree"]

PROC = Path("/proc")


class _Entry(NamedTuple):
    parent: int
    session: int
    started: str


class Tree:
    """A command that leads a session, and all that descends from it.

    Args:
        leader: its process id.
    """

    def __init__(self, leader: int) -> None:
        self._leader = leader
        self._known: dict[int, str] = {}

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the group, and to descendants that are in another one.

        Whoever is known from an earlier signal gets this one too: with their parent gone, they descend from nobody.
        """
        table = _table()
        self._known = {
            pid: started for pid, started in self._known.items() if pid in table and table[pid].started == started
        }
        self._known |= {pid: table[pid].started for pid in _descendants(self._leader, table)}
        signal_group(self._leader, number)
        for pid in self._known:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)


def signal_group(leader: int, number: signal.Signals) -> None:
    """Send a signal to a process group, if there still is one."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)


def _descendants(leader: int, table: dict[int, _Entry]) -> set[int]:
    found = {pid for pid, entry in table.items() if entry.session == leader and pid != leader}
    found.add(leader)
    before = 0
    while len(found) > before:
        before = len(found)
        found |= {pid for pid, entry in table.items() if entry.parent in found}
    return found - {leader}


def _table() -> dict[int, _Entry]:
    """All processes, where the system tells; else none."""
    table: dict[int, _Entry] = {}
    with suppress(OSError):
        for folder in os.scandir(PROC):
            if folder.name.isdigit():
                with suppress(OSError, IndexError, ValueError):
                    table[int(folder.name)] = _read(Path(folder.path, "stat").read_text("utf-8", "replace"))
    return table


def _read(stat: str) -> _Entry:
    # The program's name, in brackets, may hold blanks and brackets itself.
    fields = stat.rpartition(")")[2].split()
    return _Entry(parent=int(fields[1]), session=int(fields[3]), started=fields[19])
