"""What an answer told about itself, noted in the attempt's slot before anything can fail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cleveractors.models.openai.json_values import is_list, is_object
from cleveractors.models.openai.usage import clean_usage, told_prompt, told_usage
from cleveractors.models.slot import AttemptSlot, attempt_slot

__all__ = ["Notes", "first_choice", "note_headers"]

_REQUEST_IDS = ("x-request-id", "request-id", "apim-request-id")


def note_headers(headers: Mapping[str, str]) -> None:
    """Note that response headers arrived, and the request's id among them."""
    slot = attempt_slot.get()
    if slot is None:
        return
    slot.responded = True
    for name in _REQUEST_IDS:
        if value := headers.get(name):
            slot.request_id = value
            return


def first_choice(document: dict[str, Any]) -> dict[str, Any] | None:
    """Give the choice that counts: the one with index 0, or without index."""
    choices = document.get("choices")
    if is_list(choices):
        for choice in choices:
            if is_object(choice) and not choice.get("index"):
                return choice
    return None


class Notes:
    """Reads each document of one answer, chunks or whole, and keeps the last word on each matter."""

    __slots__ = ("fingerprint", "partial_usage", "slot", "tier", "usage")

    def __init__(self) -> None:
        self.slot: AttemptSlot = attempt_slot.get() or AttemptSlot()
        self.usage: dict[str, Any] | None = None
        """The last usage that told prompt and completion, safe for LangChain."""
        self.partial_usage: dict[str, Any] | None = None
        """A usage that told less: kept to be looked at, never counted."""
        self.tier: str | None = None
        self.fingerprint: str | None = None

    def read(self, document: object) -> dict[str, Any] | None:
        """Note what a document tells, and give its choice that counts; one that is no object tells nothing."""
        if not is_object(document):
            return None
        choice = first_choice(document)
        if usage := _usage_in(document, choice):
            self._note_usage(usage)
        slot = self.slot
        if choice is not None and (reason := choice.get("finish_reason")) and isinstance(reason, str):
            slot.finish_reason = reason
        if (model := document.get("model")) and isinstance(model, str):
            slot.model = model
        if slot.request_id is None and (answer_id := document.get("id")) and isinstance(answer_id, str):
            slot.request_id = answer_id
        if isinstance(tier := document.get("service_tier"), str):
            self.tier = tier
        if isinstance(fingerprint := document.get("system_fingerprint"), str):
            self.fingerprint = fingerprint
        return choice

    def _note_usage(self, usage: dict[str, Any]) -> None:
        told = told_usage(usage)
        if told is None:
            self.partial_usage = usage
            self.slot.prompt_tokens = told_prompt(usage)
            return
        self.slot.usage = told
        self.usage = clean_usage(usage)


def _usage_in(document: dict[str, Any], choice: dict[str, Any] | None) -> dict[str, Any] | None:
    """Find usage where servers put it: on top, in the choice (Moonshot), under `x_groq` (Groq)."""
    if is_object(usage := document.get("usage")) and usage:
        return usage
    if choice is not None and is_object(usage := choice.get("usage")) and usage:
        return usage
    if is_object(extra := document.get("x_groq")) and is_object(usage := extra.get("usage")) and usage:
        return usage
    return None
