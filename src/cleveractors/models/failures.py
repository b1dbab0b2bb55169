"""What a failed attempt means: was it billed, may it be sent again, and when."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal, Protocol

from cleveractors.exceptions import ConfigurationError, causes_of

__all__ = ["Failure", "RetryRules", "classify", "pause_before", "retry_after"]

_RETRYABLE_STATUS = frozenset({408, 409, 425, 429})
_BILLED_STATUS = frozenset({408, 502, 504})
_RETRYABLE_CODES = frozenset({"server_error", "rate_limit_exceeded", "overloaded_error", "internal_error", "timeout"})
# Names of the HTTP client's errors, so that it need not be imported here.
_UNSENT = frozenset(
    {"ConnectError", "ConnectTimeout", "PoolTimeout", "ProxyError", "ConnectionRefusedError", "gaierror"}
)
_TIMEOUTS = frozenset(
    {"ReadTimeout", "WriteTimeout", "ModelTimeoutError", "APITimeoutError", "StreamChunkTimeoutError"}
)
_CONNECTION = frozenset(
    {"APIConnectionError", "ModelConnectionError", "RemoteProtocolError", "ReadError", "WriteError"}
)
_OVERFLOW_TEXTS = ("maximum context length", "context window", "context_length_exceeded")


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed attempt, judged."""

    state: Literal["unmeasured", "rejected", "unsent"]
    retryable: bool
    timed_out: bool = False
    """It ran into a clock of ours or of the client's: it was probably paid."""
    overflow: bool = False
    """The prompt was too long for the model."""
    status: int | None = None
    after: float | None = None
    """Seconds that the provider asked to wait."""


class RetryRules(Protocol):
    """The `retry` block of an agent."""

    @property
    def attempts(self) -> int: ...
    @property
    def initial(self) -> float: ...
    @property
    def maximum(self) -> float: ...
    @property
    def deadline(self) -> float: ...
    @property
    def after_timeout(self) -> bool: ...


def classify(error: BaseException, beyond: BaseException | None = None) -> Failure:
    """Judge the error of an attempt whose request was handed to the model.

    Args:
        error: what came out of the attempt.
        beyond: what the host was handling when it asked, as in `except RateLimitError: await execute(…)`. Python
            hangs it on ours as its context, yet it says nothing of this attempt.
    """
    try:
        return _judged(error, beyond)
    except Exception:
        # A host's own error whose attributes or text can't be read must not keep its attempt's row open.
        return Failure("unmeasured", retryable=False)


def _judged(error: BaseException, beyond: BaseException | None) -> Failure:
    if isinstance(error, ConfigurationError | UnicodeEncodeError):
        # The latter: a text that no request can hold, found while its body was written.
        return Failure("unsent", retryable=False)
    causes = list(causes_of(error, beyond))
    names = {kind.__name__ for one in causes for kind in type(one).__mro__}
    status = _status(causes)
    overflow = _is_overflow(error, names)
    if status is not None:
        retryable = (status in _RETRYABLE_STATUS or status >= 500) and not overflow
        state = "unmeasured" if status in _BILLED_STATUS else "rejected"
        return Failure(state, retryable, overflow=overflow, status=status, after=retry_after(causes))
    if names & _UNSENT:
        return Failure("unsent", retryable=True)
    if isinstance(error, TimeoutError) or names & _TIMEOUTS:
        return Failure("unmeasured", retryable=True, timed_out=True)
    code = getattr(error, "code", None)
    retryable = bool(
        _is_server_trouble(code)
        or names & _CONNECTION
        or isinstance(error, ConnectionError)
        or (isinstance(code, str) and code in _RETRYABLE_CODES)
        or _says_retryable(error)
    )
    return Failure("unmeasured", retryable and not overflow, overflow=overflow)


def _is_server_trouble(code: object) -> bool:
    """Whether an error event within a stream carries an HTTP status of the server's, as a number or as text."""
    number = int(code) if isinstance(code, str) and code.isdigit() else code
    return isinstance(number, int) and (number in _RETRYABLE_STATUS or 500 <= number < 600)


def _says_retryable(error: BaseException) -> bool:
    return getattr(error, "is_retryable", None) is True


def _status(causes: Sequence[BaseException]) -> int | None:
    for one in causes:
        status = getattr(one, "status_code", None)
        if isinstance(status, int) and status >= 400:
            return status
    return None


def _is_overflow(error: BaseException, names: set[str]) -> bool:
    if "ContextOverflowError" in names or getattr(error, "code", None) == "context_length_exceeded":
        return True
    text = str(error).lower()
    return any(phrase in text for phrase in _OVERFLOW_TEXTS)


def retry_after(causes: Sequence[BaseException], now: datetime | None = None) -> float | None:
    """Seconds that `Retry-After` asks for, given as seconds or as a date (RFC 9110 §10.2.3)."""
    headers = _headers(causes)
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if not value:
            continue
        try:
            seconds = float(value) * unit
        except ValueError:
            pass
        else:
            return max(seconds, 0.0) if math.isfinite(seconds) else None
        try:
            moment = parsedate_to_datetime(value)
        except (TypeError, ValueError, OverflowError):
            continue
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return max((moment - (now or datetime.now(UTC))).total_seconds(), 0.0)
    return None


def _headers(causes: Sequence[BaseException]) -> Mapping[str, Any]:
    for one in causes:
        headers = getattr(getattr(one, "response", None), "headers", None)
        if headers is not None:
            return headers
    return {}


def pause_before(failure: Failure, rules: RetryRules, attempt: int, spent: float) -> float | None:
    """Seconds to wait before the next attempt, or None when there is to be none.

    Args:
        failure: of the attempt that ended.
        rules: the agent's.
        attempt: its number, from 1.
        spent: seconds since the first attempt began.
    """
    if not failure.retryable or attempt >= rules.attempts:
        return None
    if failure.timed_out and not rules.after_timeout:
        return None
    # Jitter only shortens: `maximum` stays one, and runs that failed together part.
    backoff = min(rules.initial * 2 ** (attempt - 1), rules.maximum) * random.uniform(0.5, 1)  # nosec B311 - no secret
    pause = max(backoff, failure.after or 0)
    return pause if spent + pause <= rules.deadline else None
