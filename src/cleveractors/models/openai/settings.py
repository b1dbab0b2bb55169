"""What one OpenAI-compatible model is told at its making."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["OPENAI_URL", "OpenAISettings"]

OPENAI_URL = "https://api.openai.com/v1"
"""Where a model without a base URL lives; said aloud, so that nobody asks the environment."""


@dataclass(frozen=True, slots=True)
class OpenAISettings:
    """One model at one endpoint, for one payer."""

    model: str
    """The model's name, as the provider knows it."""
    api_key: str = field(repr=False)
    """Travels with each request, and is kept by no shared object."""
    base_url: str | None = None
    """The endpoint, up to `/chat/completions`; a query in it is sent with every request. None: OpenAI's own."""
    organization: str | None = None
    """The `OpenAI-Organization` header."""
    project: str | None = None
    """The `OpenAI-Project` header."""
    api: Literal["chat", "responses"] = "chat"
    """Chat completions, or the Responses API (always on the stock transport)."""
    transport: Literal["lean", "stock"] = "lean"
    """Our reading of the wire, or the openai client's."""
    parameters: Mapping[str, object] = field(default_factory=dict[str, object])
    """`temperature`, `top_p`, `max_tokens`, `stop`, `seed`, `presence_penalty`, `frequency_penalty`,
    `reasoning_effort`, `parallel_tool_calls` (sent only beside tools)."""
    stream_usage: bool = True
    """Whether streams ask for usage; off for servers that refuse `stream_options`."""
    default_headers: Mapping[str, str] | None = field(default=None, repr=False)
    """Sent with every request, over all others."""
