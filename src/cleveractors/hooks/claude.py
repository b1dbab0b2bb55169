"""The Claude dialect: flat, CamelCase events, `hookSpecificOutput`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from cleveractors.hooks.points import HookPoint
from cleveractors.hooks.running import HookFailure
from cleveractors.hooks.verdicts import AddContext, Ask, Continue, Deny, Modify, ReplaceText, Verdict

__all__ = ["arguments", "prose", "read", "reason", "render"]

_SAYS_NOTHING = frozenset(
    {"continue", "stopReason", "suppressOutput", "systemMessage", "terminalSequence", "decision", "reason"}
)
_NAMES = {
    "tool_call_id": "tool_use_id",
    "result": "tool_response",
    "assistant_response": "last_assistant_message",
    "child_session_id": "agent_id",
    "child_role": "agent_type",
}
"""Our key → the one that such hooks read beside it."""


def render(point: HookPoint, document: dict[str, Any]) -> dict[str, Any]:
    """Write the document flat; what is null off tools is left out."""
    extra = cast("dict[str, Any]", document["extra"])
    top = {key: value for key, value in document.items() if key != "extra"}
    if not point.matcher:
        del top["tool_name"], top["tool_input"]
    told = {**extra, **{theirs: extra[ours] for ours, theirs in _NAMES.items() if ours in extra}, **top}
    told["hook_event_name"] = _event(point, extra)
    if "user_message" in extra:
        told["prompt"] = _words(extra["user_message"])
    if told["hook_event_name"] == "PostToolUseFailure":
        told["error"] = told["tool_response"]
    if point.name == "on_session_start":
        told["source"] = "startup"
    return told


def _event(point: HookPoint, extra: Mapping[str, Any]) -> str:
    failed = point.name == "post_tool_call" and extra.get("status") != "ok"
    return "PostToolUseFailure" if failed else point.claude


def _words(message: object) -> str:
    """The text of a user's message, whatever stands beside it."""
    if isinstance(message, str):
        return message
    parts = cast("list[Any]", message) if isinstance(message, list) else []
    texts = [cast("dict[str, Any]", part).get("text") for part in parts if isinstance(part, dict)]
    return "\n".join(text for text in texts if isinstance(text, str))


def reason(answer: Mapping[str, Any]) -> str:
    """The text that says why."""
    own = answer.get("hookSpecificOutput")
    inner = cast("dict[str, Any]", own) if isinstance(own, dict) else {}
    for text in (inner.get("permissionDecisionReason"), answer.get("reason"), answer.get("stopReason")):
        if isinstance(text, str) and text.strip():
            return text
    return ""


def arguments(changed: Mapping[str, Any], before: Any) -> dict[str, Any]:
    """All of the new arguments."""
    del before
    return dict(changed)


def prose(point: HookPoint, text: str) -> Verdict | None:
    """What an answer in words means: context for the user's message, elsewhere nothing."""
    return AddContext(text) if AddContext in point.verdicts else None


def read(point: HookPoint, answer: Mapping[str, Any]) -> Verdict | None:
    """What an object means at a hook point.

    Raises:
        HookFailure: it says something, and it can't be followed.
    """
    if answer.get("continue") is False:
        return _ended(point, answer)
    own = answer.get("hookSpecificOutput")
    inner = _inner(point, own) if own is not None else None
    verdict = _decision(point, answer)
    if verdict is not None or inner is not None:
        return verdict if isinstance(verdict, Deny) or inner is None else inner
    unknown = [key for key in answer if key not in _SAYS_NOTHING and key != "hookSpecificOutput"]
    if unknown and not _SAYS_NOTHING.intersection(answer) and own is None:
        raise HookFailure("output", f"nothing of what it wrote is understood: {', '.join(unknown)[:100]}")
    return None


def _ended(point: HookPoint, answer: Mapping[str, Any]) -> Verdict | None:
    """`continue: false` is stronger than everything else."""
    if point.gate:
        return Deny(reason(answer))
    if Continue in point.verdicts:
        return None
    raise HookFailure("output", f"it said continue: false, which can't be followed on {point.name}")


def _decision(point: HookPoint, answer: Mapping[str, Any]) -> Verdict | None:
    word = answer.get("decision")
    if word is None or (word in ("approve", "allow") and point.name == "pre_tool_call"):
        return None
    if word != "block":
        raise HookFailure("output", f"it decided {str(word)[:60]!r}, which can't be followed on {point.name}")
    if Continue in point.verdicts:
        return Continue(reason(answer)) if reason(answer) else None
    return Deny(reason(answer))


def _inner(point: HookPoint, own: object) -> Verdict | None:
    if not isinstance(own, dict):
        raise HookFailure("output", "hookSpecificOutput is no object")
    output = cast("dict[str, Any]", own)
    event = output.get("hookEventName")
    if event is not None and event not in (point.claude, "PostToolUseFailure"):
        raise HookFailure("output", f"it answered for the event {str(event)[:60]!r}, asked was {point.claude!r}")
    if "permissionDecision" in output or "updatedInput" in output:
        return _permission(output)
    if "updatedToolOutput" in output:
        text = output["updatedToolOutput"]
        return ReplaceText(text if isinstance(text, str) else json.dumps(text, ensure_ascii=False))
    text = output.get("additionalContext")
    if text is not None:
        return AddContext(text) if str(text).strip() else None
    unknown = [key for key in output if key not in ("hookEventName", "permissionDecisionReason")]
    if unknown:
        raise HookFailure("output", f"nothing of hookSpecificOutput is understood: {', '.join(unknown)[:100]}")
    return None


def _permission(output: Mapping[str, Any]) -> Verdict | None:
    word, changed = output.get("permissionDecision"), output.get("updatedInput")
    why = reason({"hookSpecificOutput": output})
    if word == "deny":
        return Deny(why)
    if word in ("ask", "defer"):
        return Ask(why)
    if word not in (None, "allow"):
        raise HookFailure("output", f"permissionDecision {str(word)[:60]!r} is none of allow, deny, ask, defer")
    if output.get("additionalContext"):
        raise HookFailure("output", "additionalContext can't be taken before a tool call")
    if changed is None:
        return None
    if not isinstance(changed, dict):
        raise HookFailure("output", "updatedInput is no object: it replaces all of the arguments")
    return Modify(cast("dict[str, Any]", changed))
