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
    """The answer's fallback, a plain sentence; `{detail}` says the figures."""
    own_text: bool = False
    """Whether the fallback is that sentence whatever was said before: it was not meant as this answer."""


_LIMIT = "The work was stopped before it was finished: {detail}."

ENDINGS: dict[StopReason, Ending] = {
    "completed": Ending(text="The model gave an empty answer."),
    "length": Ending(text="The answer was cut off by the provider before it had any text: {detail}.", own_text=True),
    "refused": Ending(text="The model refused to answer: {detail}.", own_text=True),
    "max_rounds": Ending("not run: the limit of tool rounds is reached", True, _LIMIT),
    "model_calls": Ending("not run: the limit of model calls is reached", True, _LIMIT),
    "tool_calls": Ending("not run: the limit of tool calls is reached", True, _LIMIT),
    "token_budget": Ending("not run: the token budget is used up", True, _LIMIT),
    "cost_budget": Ending("not run: the cost budget is used up", True, _LIMIT),
    "repeated_calls": Ending("not run: the same calls gave the same results again and again", True, _LIMIT),
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
