"""What one call of `execute*` may say."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, Literal, TypedDict, cast

from cleveractors.abort import ABORT_SIGNAL_PARAM, AbortSignal
from cleveractors.budget import Budget
from cleveractors.limits import Limits

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage

    from cleveractors.credentials import CredentialSource
    from cleveractors.models.spec import ModelSpec

__all__ = ["OnDisconnect", "RunOptions", "Streaming", "check_options"]

Streaming = Literal["answer", "tokens"]
OnDisconnect = Literal["cancel", "finish"] | float


class RunOptions(TypedDict, total=False):
    """The options that all `execute*` share."""

    history: Sequence[BaseMessage | Mapping[str, Any]]
    """Earlier messages: LangChain's or OpenAI chat dicts, mixed; repaired on entry."""
    session_id: str | None
    """A label of the conversation."""
    run_id: str | None
    """The host's own id; default a new UUID 7."""
    tenant: str | None
    """Who pays."""
    metadata: Mapping[str, str]
    """At most 16 labels."""
    deps: Any
    """The host's object of this run, for tools and agents; the model never sees it."""
    variables: Mapping[str, object]
    """Values of the variables that the actor declares."""
    model: str | BaseChatModel | ModelSpec
    """The entry agent's model in place of its own: a name, or a chat model."""
    parameters: Mapping[str, Any]
    """Model parameters that replace the entry agent's, one by one."""
    streaming: Streaming
    """How `execute_stream` hands out text when tools are declared."""
    credentials: CredentialSource
    """Replaces the executor's credentials; they are never fallen back to."""
    tools: Collection[str]
    """The names of the declared tools that this run may use."""
    limits: Limits
    """Replaces the executor's limits."""
    budgets: Sequence[Budget]
    """Purses of this run beside the executor's."""
    timeout: float | None
    """Seconds for this run."""
    abort_signal: AbortSignal | None
    """A signal of the host's that ends the run."""
    _abort_signal: AbortSignal | None
    """The same, by the name that tools know it by."""
    on_disconnect: OnDisconnect
    """What becomes of the run when its caller leaves: `cancel`, `finish`, or seconds that it may go on."""
    output_type: Any
    """The type that the answer must fit; it comes back validated as `result.output`."""


_LABEL = re.compile(r"[^\x00-\x1f\x7f]{1,256}")
_MODEL = re.compile(r"\S{1,200}")
MAX_METADATA = 16
_SIGNALS: Final = ("abort_signal", ABORT_SIGNAL_PARAM)


def check_options(options: RunOptions) -> None:
    """Refuse options that can't be right, before anything is spent.

    Raises:
        TypeError: an option is unknown or of the wrong type.
        ValueError: a value is out of its range.
    """
    unknown = options.keys() - RunOptions.__annotations__.keys()
    if unknown:
        name, known = sorted(unknown)[0], sorted(one for one in RunOptions.__annotations__ if one[0] != "_")
        close = get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(known)}"
        raise TypeError(f"unknown run option {name!r}; {hint}")
    for name, check in _CHECKS.items():
        if name in options:
            check(name, options[name])
    given = [options.get(name) for name in _SIGNALS]
    if None not in given and given[0] is not given[1]:
        raise ValueError(f"{' and '.join(_SIGNALS)} are one option: they must be the same signal")


Check = Callable[[str, Any], None]


def _wrong(name: str, allowed: str, value: object) -> TypeError:
    return TypeError(f"{name} must be {allowed}, found {type(value).__name__}")


def _label(name: str, value: Any) -> None:
    if not (isinstance(value, str) and _LABEL.fullmatch(value)):
        raise ValueError(f"{name} must be text of 1 to 256 characters without control characters, found {value!r}")


def _is_seconds(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < float("inf")


def _timeout(name: str, value: Any) -> None:
    if _is_seconds(value):
        return
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise _wrong(name, "seconds above 0 or None", value)
    raise ValueError(f"{name} must be above 0 s or None, found {value!r}")


def _on_disconnect(name: str, value: Any) -> None:
    if value not in ("cancel", "finish") and not _is_seconds(value):
        raise ValueError(f"{name} must be 'cancel', 'finish' or seconds above 0, found {value!r}")


def _streaming(name: str, value: Any) -> None:
    if value not in ("answer", "tokens"):
        raise ValueError(f"{name} must be 'answer' or 'tokens', found {value!r}")


def _metadata(name: str, value: Any) -> None:
    _mapping(name, value)
    if len(value) > MAX_METADATA:
        raise ValueError(f"{name} may have {MAX_METADATA} entries at most, found {len(value)}")
    for key, entry in value.items():
        if not isinstance(entry, str):
            raise TypeError(f"{name} must map str to str, found {key!r}: {entry!r}")


def _mapping(name: str, value: Any) -> None:
    if not isinstance(value, Mapping):
        raise _wrong(name, "a mapping with str keys", cast("object", value))
    for key in cast("Mapping[object, object]", value):
        if not isinstance(key, str):
            raise _wrong(f"the keys of {name}", "str", key)


def _history(name: str, value: Any) -> None:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise _wrong(name, "a list of messages", cast("object", value))


def _model(name: str, value: Any) -> None:
    if isinstance(value, str) and not _MODEL.fullmatch(value):
        raise ValueError(f"{name} must be a model's name without blanks, or a chat model, found {value!r}")


def _names(name: str, value: Any) -> None:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Collection):
        raise _wrong(name, "a list of tool names", cast("object", value))
    for entry in cast("Collection[object]", value):
        if not isinstance(entry, str):
            raise _wrong(name, "a list of tool names", entry)


def _credentials(name: str, value: Any) -> None:
    # Whoever looked up a tenant's key and found none must not spend on the house's.
    if value is None:
        raise TypeError(
            f"{name} must be a mapping, a function or 'env', found None; leave it out to use the executor's"
        )


def _limits(name: str, value: Any) -> None:
    if not isinstance(value, Limits):
        raise _wrong(name, "Limits", value)


def _budgets(name: str, value: Any) -> None:
    if not isinstance(value, list | tuple) or not all(
        isinstance(one, Budget) for one in cast("Sequence[object]", value)
    ):
        raise _wrong(name, "a list of Budget", cast("object", value))


def _abort_signal(name: str, value: Any) -> None:
    if not isinstance(value, AbortSignal):
        raise _wrong(name, "an AbortSignal", value)


def _or_none(check: Check) -> Check:
    return lambda name, value: None if value is None else check(name, value)


_CHECKS: dict[str, Check] = {
    "history": _or_none(_history),
    "session_id": _or_none(_label),
    "run_id": _or_none(_label),
    "tenant": _or_none(_label),
    "metadata": _or_none(_metadata),
    "variables": _or_none(_mapping),
    "model": _model,
    "parameters": _or_none(_mapping),
    "streaming": _or_none(_streaming),
    "credentials": _credentials,
    "tools": _or_none(_names),
    "limits": _or_none(_limits),
    "budgets": _budgets,
    "timeout": _or_none(_timeout),
    "abort_signal": _or_none(_abort_signal),
    ABORT_SIGNAL_PARAM: _or_none(_abort_signal),
    "on_disconnect": _on_disconnect,
}
