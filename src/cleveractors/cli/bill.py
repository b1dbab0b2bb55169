"""The bill in words."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from cleveractors.config.shown import printable
from cleveractors.events.redaction import redacted
from cleveractors.result import ActorResult, ErrorInfo

__all__ = ["advice", "bill_line", "error_text", "note"]

_LONGEST = 600


def bill_line(result: ActorResult[Any]) -> str:
    """Tokens, cost where it is known, and why the run ended, in one line."""
    prompt, completion = result.prompt_tokens, result.completion_tokens
    parts = [f"{prompt:,} prompt + {completion:,} completion = {result.total_tokens:,} tokens"]
    if result.unmeasured_calls:
        more = result.estimated_prompt_tokens + result.estimated_completion_tokens
        parts.append(f"about {more:,} more in {_calls(result.unmeasured_calls, 'unmeasured')}")
    if result.cost is not None:
        parts.append(f"cost {_money(result.cost)}")
        if result.unpriced_calls:
            parts.append(_calls(result.unpriced_calls, "unpriced"))
    if result.estimated_cost is not None:
        parts.append(f"about {_money(result.estimated_cost)} more")
    return " · ".join([*parts, result.stop_reason])


def note(result: ActorResult[Any]) -> str | None:
    """What has to be said of an ending other than the plain answer."""
    if result.stop_reason == "completed":
        return None
    failed = f" (the wrap-up failed: {error_text(result.error)})" if result.error is not None else ""
    return f"ended by {result.stop_reason}: {result.stop_detail}{failed}"


def error_text(error: BaseException | ErrorInfo) -> str:
    """An error in one line."""
    text = _named(error)
    cause = getattr(error, "__cause__", None)
    # Clients of providers say no more than "Connection error." of what went wrong below them.
    if cause is not None and getattr(error, "status_code", None) is None and str(cause) not in text:
        text = f"{text} ({_named(cause)})"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def advice(error: BaseException) -> list[str]:
    """What an error says besides of what to do."""
    return [printable(redacted(note)) for note in getattr(error, "__notes__", ())]


def _named(error: BaseException | ErrorInfo) -> str:
    kind, text = ErrorInfo.of(error).type, " ".join(ErrorInfo.of(error).message.split())
    # A provider's refusal may hold the key that it refuses.
    return printable(redacted(f"{kind}: {text}" if text else kind))


def _calls(count: int, kind: str) -> str:
    return f"{count} {kind} call{'' if count == 1 else 's'}"


def _money(amount: Decimal) -> str:
    return f"${amount.normalize():f}"
