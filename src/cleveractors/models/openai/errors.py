"""Errors of the openai client and of HTTP, as the classes that LangChain callers expect."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

import httpx2
import openai
from langchain_core.exceptions import ContextOverflowError
from langchain_openai.chat_models import base as stock

from cleveractors.models.openai.json_values import is_object

__all__ = ["answered_error", "http_errors", "raise_known", "translated_http"]

_OVERFLOW_CODE = "context_length_exceeded"
_OVERFLOW_WORDS = (
    _OVERFLOW_CODE,
    "Input tokens exceed the configured limit",
    "prompt is too long",
    "ContextWindowExceededError",
    "exceeds the context window",
    "maximum context length",
)
_STATUS_CLASSES: tuple[tuple[type[openai.APIStatusError], type[openai.APIStatusError]], ...] = (
    (openai.BadRequestError, stock.OpenAIInvalidRequestError),
    (openai.AuthenticationError, stock.OpenAIAuthenticationError),
    (openai.PermissionDeniedError, stock.OpenAIPermissionDeniedError),
    (openai.NotFoundError, stock.OpenAIModelNotFoundError),
    (openai.RateLimitError, stock.OpenAIRateLimitError),
    (openai.InternalServerError, stock.OpenAIAPIError),
)


def raise_known(error: openai.APIError) -> NoReturn:
    """Raise the error as LangChain's class for it; as it is where LangChain has none."""
    known = _known(error)
    if known is error:
        raise error
    raise known from error


def _known(error: openai.APIError) -> openai.APIError:
    if isinstance(error, ContextOverflowError):
        return error
    if isinstance(error, openai.APIStatusError):
        return _known_status(error)
    if _overflows(error):
        return stock.OpenAIAPIContextOverflowError(error.message, error.request, body=error.body)
    if isinstance(error, openai.APITimeoutError):
        return stock.OpenAITimeoutError(error.request)
    if isinstance(error, openai.APIConnectionError):
        return stock.OpenAIConnectionError(message=error.message, request=error.request)
    return error


def translated_http(error: Exception, request: httpx2.Request) -> openai.APIError:
    """Give a read error of a raw stream as the class that a failed request has."""
    if any(isinstance(error, library.TimeoutException) for library in _http_libraries()):
        return stock.OpenAITimeoutError(request)
    return stock.OpenAIConnectionError(message=f"The stream broke off ({type(error).__name__})", request=request)


def http_errors() -> tuple[type[Exception], ...]:
    """Give what a raw stream may raise, of whichever HTTP library the client was built on."""
    return tuple(kind for library in _http_libraries() for kind in (library.HTTPError, library.StreamError))


def answered_error(body: object, request: httpx2.Request) -> openai.APIError:
    """Give the error that stood in an answer with a good status: an SSE error event, or `error` in a body.

    Its `code` and `type` are the provider's; it has no status, for the request was accepted.
    """
    detail = body if is_object(body) else {"message": body}
    message = detail.get("message")
    text = message if isinstance(message, str) and message else "The provider answered with an error"
    return _known(openai.APIError(text, request, body=detail))


def _known_status(error: openai.APIStatusError) -> openai.APIError:
    if isinstance(error, openai.BadRequestError) and _overflows(error):
        return stock.OpenAIContextOverflowError(error.message, response=error.response, body=error.body)
    for theirs, known in _STATUS_CLASSES:
        if isinstance(error, theirs):
            return error if isinstance(error, known) else known(error.message, response=error.response, body=error.body)
    return error


def _overflows(error: openai.APIError) -> bool:
    return error.code == _OVERFLOW_CODE or any(word in error.message for word in _OVERFLOW_WORDS)


def _http_libraries() -> list[Any]:
    # A host may have handed over a client of the older library; it is never imported for that.
    return [httpx2, *([sys.modules["httpx"]] if "httpx" in sys.modules else [])]
