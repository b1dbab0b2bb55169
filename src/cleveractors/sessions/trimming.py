"""How much of a conversation is sent: whole turns, the newest ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cleveractors.exceptions import ConfigurationError
from cleveractors.models.estimate import PromptMeter, TokenRate, measure

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

__all__ = ["trim", "turns_of"]


def trim(
    messages: Sequence[BaseMessage], max_tokens: int | None = None, keep_last: int | None = None
) -> list[BaseMessage]:
    """Keep the newest whole turns of a conversation: as many as both bounds allow, perhaps none.

    A turn is a user's message and all up to the next one, so that no tool call is parted from its result.

    Args:
        messages: the conversation.
        max_tokens: what the kept turns come to at most, as the budgets estimate it.
        keep_last: how many turns are kept at most.

    Raises:
        ConfigurationError: a bound is below 0.
    """
    for name, bound in (("max_tokens", max_tokens), ("keep_last", keep_last)):
        if bound is not None and bound < 0:
            raise ConfigurationError(f"trim: {name} must be 0 at least, found {bound!r}")
    meter = PromptMeter(TokenRate())
    kept = 0
    turns = turns_of(messages)
    for turn in reversed(turns):
        meter.add(measure(*turn))
        if kept == keep_last or (max_tokens is not None and meter.likely() > max_tokens):
            break
        kept += 1
    return [message for turn in turns[len(turns) - kept :] for message in turn]


def turns_of(messages: Sequence[BaseMessage]) -> list[list[BaseMessage]]:
    """Part a conversation into turns; what stands before the first user's message is one too."""
    turns: list[list[BaseMessage]] = []
    for message in messages:
        if message.type == "human" or not turns:
            turns.append([])
        turns[-1].append(message)
    return turns
