"""Settings and clients in, a chat model out."""

from __future__ import annotations

from typing import Any

import httpx2
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from cleveractors.exceptions import ConfigurationError, Problem
from cleveractors.models.openai.clients import OpenAIClients, request_headers
from cleveractors.models.openai.lean import LeanChatOpenAI
from cleveractors.models.openai.settings import OPENAI_URL, OpenAISettings
from cleveractors.models.openai.stock import StockChatOpenAI

__all__ = ["build_model"]

_REFUSE_REASONING = ("api.openai.com", ".openai.azure.com")


def build_model(settings: OpenAISettings, clients: OpenAIClients) -> StockChatOpenAI:
    """Make the chat model of `settings` for the running loop.

    Args:
        settings: what model, where, and who pays.
        clients: the executor's HTTP clients; the model closes none of them.

    Raises:
        RuntimeError: no event loop runs here.
        ConfigurationError: the base URL, the key or a parameter has a value that no request could carry.
    """
    client = clients.client(settings)
    kind = LeanChatOpenAI if settings.transport == "lean" and settings.api == "chat" else StockChatOpenAI
    given: dict[str, Any] = {
        **settings.parameters,
        "model": settings.model,
        "base_url": settings.base_url or OPENAI_URL,
        "async_client": client.chat.completions,
        "root_async_client": client,
        "use_responses_api": settings.api == "responses",
        "output_version": "v0",
        "stream_usage": settings.stream_usage,
        "stream_chunk_timeout": None,
        "max_retries": 0,
        "replays_reasoning": not _is_openai(settings.base_url or OPENAI_URL),
    }
    try:
        model = kind(**given)
    except ValidationError as error:
        raise ConfigurationError(*(_problem(found) for found in error.errors(include_input=False))) from error
    model.use_headers(request_headers(settings))
    return model


def _problem(found: ErrorDetails) -> Problem:
    return Problem(found["msg"], path=".".join(["parameters", *map(str, found["loc"])]))


def _is_openai(url: str) -> bool:
    """Tell whether the endpoint refuses fields in messages that it does not know."""
    host = httpx2.URL(url).host
    return any(host == known or host.endswith(known) for known in _REFUSE_REASONING)
