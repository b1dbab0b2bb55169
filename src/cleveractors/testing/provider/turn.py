"""Turns: what the scripted provider answers to one request."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from types import UnionType
from typing import Literal, cast

from cleveractors.testing.provider.fault import DropFault, Fault, Point, StreamFault, check_headers, check_point
from cleveractors.testing.provider.gate import Gate
from cleveractors.testing.provider.wire import Wire

UsageMode = Literal["last", "always", "every", "with_finish", "never", "null", "partial"]
USAGE_MODES: tuple[UsageMode, ...] = ("last", "always", "every", "with_finish", "never", "null", "partial")


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call of an answer.

    Attributes:
        name: The tool's name.
        arguments: An object, sent as compact JSON, or a raw string, sent as it stands (valid JSON or not).
        id: `"auto"`: a fresh id; `None`: the id is left out; any other string is sent as it stands (give two
            calls the same one for duplicate ids).
        index: The call's `index` in stream deltas: `"auto"`: its position; `None`: left out; or this number.
    """

    name: str
    arguments: Mapping[str, object] | str = field(default_factory=dict[str, object])
    id: str | None = "auto"
    index: int | Literal["auto"] | None = "auto"

    @property
    def raw_arguments(self) -> str:
        """The arguments as they stand on the wire."""
        if isinstance(self.arguments, str):
            return self.arguments
        return json.dumps(self.arguments, ensure_ascii=False, separators=(",", ":"))


CallLike = Call | tuple[str, Mapping[str, object] | str]


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer of the provider, and how it goes about giving it.

    Attributes:
        text: The answer's text (`content`); `None` with calls or a refusal sends `null`, else an empty text.
        refusal: The `refusal` text.
        reasoning_content: Visible reasoning, sent before the text.
        calls: Tool calls: `Call` values or plain `(name, arguments)` pairs.
        alternatives: Texts of further choices (index 1, 2, ...).
        finish_reason: `"auto"`: by content; `None`: left out (a stream sends no finish chunk); else this word.
        prompt_tokens: Tokens of the prompt; `None`: ceil(UTF-8 bytes of the messages as compact JSON / 4).
        completion_tokens: Tokens of the answer, reasoning included; `None`: ceil(UTF-8 bytes of everything in the
            answer / 4) + `reasoning_tokens` when no reasoning is visible.
        cached_tokens: Part of the prompt tokens that came from a cache.
        reasoning_tokens: Part of the completion tokens that were reasoning.
        usage: How usage is told. `"last"`: a stream tells it in a chunk of its own after the finish chunk, if the
            request asks for it (`stream_options.include_usage`); `"always"`: the same without being asked;
            `"every"`: cumulative on every chunk; `"with_finish"`: on the finish chunk; `"never"`: not at all;
            `"null"`: `usage` is `null`; `"partial"`: `completion_tokens` is `null`. A blocking answer
            tells it in full under the first four.
        chunks: The stream's text pieces: a list (which must make up the text), their number, or `None`: 4
            characters a piece, so that a piece of ASCII text is one default token.
        argument_chunk: Characters of tool arguments per delta; 0: name and whole arguments in one delta.
        delay: Seconds before the response begins.
        chunk_delay: Seconds before each delta of a stream.
        hold_before: A gate to stand at before the response begins (after `delay`).
        hold_after_chunk: `(place, gate)`: a gate to stand at in a stream (see `Point`); a blocking answer
            does not stand there.
        honour_cap: Obey the request's `max_completion_tokens` / `max_tokens`: cut the answer there, report that
            many completion tokens and the finish reason `length`.
        respect_tool_choice: Under `tool_choice: "none"` (or without tools) send text in place of the calls; under
            `parallel_tool_calls: false` send only the first call.
        headers: Further response headers.
        wire: The form of the response.
        fault: What goes wrong.

    Raises:
        ValueError: The fields contradict each other or are out of range.
    """

    text: str | None = None
    _: KW_ONLY
    refusal: str | None = None
    reasoning_content: str | None = None
    calls: Sequence[CallLike] = ()
    alternatives: Sequence[str] = ()
    finish_reason: str | None = "auto"
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    usage: UsageMode = "last"
    chunks: int | Sequence[str] | None = None
    argument_chunk: int = 8
    delay: float = 0.0
    chunk_delay: float = 0.0
    hold_before: Gate | None = None
    hold_after_chunk: tuple[Point, Gate] | None = None
    honour_cap: bool = False
    respect_tool_choice: bool = False
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    wire: Wire = field(default_factory=Wire)
    fault: Fault | None = None

    def __post_init__(self) -> None:
        _check_texts(self)
        _check_numbers(self)
        _check_chunks(self)
        _check_calls(self)
        check_headers(self.headers)
        if self.usage not in USAGE_MODES:
            raise ValueError(f"usage is one of {', '.join(USAGE_MODES)}, not {self.usage!r}")
        _check_parts(self)

    def call_list(self) -> tuple[Call, ...]:
        """Give the turn's calls, pairs turned into `Call` values."""
        return tuple(call if isinstance(call, Call) else Call(*call) for call in self.calls)


