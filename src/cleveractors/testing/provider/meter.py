"""Meters: what one request has cost so far, and what the wire has told about it."""

from __future__ import annotations

from dataclasses import dataclass

from cleveractors.testing.provider.answer import Answer
from cleveractors.testing.provider.ledger import Ledger, LedgerEntry, Outcome, Usage


@dataclass(slots=True)
class Meter:
    """Follows one chat request and enters its outcome in the ledger.

    Attributes:
        ledger: Where the outcome is entered.
        answer: What is being answered.
        order: The request's position.
        streamed: Whether the answer is a stream.
        charged: Whether the request is billed.
        generated: Completion tokens generated so far.
        told: The last usage written to the wire in full.
        told_prompt: The last number of prompt tokens written to the wire.
    """

    ledger: Ledger
    answer: Answer
    order: int
    streamed: bool
    charged: bool = True
    generated: int = 0
    told: Usage | None = None
    told_prompt: int | None = None

    def settle(self, outcome: Outcome, reason: str = "") -> None:
        """Enter the outcome; a later one replaces it.

        Args:
            outcome: What became of the request.
            reason: The error message of a rejected request.
        """
        usage = self.answer.usage_at(self.generated) if self.charged else Usage()
        told = self.told
        entry = LedgerEntry(
            order=self.order,
            request_id=self.answer.request_id,
            model=self.answer.model,
            streamed=self.streamed,
            outcome=outcome,
            charged=self.charged,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            cached_tokens=usage.cached_tokens,
            reasoning_tokens=usage.reasoning_tokens,
            told_prompt_tokens=self.told_prompt if told is None else told.prompt_tokens,
            told_completion_tokens=None if told is None else told.completion_tokens,
            reason=reason,
        )
        self.ledger.put(entry)
