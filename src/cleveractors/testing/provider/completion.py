"""The JSON of completions and of completion chunks."""

from __future__ import annotations

import json
import time
from typing import Any

from cleveractors.testing.provider.answer import Answer, SettledCall
from cleveractors.testing.provider.fault import BodyFault
from cleveractors.testing.provider.ledger import Usage
from cleveractors.testing.provider.turn import UsageMode


def dump(value: object) -> str:
    """Write a value as compact JSON, characters beyond ASCII as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def usage_json(usage: Usage, mode: UsageMode) -> str:
    """Write the `usage` object.

    Args:
        usage: The numbers.
        mode: The turn's usage mode.

    Returns:
        JSON text, `null` under the mode `"null"`.
    """
    if mode == "null":
        return "null"
    partial = mode == "partial"
    return dump(
        {
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": None if partial else usage.completion_tokens,
            "total_tokens": None if partial else usage.prompt_tokens + usage.completion_tokens,
            "prompt_tokens_details": {"cached_tokens": usage.cached_tokens, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": usage.reasoning_tokens, "audio_tokens": 0},
        }
    )


def completion_json(answer: Answer, mode: UsageMode, fault: BodyFault | None = None) -> str:
    """Write a blocking completion.

    Args:
        answer: The answer.
        mode: The turn's usage mode.
        fault: A fault that changes `choices`.

    Returns:
        JSON text.
    """
    choices: list[dict[str, Any]] | None = [_choice(0, _message(answer), answer.finish)]
    others = enumerate(answer.alternatives, start=1)
    choices += [_choice(index, {"role": "assistant", "content": text}, answer.finish) for index, text in others]
    if fault is not None:
        choices = None if fault.kind == "null_choices" else []
    body = {
        "id": answer.completion_id,
        "object": "chat.completion",
        "created": int(time.time()),
        "model": answer.model,
        "choices": choices,
        "system_fingerprint": "fp_scripted",
    }
    if mode == "never":
        return dump(body)
    return f'{dump(body)[:-1]},"usage":{usage_json(answer.usage, mode)}}}'


def chunk_frame(answer: Answer) -> tuple[str, str]:
    """Give the constant text around the `choices` of every chunk of an answer.

    Args:
        answer: The answer.

    Returns:
        What comes before the choices, and what comes after them (without the closing brace).
    """
    head = {
        "id": answer.completion_id,
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": answer.model,
    }
    return f'{dump(head)[:-1]},"choices":', ',"system_fingerprint":"fp_scripted"'


def _choice(index: int, message: dict[str, Any], finish: str | None) -> dict[str, Any]:
    choice: dict[str, Any] = {"index": index, "message": message, "logprobs": None}
    if finish is not None:
        choice["finish_reason"] = finish
    return choice


def _message(answer: Answer) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text, "refusal": answer.refusal}
    if answer.reasoning is not None:
        message["reasoning_content"] = answer.reasoning
    if answer.calls:
        message["tool_calls"] = [_call(call) for call in answer.calls]
    return message


def _call(call: SettledCall) -> dict[str, Any]:
    entry: dict[str, Any] = {} if call.id is None else {"id": call.id}
    return entry | {"type": "function", "function": {"name": call.name, "arguments": call.arguments}}
