"""After a 429 all attempts on the same endpoint and key wait together."""

from __future__ import annotations

import time

__all__ = ["Cooldown"]


class Cooldown:
    """Until when each endpoint is to be left alone; safe from any thread."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def start(self, endpoint: str, seconds: float) -> None:
        """Keep everybody off an endpoint for so long."""
        if seconds <= 0:
            return
        now = time.monotonic()
        # Keys come and go with the tenants of a host: what is over must not pile up.
        for other in [name for name, until in list(self._until.items()) if until <= now]:
            self._until.pop(other, None)
        self._until[endpoint] = max(self._until.get(endpoint, 0), now + seconds)

    def left(self, endpoint: str) -> float:
        """Seconds until the endpoint may be asked again; 0 or less when it may be now."""
        until = self._until.get(endpoint)
        if until is None:
            return 0
        left = until - time.monotonic()
        if left <= 0:
            self._until.pop(endpoint, None)
        return left
