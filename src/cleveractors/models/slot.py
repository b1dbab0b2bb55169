"""What a provider told about one attempt, caught before anything of ours or LangChain's can fail."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["AttemptSlot", "ToldUsage", "attempt_slot"]


class ToldUsage(NamedTuple):
    """Token counts as a provider told them; parts are contained in their totals."""

    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int = 0
    """Of the prompt: read from the provider's cache."""
    cache_write_tokens: int = 0
    """Of the prompt: written to the provider's cache."""
    reasoning_tokens: int = 0
    """Of the completion: spent on reasoning."""


@dataclass(slots=True)
class AttemptSlot:
    """One attempt's answer in short. A chat model fills it as soon as it knows, the runtime reads it.

    A host's own chat model may fill it too, in `_agenerate` or `_astream`::

        slot = attempt_slot.get()
        if slot is not None:
            slot.usage = ToldUsage(prompt, completion)
    """

    usage: ToldUsage | None = None
    """The last usage the provider told; None while it told nothing."""
    prompt_tokens: int | None = None
    """The prompt alone, where the provider told no more than that."""
    finish_reason: str | None = None
    """The last non-empty finish reason."""
    request_id: str | None = None
    """The provider's id of the request."""
    model: str | None = None
    """The model that answered, as the provider names it."""
    responded: bool = False
    """Whether response headers arrived."""

    @property
    def told(self) -> ToldUsage | None:
        """The usage, where its figures are counts: others tell nothing."""
        usage = self.usage
        return usage if usage is not None and all(type(one) is int and one >= 0 for one in usage) else None


attempt_slot: ContextVar[AttemptSlot | None] = ContextVar("cleveractors_attempt_slot", default=None)
"""The slot of the attempt that runs in this context."""
