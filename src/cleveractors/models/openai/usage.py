"""A provider's usage record, read without trust."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cleveractors.models.openai.json_values import is_object
from cleveractors.models.slot import ToldUsage

__all__ = ["clean_usage", "told_prompt", "told_usage"]

_CACHED = ("prompt_cache_hit_tokens", "cache_read_input_tokens")
_CACHE_WRITE = ("cache_creation_input_tokens",)
_DETAILS = ("prompt_tokens_details", "completion_tokens_details")


def told_usage(usage: Mapping[str, Any]) -> ToldUsage | None:
    """Read the counts; None unless both prompt and completion are told, for unknown is not zero."""
    prompt, completion = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    if prompt is None or completion is None:
        return None
    of_prompt, of_completion = (_mapping(usage.get(name)) for name in _DETAILS)
    cached = _first(of_prompt, ("cached_tokens",)) or _first(usage, _CACHED)
    written = _first(of_prompt, ("cache_write_tokens", "cache_creation_tokens")) or _first(usage, _CACHE_WRITE)
    reasoning = _first(of_completion, ("reasoning_tokens",)) or _first(usage, ("reasoning_tokens",))
    return ToldUsage(prompt, completion, min(cached, prompt), min(written, prompt), min(reasoning, completion))


def told_prompt(usage: Mapping[str, Any]) -> int | None:
    """Read the prompt's tokens from a usage that tells no more."""
    return _count(usage.get("prompt_tokens"))


def clean_usage(usage: Mapping[str, Any]) -> dict[str, Any]:
    """Give a told usage with whole numbers only, so that LangChain's arithmetic cannot fail on it."""
    told = told_usage(usage) or ToldUsage(0, 0)
    total = _count(usage.get("total_tokens"))
    cleaned: dict[str, Any] = {
        **usage,
        "prompt_tokens": told.prompt_tokens,
        "completion_tokens": told.completion_tokens,
        "total_tokens": told.prompt_tokens + told.completion_tokens if total is None else total,
    }
    for name in _DETAILS:
        details = {key: _count(value) for key, value in _mapping(usage.get(name)).items()}
        cleaned[name] = details or None
    return cleaned


def _count(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and value >= 0 else None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if is_object(value) else {}


def _first(source: Mapping[str, Any], names: tuple[str, ...]) -> int:
    for name in names:
        if count := _count(source.get(name)):
            return count
    return 0
