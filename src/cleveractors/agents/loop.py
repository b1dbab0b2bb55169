"""What the tool loop gives back, and what it raises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cleveractors.agents.conversation import Conversation
from cleveractors.exceptions import text_of
from cleveractors.stops import StopReason
from cleveractors.usage import TokenUsage

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

__all__ = ["ToolLoopError", "ToolLoopResult"]


@dataclass(slots=True)
class ToolLoopResult:
    """How a loop ended; the counts are read off its ledger."""

    final_response: AIMessage
    accumulated_prompt: int
    accumulated_completion: int
    budget_exhausted: bool
    synthesis_was_run: bool
    rounds: int
    stop_reason: StopReason

    @classmethod
    def of(cls, talk: Conversation, answer: AIMessage, reason: StopReason) -> ToolLoopResult:
        """The result of a conversation that has its answer."""
        usage = talk.ledger.totals.usage
        return cls(
            final_response=answer,
            accumulated_prompt=usage.prompt_tokens,
            accumulated_completion=usage.completion_tokens,
            budget_exhausted=talk.budget_exhausted,
            synthesis_was_run=talk.synthesis_was_run,
            rounds=talk.rounds,
            stop_reason=reason,
        )


class ToolLoopError(Exception):
    """A loop failed; the partial counts travel with the cause. It never leaves an agent.

    Args:
        cause: what is raised in its place.
        messages: the list that the loop was given, a valid history.
        talk: the conversation; None where it could not begin.
    """

    def __init__(self, cause: Exception, messages: list[BaseMessage], talk: Conversation | None) -> None:
        super().__init__(text_of(cause))
        usage = TokenUsage(0, 0) if talk is None else talk.ledger.totals.usage
        self.cause = cause
        self.accumulated_prompt = usage.prompt_tokens
        self.accumulated_completion = usage.completion_tokens
        self.any_invocation_made = talk is not None and talk.ledger.made > 0
        self.messages = messages
