"""Errors of the openai client and of HTTP, as the classes that LangChain callers expect."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

import httpx2
import openai
from langchain_core.exceptions import ContextOverflowError
from langchain_openai.chat_models import base as stock

from cleveractors.exceptions import causes_of
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
_ADVICE = {
    401: "refused the key: is it right, and meant for this address? It comes from credentials=, or OPENAI_API_KEY",
    404: "was asked: is the model's name right, and the base URL? Most end in /v1",
}
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
        return _timed_out(error)
    if isinstance(error, openai.APIConnectionError):
        return stock.OpenAIConnectionError(message=_cut_off(error), request=error.request)
    return error


def _timed_out(error: openai.APITimeoutError) -> openai.APIError:
    known = stock.OpenAITimeoutError(error.request)
    if _is_unreached(error):
        # Its class takes no text.
        known.message = f"Connection error. {_unreached(error)}"
        known.args = (known.message,)
    return known


def _cut_off(error: openai.APIConnectionError) -> str:
    """The client says no more than `Connection error.`: where to, and why, its causes know."""
    if _is_unreached(error):
        return f"Connection error. {_unreached(error)}"
    why = _why(error)
    return f"Connection error. {_place(error.request)} broke it off before an answer was there ({why})"


def _is_unreached(error: Exception) -> bool:
    return any(type(one).__name__ in ("ConnectError", "ConnectTimeout") for one in causes_of(error))


def _unreached(error: openai.APIConnectionError) -> str:
    return (
        f"{_place(error.request)} can't be reached ({_why(error)}): does a server run there, and is the base URL "
        "right? It is that of the credential, or OPENAI_BASE_URL; proxies of the environment are not used"
    )


def _why(error: Exception) -> str:
    told = [one for one in causes_of(error) if not isinstance(one, openai.APIError)]
    texts = [str(one) for one in told if str(one)]
    return texts[0] if texts else type(told[0] if told else error).__name__


def _place(request: httpx2.Request) -> str:
    """An address without what may be secret in it."""
    url = httpx2.URL(str(request.url))
    return str(url.copy_with(username=None, password=None, query=None, fragment=None))


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
            return _advised(
                error if isinstance(error, known) else known(error.message, response=error.response, body=error.body)
            )
    return error


def _advised(error: openai.APIStatusError) -> openai.APIStatusError:
    """With a note of what to look at: the text is the provider's, and often does not say who speaks."""
    advice = _ADVICE.get(error.status_code)
    if advice is not None and not hasattr(error, "__notes__"):
        error.add_note(f"{_place(error.request)} {advice}")
    return error


def _overflows(error: openai.APIError) -> bool:
    return error.code == _OVERFLOW_CODE or any(word in error.message for word in _OVERFLOW_WORDS)


def _http_libraries() -> list[Any]:
    # A host may have handed over a client of the older library; it is never imported for that.
    return [httpx2, *([sys.modules["httpx"]] if "httpx" in sys.modules else [])]
