"""Ids: unique, sortable by time, made without asking anybody."""

from __future__ import annotations

import os
import threading
import time

__all__ = ["new_call_id", "new_id"]

_lock = threading.Lock()
_last = [0]


def new_id() -> str:
    """A new UUID version 7 (RFC 9562 §5.7) as text; ids of one process ascend."""
    with _lock:
        # 48 bits of milliseconds, 12 more of the fraction: two ids in one tick still ascend.
        now = max(time.time_ns() * 4096 // 1_000_000, _last[0] + 1)
        _last[0] = now
    high = (now >> 12) << 16 | 0x7000 | (now & 0xFFF)
    low = int.from_bytes(os.urandom(8), "big") & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    text = f"{high:016x}{low:016x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def new_call_id() -> str:
    """A new id for a tool call, where a provider sent none or one that is taken."""
    return f"call_{os.urandom(12).hex()}"
