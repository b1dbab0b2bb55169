"""What an answer without tool calls means for its loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cleveractors.agents.conversation import CUT, Conversation
from cleveractors.stops import StopReason

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

__all__ = ["judge"]


def judge(talk: Conversation, answer: AIMessage) -> StopReason:
    """Why a loop ends with an answer."""
    text, finish = answer.text.strip(), talk.finish_reason
    talk.budget_exhausted |= talk.crossed
    if text:
        talk.answer = answer
    if answer.additional_kwargs.get("refusal") or finish == "content_filter":
        said = answer.additional_kwargs.get("refusal")
        return talk.stop("refused", str(said or "the provider filtered the answer"))
    if finish in CUT:
        return _cut(talk)
    if not text and talk.rounds:
        return talk.stop("tool_only", "the model called tools but gave no answer in words")
    return talk.stop("completed", "the model answered")


def _cut(talk: Conversation) -> StopReason:
    if talk.cut_by is None:
        return talk.stop("length", f"the provider cut the answer at {talk.port.wanted_output} tokens of output at most")
    talk.budget_exhausted = True
    return talk.stop(talk.cut_by, "the answer was cut at the output that the budget had left")
