"""The bill and the answer of one run."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from cleveractors.exceptions import LimitReached, causes_of, text_of
from cleveractors.models.failures import classify
from cleveractors.stops import StopReason
from cleveractors.usage import InvocationRecord

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

__all__ = ["ActorResult", "ErrorInfo", "attach_result", "result_of", "without_frames"]

OutputT = TypeVar("OutputT")

VERSION = 1


@dataclass(frozen=True, slots=True)
class ErrorInfo:
    """An exception that travelled as JSON."""

    type: str
    message: str
    code: str | None = None
    """The provider's code, else its HTTP status, where it told one."""
    retryable: bool = False
    """Whether the same may succeed later."""

    def __str__(self) -> str:
        return self.message

    @classmethod
    def of(cls, error: BaseException | ErrorInfo) -> ErrorInfo:
        """What of an exception can travel."""
        if isinstance(error, ErrorInfo):
            return error
        failure = classify(error)
        try:
            code = getattr(error, "code", None) or failure.status
            code = None if code is None else str(code)
        except Exception:
            code = None
        return cls(type(error).__name__, text_of(error), code, failure.retryable)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActorResult(Generic[OutputT]):
    """How a run ended and what it cost; it refers to no agent and no executor.

    Token sums are what providers told, children and passes included. What they did not tell is counted
    in `unmeasured_calls` and estimated beside the sums, never inside them.
    """

    response: str
    """The answer; where a run was cut, the text so far or a sentence that says why there is none."""
    output: OutputT
    """The validated value with `output_type`, else the response."""
    stop_reason: StopReason
    stop_detail: str = ""
    """One sentence with names and figures."""
    finish_reason: str | None = None
    """The provider's, of the last response."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    """Of the prompt tokens: read from the provider's cache."""
    reasoning_tokens: int = 0
    """Of the completion tokens: spent on reasoning."""
    estimated_prompt_tokens: int = 0
    """Of unmeasured calls, our estimate."""
    estimated_completion_tokens: int = 0
    """Of unmeasured calls, our estimate."""
    unmeasured_calls: int = 0
    """Attempts that may have been billed though the provider told nothing."""
    cost: Decimal | None = None
    """Of the settled attempts whose price is known; None where none is."""
    estimated_cost: Decimal | None = None
    """Of unmeasured attempts."""
    unpriced_calls: int = 0
    """Settled attempts without a known price."""
    invocations: tuple[InvocationRecord, ...] = field(default=(), repr=False)
    """Every attempt, in the order in which they were opened."""
    undelivered: tuple[str, ...] = ()
    """Ids of rows that `on_usage` did not take."""
    rounds: int = 0
    """Tool rounds of the root agent."""
    tool_calls: int = 0
    """Tool calls of the root agent."""
    budget_exhausted: bool = False
    budget_refusal: str | None = None
    """`contention` or `exhausted`, where a budget refused a call."""
    synthesis_was_run: bool = False
    error: BaseException | ErrorInfo | None = None
    """What the run failed with, as data; where it returned though a pass had failed, that pass's exception."""
    messages: list[BaseMessage] = field(default_factory=list["BaseMessage"], repr=False)
    """A valid history without the system prompt, for the next run."""
    new_messages: list[BaseMessage] = field(default_factory=list["BaseMessage"], repr=False)
    """Those of them that this run added."""
    repairs: tuple[str, ...] = ()
    """What had to be repaired in the history that was given."""
    tenant: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    run_id: str = ""
    session_id: str | None = None
    duration: float = 0.0
    """Seconds."""

    @property
    def total_tokens(self) -> int:
        """Prompt and completion tokens."""
        return self.prompt_tokens + self.completion_tokens

    @property
    def exact(self) -> bool:
        """Whether providers told of every attempt that they may have billed."""
        return self.unmeasured_calls == 0

    def raise_for_stop(self) -> None:
        """Raise unless the run was answered.

        Raises:
            LimitReached: it ended for another reason than `completed` or `tool_only`.
        """
        if self.stop_reason not in ("completed", "tool_only"):
            raise LimitReached(self.stop_reason, f"{self.stop_reason}: {self.stop_detail}")

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON values; messages as OpenAI chat dicts, money as text, errors as `ErrorInfo`."""
        from cleveractors.history import dump_messages

        values: dict[str, Any] = {"version": VERSION, "total_tokens": self.total_tokens, "exact": self.exact}
        values |= {one.name: getattr(self, one.name) for one in dataclasses.fields(self)}
        values["invocations"] = [row.to_dict() for row in self.invocations]
        values["messages"] = _plain(dump_messages(self.messages))
        values["new_messages"] = len(self.new_messages)
        values["metadata"] = dict(self.metadata)
        values["undelivered"], values["repairs"] = list(self.undelivered), list(self.repairs)
        for name in ("cost", "estimated_cost"):
            values[name] = None if values[name] is None else str(values[name])
        values["error"] = None if self.error is None else dataclasses.asdict(ErrorInfo.of(self.error))
        values["output"] = _plain(self.output)
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ActorResult[Any]:
        """The inverse of `to_dict`; `output` stays plain, the error an `ErrorInfo`.

        Raises:
            ValueError: it was written by another version.
        """
        from cleveractors.history import load_messages

        if values.get("version") != VERSION:
            raise ValueError(f"an ActorResult of version {values.get('version')!r}; this library reads {VERSION}")
        known = {one.name: values[one.name] for one in dataclasses.fields(cls) if one.name in values}
        known["invocations"] = tuple(InvocationRecord.from_dict(row) for row in values["invocations"])
        messages = known["messages"] = load_messages(values["messages"])
        known["new_messages"] = messages[len(messages) - values["new_messages"] :]
        known["undelivered"], known["repairs"] = tuple(values["undelivered"]), tuple(values["repairs"])
        for name in ("cost", "estimated_cost"):
            known[name] = None if known[name] is None else Decimal(known[name])
        known["error"] = None if values["error"] is None else ErrorInfo(**values["error"])
        return cast("ActorResult[Any]", cls(**known))


def _plain(value: object) -> object:
    """A validated output as JSON values."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    from pydantic_core import to_jsonable_python

    return to_jsonable_python(value, fallback=str)


def attach_result(error: BaseException, result: ActorResult[Any]) -> None:
    """Put the bill on the exception that leaves the run; an outer run's replaces an inner's."""
    try:
        error.result = result  # type: ignore[attr-defined]  # where the exception takes attributes
    except (AttributeError, TypeError):
        # Exceptions with slots keep their bill on the other ways: last_result, on_result, the stream.
        return


def without_frames(error: BaseException) -> BaseException:
    """The error, its causes and contexts without the frames that raised them: a bill must not keep an agent alive."""
    pending: list[BaseException | None] = [error]
    seen: set[int] = set()
    while pending:
        one = pending.pop()
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            one.__traceback__ = None
            pending += [one.__cause__, one.__context__]
    return error


def result_of(error: BaseException) -> ActorResult[Any] | None:
    """The bill that an exception carries, itself or through its causes and contexts that are not suppressed."""
    for one in causes_of(error):
        result = getattr(one, "result", None)
        if isinstance(result, ActorResult):
            return cast("ActorResult[Any]", result)
    return None
