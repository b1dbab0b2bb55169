"""How a loop ends: one table from the reason to what is still done."""

from __future__ import annotations

from dataclasses import dataclass

from cleveractors.stops import StopReason

__all__ = ["ENDINGS", "Ending", "fallback"]


@dataclass(frozen=True, slots=True)
class Ending:
    """What an ending still does."""

    open_calls: str = ""
    """How calls that were not run are answered."""
    wrap_up: bool = False
    """Whether the model is asked for one last answer."""
    text: str = ""
    """The answer's fallback, a plain sentence, which users read: names and figures of budgets are not for them."""
    own_text: bool = False
    """Whether the fallback is that sentence whatever was said before: it was not meant as this answer."""


def _limit(why: str) -> Ending:
    return Ending(f"not run: {why}", True, f"The work was stopped before it was finished: {why}.")


ENDINGS: dict[StopReason, Ending] = {
    "completed": Ending(text="The model gave an empty answer."),
    "length": Ending(text="The answer was cut off by the provider before it had any text: {detail}.", own_text=True),
    "refused": Ending(text="The model refused to answer: {detail}.", own_text=True),
    "max_rounds": _limit("the limit of tool rounds is reached"),
    "model_calls": _limit("the limit of model calls is reached"),
    "tool_calls": _limit("the limit of tool calls is reached"),
    "token_budget": _limit("the token budget is used up"),
    "cost_budget": _limit("the cost budget is used up"),
    "repeated_calls": _limit("the same calls gave the same results again and again"),
    "tool_only": Ending("", True, "The model called tools but gave no answer in words."),
    "denied": Ending("not run: denied", False, "{detail}"),
    "approval": Ending("not run: it waits for approval", False, "{detail}"),
    "timeout": Ending("not run: the run's time is up", False, "The run's time was up before it was finished."),
    "aborted": Ending("aborted before it had answered", False, "The run was aborted before it was finished."),
}


def fallback(reason: StopReason, detail: str, last_text: str) -> str:
    """The answer where the model gave none: its last words, else a sentence that says why."""
    ending = ENDINGS[reason]
    if last_text.strip() and not ending.own_text:
        return last_text
    return ending.text.format(detail=detail.rstrip("."))
