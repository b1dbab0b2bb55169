"""What tests of actors need: scripted models and providers, a context, and a network that stays closed."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ..models.script import ScriptExhaustedError
    from ..models.scripted import ScriptedChatModel, ScriptedRequest
    from ..models.turn import ScriptedCall, ScriptedError, ScriptedTurn, call
    from .context import run_context
    from .network import NetworkBlock, NetworkBlockedError, block_network
    from .provider import (
        BodyFault,
        Call,
        DropFault,
        Gate,
        LedgerEntry,
        LedgerTotals,
        RecordedRequest,
        ScriptedProvider,
        StatusFault,
        StreamFault,
        Turn,
        Wire,
        refused_base_url,
    )

__all__ = [
    "BodyFault",
    "Call",
    "DropFault",
    "Gate",
    "LedgerEntry",
    "LedgerTotals",
    "NetworkBlock",
    "NetworkBlockedError",
    "RecordedRequest",
    "ScriptExhaustedError",
    "ScriptedCall",
    "ScriptedChatModel",
    "ScriptedError",
    "ScriptedProvider",
    "ScriptedRequest",
    "ScriptedTurn",
    "StatusFault",
    "StreamFault",
    "Turn",
    "Wire",
    "block_network",
    "call",
    "refused_base_url",
    "run_context",
]

_HOMES: Final = {
    "BodyFault": ".provider",
    "Call": ".provider",
    "DropFault": ".provider",
    "Gate": ".provider",
    "LedgerEntry": ".provider",
    "LedgerTotals": ".provider",
    "NetworkBlock": ".network",
    "NetworkBlockedError": ".network",
    "RecordedRequest": ".provider",
    "ScriptExhaustedError": "..models.script",
    "ScriptedCall": "..models.turn",
    "ScriptedChatModel": "..models.scripted",
    "ScriptedError": "..models.turn",
    "ScriptedProvider": ".provider",
    "ScriptedRequest": "..models.scripted",
    "ScriptedTurn": "..models.turn",
    "StatusFault": ".provider",
    "StreamFault": ".provider",
    "Turn": ".provider",
    "Wire": ".provider",
    "block_network": ".network",
    "call": "..models.turn",
    "refused_base_url": ".provider",
    "run_context": ".context",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_HOMES[name], __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
