"""Answers as OpenAI's Responses API gives them."""

from __future__ import annotations

from typing import Any


def response(status: str) -> dict[str, Any]:
    """A whole response."""
    content: list[dict[str, Any]] = [{"type": "output_text", "text": "Hello.", "annotations": []}]
    failed = status == "failed"
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1.0,
        "model": "m-2024",
        "status": status,
        "error": {"code": "server_error", "message": "It broke."} if failed else None,
        "incomplete_details": {"reason": "max_output_tokens"} if status == "incomplete" else None,
        "instructions": None,
        "metadata": {},
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "output": [{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content}],
        "usage": {
            "input_tokens": 7,
            "input_tokens_details": {"cached_tokens": 2},
            "output_tokens": 3,
            "output_tokens_details": {"reasoning_tokens": 1},
            "total_tokens": 10,
        },
    }


def events(status: str) -> list[dict[str, Any]]:
    """The same as a stream's events."""
    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    return [
        {"type": "response.created", "sequence_number": 0, "response": {**response(status), "error": None}},
        {"type": "response.output_text.delta", "sequence_number": 1, **place, "delta": "Hello.", "logprobs": []},
        {"type": f"response.{status}", "sequence_number": 2, "response": response(status)},
    ]