def _check_texts(turn: Turn) -> None:
    named = {name: getattr(turn, name) for name in ("text", "refusal", "reasoning_content", "finish_reason")}
    if isinstance(turn.alternatives, str):
        raise ValueError(f"alternatives are texts in a list, not {turn.alternatives!r}")
    named |= {f"alternatives[{position}]": text for position, text in enumerate(turn.alternatives)}
    for name, text in named.items():
        if text is not None and not isinstance(text, str):
            raise ValueError(f"{name} is a text, not {text!r}")
        _check_sendable(name, text or "")


def _check_sendable(name: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name} holds half a surrogate pair, which no JSON can carry: {text!r}") from None


def _check_parts(turn: Turn) -> None:
    _check_kind("wire", turn.wire, Wire, "a Wire")
    _check_kind("fault", turn.fault, Fault | None, "a fault")
    _check_kind("hold_before", turn.hold_before, Gate | None, "a Gate")
    hold = cast("object", turn.hold_after_chunk)
    if hold is not None:
        point, gate = cast("tuple[object, object]", hold) if isinstance(hold, tuple) else (0, hold)
        check_point("the place in hold_after_chunk", point)
        _check_kind("hold_after_chunk", gate, Gate, "a place and a Gate")


def _check_kind(name: str, value: object, kind: type | UnionType, what: str) -> None:
    if not isinstance(value, kind):
        raise ValueError(f"{name} is {what}, not {value!r}")


def _check_numbers(turn: Turn) -> None:
    for name in ("prompt_tokens", "completion_tokens", "cached_tokens", "reasoning_tokens", "argument_chunk"):
        value = getattr(turn, name)
        if value is not None and value < 0:
            raise ValueError(f"{name} is >= 0, not {value!r}")
    for name in ("delay", "chunk_delay"):
        if not getattr(turn, name) >= 0:
            raise ValueError(f"{name} is a number of seconds >= 0, not {getattr(turn, name)!r}")
    if turn.prompt_tokens is not None and turn.cached_tokens > turn.prompt_tokens:
        raise ValueError(f"cached_tokens {turn.cached_tokens} exceed prompt_tokens {turn.prompt_tokens}")
    if turn.completion_tokens is not None and turn.reasoning_tokens > turn.completion_tokens:
        raise ValueError(f"reasoning_tokens {turn.reasoning_tokens} exceed completion_tokens {turn.completion_tokens}")


def _check_chunks(turn: Turn) -> None:
    chunks = turn.chunks
    if chunks is None:
        return
    if isinstance(chunks, int):
        if chunks < 1:
            raise ValueError(f"chunks is a number of pieces >= 1, not {chunks!r}")
    elif "".join(chunks) != (turn.text or ""):
        raise ValueError(f"chunks do not make up the text: {''.join(chunks)!r} is not {turn.text!r}")


def _check_calls(turn: Turn) -> None:
    for entry in turn.calls:
        _check_call(entry)
    try:
        sendable = [(call.name, call.raw_arguments) for call in turn.call_list()]
    except TypeError as error:
        raise ValueError(f"calls are Call values or (name, arguments) pairs of JSON values: {error}") from None
    for name, arguments in sendable:
        if not name:
            raise ValueError("a call needs the name of its tool")
        _check_sendable(f"the call of {name!r}", name + arguments)


def _check_call(entry: object) -> None:
    if not isinstance(entry, Call | tuple):
        raise ValueError(f"calls are Call values or (name, arguments) pairs, not {entry!r}")


Step = Turn | Fault
"""What may stand in a script: a turn, or a fault for a turn without content."""


def as_turn(step: object) -> Turn:
    """Give the turn a step of a script stands for.

    Args:
        step: A turn or a fault.

    Returns:
        The turn itself, or an empty turn with the fault.

    Raises:
        ValueError: The step is neither, or a fault in the middle of an answer that it does not have.
    """
    if isinstance(step, Turn):
        return step
    if isinstance(step, Fault):
        _check_has_a_middle(step)
        return Turn(fault=step)
    raise ValueError(f"a script consists of Turn and fault values, not {step!r}")


def _check_has_a_middle(fault: Fault) -> None:
    if isinstance(fault, DropFault | StreamFault) and isinstance(fault.after, int) and fault.after:
        kind = type(fault).__name__
        raise ValueError(
            f"{kind}(after={fault.after}) stands in the middle of an answer, and here is none: "
            f"write Turn('…', fault={kind}(after={fault.after}))"
        )
