"""The wrap-up: one last answer without tools, on a view cut to what is left."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from cleveractors.models.estimate import MARGIN, PER_MESSAGE, PromptMeter, TokenRate, measure
from cleveractors.reservation import MIN_OUTPUT

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

    from cleveractors.agents.conversation import Conversation

__all__ = ["keep_reserve", "reserve_tokens", "wrap_up_view"]

MIN_HEAD = 40
"""Characters of a result that are worth sending."""

DEFAULT_RESERVE = 1_000
"""Tokens of output for a wrap-up where no token ceiling of the run's own gives the measure."""


def reserve_tokens(talk: Conversation, configured: int | None) -> int:
    """Tokens of output that a wrap-up may use: as configured, else a tenth; at most a third of the ceiling."""
    ceilings = [purse.budget.max_tokens for purse in talk.own_purses if purse.budget.max_tokens is not None]
    if not ceilings:
        return configured or DEFAULT_RESERVE
    ceiling = min(ceilings)
    return max(min(configured or ceiling // 10, ceiling // 3), 1)


def keep_reserve(talk: Conversation, output: int) -> None:
    """Keep room for a wrap-up in the run's own purses: its output, its shortest prompt, and some results."""
    shortest = _tokens(talk.run.rate, [*_opening(talk), note("x" * 200, cut=True)])
    shortest += _tools(talk)
    price = talk.port.quote.price if talk.port.quote else None
    for purse in talk.own_purses:
        results = min(output, (purse.budget.max_tokens or output * 10) // 10)
        purse.keep_tokens = output + shortest + results
        if price is not None:
            prompt_cost = (shortest + results) * price.highest_prompt
            purse.keep_cost = Decimal(prompt_cost + output * price.highest_completion)


def note(why: str, *, cut: bool) -> BaseMessage:
    """The line that ends the view: why the model must answer now, and that something was left out."""
    from langchain_core.messages import HumanMessage

    left_out = " Earlier steps were left out here to save room." if cut else ""
    return HumanMessage(
        f"[{why}. No more tools can be called.{left_out} Give your best final answer now, from what is known so far; "
        "say plainly what could not be finished.]"
    )


def wrap_up_view(talk: Conversation, why: str, output: int) -> tuple[list[BaseMessage], PromptMeter]:
    """What the wrap-up is sent, and its size: everything if it fits, else the opening and the newest rounds that do."""
    last = note(why, cut=False)
    room = _room(talk, output)
    whole = talk.meter_of_view().fork(measure(last))
    if room is None or whole.likely() <= room:
        return [*talk.view, last], whole
    opening, last = _opening(talk), note(why, cut=True)
    left = room - _tokens(talk.run.rate, [*opening, last]) - _tools(talk) - 1
    view = [*opening, *_newest(talk, left), last]
    return view, talk.fresh_meter(view)


def _tools(talk: Conversation) -> int:
    size = talk.port.tools_size
    return int(talk.run.rate.tokens(size) * MARGIN) + PER_MESSAGE * size.messages


def _room(talk: Conversation, output: int) -> int | None:
    """Tokens of prompt that every purse has room for beside the output."""
    rooms: list[int] = []
    price = talk.port.quote.price if talk.port.quote else None
    own = talk.own_purses
    for purse in talk.purses:
        budget, kept = purse.budget, purse not in own
        if budget.remaining is not None:
            keep = purse.keep_tokens if kept else 0
            rooms.append(budget.remaining - keep - max(min(output, budget.remaining // 2), MIN_OUTPUT))
        if budget.remaining_cost is not None and price is not None and price.highest_prompt:
            keep_cost = purse.keep_cost if kept else 0
            left = budget.remaining_cost - keep_cost - output * price.highest_completion
            rooms.append(int(left / price.highest_prompt))
    return min(rooms) if rooms else None


def _opening(talk: Conversation) -> list[BaseMessage]:
    """The system prompt, the user's message of this run, and by what a hook has last sent the run back."""
    from langchain_core.messages import HumanMessage, SystemMessage

    system = talk.view[:1] if talk.view and isinstance(talk.view[0], SystemMessage) else []
    last = next((one for one in reversed(talk.messages) if isinstance(one, HumanMessage)), None)
    asked = [one for one in (talk.question, last) if one is not None]
    return [*system, *(asked[:1] if talk.question is last else asked)]


def _tokens(rate: TokenRate, messages: Sequence[BaseMessage]) -> int:
    return int(rate.tokens(measure(*messages)) * MARGIN) + PER_MESSAGE * len(messages)


def _newest(talk: Conversation, left: int) -> list[BaseMessage]:
    """The newest rounds that fit, whole; of the first that does not, its results cut short."""
    from langchain_core.messages import AIMessage, HumanMessage

    kept: list[BaseMessage] = []
    group: list[BaseMessage] = []
    for message in reversed(talk.view):
        if isinstance(message, HumanMessage):
            break
        group.insert(0, message)
        if not isinstance(message, AIMessage):
            continue
        size = _tokens(talk.run.rate, group)
        if size > left:
            return [*_shortened(talk.run.rate, group, left), *kept]
        kept, left, group = [*group, *kept], left - size, []
    return kept


def _shortened(rate: TokenRate, group: Sequence[BaseMessage], left: int) -> list[BaseMessage]:
    """A round whose longest results are cut so that it fits; nothing where not even their heads do."""
    from langchain_core.messages import ToolMessage

    results = sum(1 for one in group if isinstance(one, ToolMessage))
    length = 4 * left // max(results, 1)
    while results and length >= MIN_HEAD:
        cut = [_cut(one, length) if isinstance(one, ToolMessage) else one for one in group]
        if _tokens(rate, cut) <= left:
            return cut
        length = length * 3 // 4
    return []


def _cut(message: BaseMessage, length: int) -> BaseMessage:
    text = message.text
    if len(text) <= length:
        return message
    return message.model_copy(update={"content": f"{text[:length]} […{len(text) - length} characters left out]"})
