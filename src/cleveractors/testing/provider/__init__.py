"""A scripted OpenAI-compatible provider for tests: a real HTTP server with faults, gates and its own ledger."""

from __future__ import annotations

from cleveractors.testing.provider.answer import count_tokens
from cleveractors.testing.provider.fault import BodyFault, DropFault, Fault, Point, StatusFault, StreamFault
from cleveractors.testing.provider.gate import Gate
from cleveractors.testing.provider.ledger import LedgerEntry, LedgerTotals, Outcome
from cleveractors.testing.provider.request import RecordedRequest
from cleveractors.testing.provider.script import Responder
from cleveractors.testing.provider.server import ScriptedProvider, refused_base_url
from cleveractors.testing.provider.turn import Call, Step, Turn, UsageMode
from cleveractors.testing.provider.wire import Placing, Wire

__all__ = [
    "BodyFault",
    "Call",
    "DropFault",
    "Fault",
    "Gate",
    "LedgerEntry",
    "LedgerTotals",
    "Outcome",
    "Placing",
    "Point",
    "RecordedRequest",
    "Responder",
    "ScriptedProvider",
    "StatusFault",
    "Step",
    "StreamFault",
    "Turn",
    "UsageMode",
    "Wire",
    "count_tokens",
    "refused_base_url",
]
