"""Error bodies, worded as OpenAI words them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import NamedTuple

from cleveractors.testing.provider.fault import StatusFault


class Wording(NamedTuple):
    """The usual content of an error.

    Attributes:
        type: The error's `type`.
        code: The error's `code`.
        message: The error's `message`.
        param: The error's `param`.
    """

    type: str
    code: str | None
    message: str
    param: str | None = None


_INVALID = "invalid_request_error"

_BY_STATUS = {
    400: Wording(_INVALID, None, "We could not parse the JSON body of your request."),
    401: Wording(_INVALID, "invalid_api_key", "Incorrect API key provided."),
    403: Wording(_INVALID, "unsupported_country_region_territory", "Country, region, or territory not supported"),
    404: Wording(_INVALID, "model_not_found", "The model does not exist or you do not have access to it."),
    408: Wording("timeout_error", None, "The request timed out."),
    409: Wording("conflict_error", None, "The resource was updated by another request."),
    413: Wording(_INVALID, None, "The request is too large."),
    422: Wording(_INVALID, None, "The request could not be processed."),
    425: Wording("too_early", None, "The request may be replayed."),
    429: Wording("requests", "rate_limit_exceeded", "Rate limit reached for requests."),
    502: Wording("server_error", None, "Bad gateway."),
    503: Wording("server_error", None, "The engine is currently overloaded, please try again later."),
    504: Wording("server_error", None, "Gateway timeout."),
}

_BY_CODE = {
    "context_length_exceeded": Wording(
        _INVALID,
        "context_length_exceeded",
        "This model's maximum context length is 128000 tokens. However, your messages resulted in more tokens. "
        "Please reduce the length of the messages.",
        "messages",
    ),
    "insufficient_quota": Wording(
        "insufficient_quota",
        "insufficient_quota",
        "You exceeded your current quota, please check your plan and billing details.",
    ),
    "content_filter": Wording(
        _INVALID, "content_filter", "The response was filtered due to the prompt triggering content management policy."
    ),
}

_SERVER_ERROR = Wording("server_error", None, "The server had an error while processing your request.")


def error_message(fault: StatusFault) -> str:
    """Give the message of a rejection.

    Args:
        fault: The rejection.

    Returns:
        Its own message, or the usual one of its code or status.
    """
    return fault.message or _wording(fault).message


def status_body(fault: StatusFault) -> bytes:
    """Build the body of a rejection.

    Args:
        fault: The rejection.

    Returns:
        JSON as OpenAI shapes it.
    """
    usual = _wording(fault)
    param = usual.param if fault.param is None else fault.param
    code = usual.code if fault.code is None and fault.message is None else fault.code
    return error_json(error_message(fault), usual.type, code, param).encode()


def error_json(message: str, kind: str, code: str | None, param: str | None = None) -> str:
    """Build `{"error": ...}`.

    Args:
        message: The error's message.
        kind: The error's type.
        code: The error's code.
        param: The parameter at fault.

    Returns:
        JSON text.
    """
    error = {"message": message, "type": kind, "param": param, "code": code}
    return json.dumps({"error": error}, ensure_ascii=False)


def status_headers(fault: StatusFault) -> dict[str, str]:
    """Build the headers of a rejection.

    Args:
        fault: The rejection.

    Returns:
        Its own headers, names in lower case, with `Retry-After` when it sets one.
    """
    headers = {name.lower(): value for name, value in fault.headers.items()}
    after = fault.retry_after
    if isinstance(after, datetime):
        headers["retry-after"] = format_datetime(after.astimezone(UTC), usegmt=True)
    elif after is not None:
        headers["retry-after"] = str(after)
    return headers


def _wording(fault: StatusFault) -> Wording:
    by_code = _BY_CODE.get(fault.code or "")
    if by_code is not None:
        return by_code
    return _BY_STATUS.get(fault.status, Wording(_INVALID, None, "") if fault.status < 500 else _SERVER_ERROR)
