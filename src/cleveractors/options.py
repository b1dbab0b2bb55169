"""What one call of `execute*` may say."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage

    from cleveractors.abort import AbortSignal
    from cleveractors.budget import Budget
    from cleveractors.credentials import CredentialSource
    from cleveractors.limits import Limits
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
    on_disconnect: OnDisconnect
    """What becomes of the run when its caller leaves: `cancel`, `finish`, or seconds that it may go on."""
    output_type: Any
    """The type that the answer must fit; it comes back validated as `result.output`."""


_LABEL = re.compile(r"[^\x00-\x1f\x7f]{1,256}")


def check_options(options: RunOptions) -> None:
    """Refuse options that can't be right, before anything is spent.

    Raises:
        TypeError: an option is unknown or of the wrong type.
        ValueError: a value is out of its range.
    """
    unknown = options.keys() - RunOptions.__annotations__.keys()
    if unknown:
        known = ", ".join(sorted(RunOptions.__annotations__))
        raise TypeError(f"unknown run option {sorted(unknown)[0]!r}; known are {known}")
    for name in ("run_id", "session_id", "tenant"):
        value = options.get(name)
        if value is not None and not (isinstance(value, str) and _LABEL.fullmatch(value)):
            raise ValueError(f"{name} must be text of 1 to 256 characters without control characters, found {value!r}")
    policy: object = options.get("on_disconnect", "cancel")
    if policy not in ("cancel", "finish") and not (isinstance(policy, int | float) and policy > 0):
        raise ValueError(f"on_disconnect must be 'cancel', 'finish' or seconds above 0, found {policy!r}")
    _check_metadata(options.get("metadata"))
    timeout = options.get("timeout")
    if timeout is not None and not timeout > 0:
        raise ValueError(f"timeout must be above 0 s or None, found {timeout!r}")
    streaming = options.get("streaming", "answer")
    if streaming not in ("answer", "tokens"):
        raise ValueError(f"streaming must be 'answer' or 'tokens', found {streaming!r}")


def _check_metadata(metadata: object) -> None:
    if metadata is None:
        return
    if not isinstance(metadata, Mapping):
        raise TypeError(f"metadata must be a mapping of str to str, found {type(metadata).__name__}")
    if len(metadata) > 16:  # pyright: ignore[reportUnknownArgumentType]  # checked entry by entry below
        raise ValueError("metadata may have 16 entries at most")
    for key, value in metadata.items():  # pyright: ignore[reportUnknownVariableType]  # checked right here
        if not isinstance(key, str) or not isinstance(value, str):
            raise TypeError(f"metadata must map str to str, found {key!r}: {value!r}")


def options_of(**options: Unpack[RunOptions]) -> RunOptions:
    """Checked options of one call."""
    check_options(options)
    return options
