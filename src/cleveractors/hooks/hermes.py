"""The Hermes dialect: one flat answer, `action` or `decision`, and everything beside the tool under `extra`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from cleveractors.hooks.points import HookPoint
from cleveractors.hooks.running import HookFailure
from cleveractors.hooks.verdicts import AddContext, Ask, Continue, Deny, Modify, ReplaceText, Verdict

__all__ = ["arguments", "read", "reason", "render"]

_SAYS_NOTHING = frozenset({"reason", "message", "rule_key"})


def render(point: HookPoint, document: dict[str, Any]) -> dict[str, Any]:
    """Write the document; arguments that are no mapping are told as null."""
    del point
    return document if isinstance(document["tool_input"], dict) else {**document, "tool_input": None}


def reason(answer: Mapping[str, Any]) -> str:
    """The text that says why."""
    for key in ("reason", "message"):
        if isinstance(text := answer.get(key), str) and text.strip():
            return text
    return ""


def arguments(changed: Mapping[str, Any], before: Any) -> dict[str, Any]:
    """New values for some of the arguments; the others stay.

    Raises:
        ValueError: there was nothing to put them into.
    """
    if not isinstance(before, Mapping):
        raise ValueError("it modified arguments that are no mapping")
    return {**cast("Mapping[str, Any]", before), **changed}


def read(point: HookPoint, answer: Mapping[str, Any]) -> Verdict | None:
    """What an object means at a hook point.

    Raises:
        HookFailure: it says something, and it can't be followed.
    """
    if answer.get("hookSpecificOutput") is not None:
        raise HookFailure("output", "it speaks the Claude dialect: register it with dialect='claude'")
    word = _word(answer)
    if word is not None:
        return _directive(point, word, answer)
    if "context" in answer:
        text = answer["context"]
        return AddContext(text) if isinstance(text, str) and text.strip() else None
    unknown = [key for key, value in answer.items() if key not in _SAYS_NOTHING and value is not None]
    if unknown:
        raise HookFailure("output", f"nothing of what it wrote is understood: {', '.join(unknown)[:100]}")
    return None


def _word(answer: Mapping[str, Any]) -> str | None:
    for key in ("action", "decision"):
        word = answer.get(key)
        if isinstance(word, str):
            return "approve as Claude means it" if (key, word) == ("decision", "approve") else word
        if word is not None:
            raise HookFailure("output", f"{key} is no text")
    return None


def _directive(point: HookPoint, word: str, answer: Mapping[str, Any]) -> Verdict | None:
    at_stop = Continue in point.verdicts
    if word in ("allow", "pass"):
        return None
    if at_stop and word in ("continue", "block"):
        # Without a text there is nothing to go on with.
        return Continue(reason(answer)) if reason(answer) else None
    if word in ("block", "deny"):
        return Deny(reason(answer))
    if word in ("approve", "ask"):
        return Ask(reason(answer))
    if word == "modify":
        return _modify(answer)
    if word == "replace" and isinstance(text := answer.get("text"), str):
        return ReplaceText(text)
    raise HookFailure("output", f"it said {word[:60]!r}, which can't be followed on {point.name}")


def _modify(answer: Mapping[str, Any]) -> Modify:
    for key in ("args", "tool_input"):
        if isinstance(changed := answer.get(key), dict):
            return Modify(cast("dict[str, Any]", changed))
    raise HookFailure("output", "it said 'modify' without an object of args")
