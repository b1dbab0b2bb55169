"""What a scripted model answers: one turn, cut to the request's cap and measured, as a message or in chunks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self, cast

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, InvalidToolCall, ToolCall
from langchain_core.messages.ai import InputTokenDetails, OutputTokenDetails, UsageMetadata
from langchain_core.messages.tool import invalid_tool_call, tool_call, tool_call_chunk

from .turn import ScriptedCall, ScriptedTurn

__all__ = ["Answer", "prompt_tokens", "spoken"]

_BYTES_PER_TOKEN: Final = 4
_MOST_PIECES: Final = 8
_LEAST_PIECE: Final = 12


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer, ready to be given in either way."""

    turn: ScriptedTurn
    """The turn with its text and calls as they are told: cut, and the calls with ids."""
    usage: UsageMetadata | None
    model: str
    finish_reason: str

    @classmethod
    def of(cls, turn: ScriptedTurn, model: str, cap: int | None, prompt: Callable[[], int]) -> Self:
        """Return the answer that `turn` gives to one request.

        Args:
            turn: The turn, its calls with ids.
            model: The name of the model that answers.
            cap: The most tokens it may say; None: no bound.
            prompt: Tells the tokens of the request; asked only if they are told.
        """
        size = _size(turn.text) + sum(_call_size(call) for call in turn.calls)
        cut = cap is not None and size > cap * _BYTES_PER_TOKEN
        if cut and cap is not None:
            turn = _cut_turn(turn, cap * _BYTES_PER_TOKEN)
            size = cap * _BYTES_PER_TOKEN
        reason = "tool_calls" if turn.calls else "stop"
        if turn.finish_reason is not None:
            reason = turn.finish_reason
        completion = -(-size // _BYTES_PER_TOKEN)
        return cls(turn, _usage(turn, prompt, completion, cut), model, "length" if cut else reason)

    def message(self) -> AIMessage:
        """Return the answer in one piece."""
        valid, invalid = _parsed(self.turn.calls)
        ready = self.turn.message
        extra: dict[str, Any] = dict(ready.additional_kwargs) if ready else {}
        if valid and invalid:
            # The two lists do not tell in which order they were asked for; as LangChain's providers have it.
            extra["tool_calls"] = [_raw(call) for call in self.turn.calls]
        return AIMessage(
            content=self._content(),
            tool_calls=valid,
            invalid_tool_calls=invalid,
            usage_metadata=self.usage,
            response_metadata=self._metadata(),
            additional_kwargs=extra,
            id=ready.id if ready else None,
        )

    def chunks(self) -> Iterator[AIMessageChunk]:
        """Yield the answer in pieces: its text, its calls, last the finish reason and the usage.

        Raises:
            BaseException: The turn's error, after its pieces.
        """
        content = self._content()
        empty: str | list[str | dict[str, Any]] = "" if isinstance(content, str) else []
        extra = dict(self.turn.message.additional_kwargs) if self.turn.message else {}
        for piece in _pieces(self.turn) if isinstance(content, str) else [content]:
            yield AIMessageChunk(content=piece)
        for index, call in enumerate(self.turn.calls):
            yield _call_chunk(empty, name=call.name, args="", id=call.id, index=index)
            for piece in _argument_pieces(call.written()):
                yield _call_chunk(empty, args=piece, index=index)
        if self.turn.error is not None:
            raise self.turn.error
        yield AIMessageChunk(
            content=empty,
            usage_metadata=self.usage,
            response_metadata=self._metadata(),
            additional_kwargs=extra,
            chunk_position="last",
        )

    def _content(self) -> str | list[str | dict[str, Any]]:
        content = cast("str | list[str | dict[str, Any]]", self.turn.message.content if self.turn.message else "")
        return self.turn.text if isinstance(content, str) else content

    def _metadata(self) -> dict[str, Any]:
        told: dict[str, Any] = dict(self.turn.message.response_metadata) if self.turn.message else {}
        told.pop("finish_reason", None)
        reason = {"finish_reason": self.finish_reason} if self.finish_reason else {}
        return {"model_name": self.model, **told, **reason}


def prompt_tokens(messages: Sequence[BaseMessage], tools: Sequence[Any]) -> int:
    """Return the tokens of a request: a fourth of the UTF-8 bytes of its texts, calls and tools, rounded up."""
    size = _size(_json(tools)) if tools else 0
    for message in messages:
        size += _size(message.text)
        if isinstance(message, AIMessage):
            size += sum(_size(item["name"]) + _size(_json(item["args"])) for item in message.tool_calls)
    return -(-size // _BYTES_PER_TOKEN)


def spoken(message: AIMessage) -> tuple[str, tuple[ScriptedCall, ...]]:
    """Return the text and the calls of a ready message, ids as they stand."""
    calls = [ScriptedCall(item["name"], item["args"], item["id"]) for item in message.tool_calls]
    calls += [
        ScriptedCall(item["name"] or "", {}, item["id"], item["args"] or "") for item in message.invalid_tool_calls
    ]
    return str(message.text), tuple(calls)


def _usage(turn: ScriptedTurn, prompt: Callable[[], int], completion: int, cut: bool) -> UsageMetadata | None:
    ready = turn.message
    if turn.usage == "counted" and ready and "usage_metadata" in ready.model_fields_set:
        return ready.usage_metadata
    if turn.usage is None:
        return None
    if turn.usage == "counted":
        figures: Mapping[str, int] = {"prompt_tokens": prompt(), "completion_tokens": completion}
    else:
        figures = cast("Mapping[str, int]", turn.usage)
    asked, said = figures.get("prompt_tokens", 0), figures.get("completion_tokens", 0)
    said = min(said, completion) if cut else said
    usage = UsageMetadata(input_tokens=asked, output_tokens=said, total_tokens=asked + said)
    read, written = figures.get("cached_tokens"), figures.get("cache_write_tokens")
    if read is not None or written is not None:
        usage["input_token_details"] = InputTokenDetails(cache_read=read or 0, cache_creation=written or 0)
    if (reasoning := figures.get("reasoning_tokens")) is not None:
        usage["output_token_details"] = OutputTokenDetails(reasoning=reasoning)
    return usage


def _cut_turn(turn: ScriptedTurn, room: int) -> ScriptedTurn:
    """Return what of a turn is said in `room` bytes, its text first; the call that is cut keeps no closing brace."""
    text = _cut(turn.text, room)
    room -= _size(text)
    calls: list[ScriptedCall] = []
    for call in turn.calls:
        size = _call_size(call)
        if size <= room:
            calls.append(call)
            room -= size
            continue
        if (left := room - _size(call.name)) > 0:
            calls.append(replace(call, raw=_cut(call.written(), left)))
        break
    message = turn.message.model_copy(update={"content": text}) if turn.message else None
    return replace(turn, text=text, calls=tuple(calls), message=message)


def _pieces(turn: ScriptedTurn) -> Iterator[str]:
    if turn.chunks is None:
        yield from cast("list[str]", re.findall(r"\S+\s*|\s+", turn.text))
        return
    at = 0
    for piece in turn.chunks:
        # The cap may have cut the text within a piece.
        if at < len(turn.text) or not turn.text:
            yield turn.text[at : at + len(piece)]
        at += len(piece)


def _argument_pieces(written: str) -> list[str]:
    width = max(_LEAST_PIECE, -(-len(written) // _MOST_PIECES))
    return [written[at : at + width] for at in range(0, len(written), width)]


def _call_chunk(
    content: str | list[str | dict[str, Any]],
    *,
    index: int,
    args: str,
    name: str | None = None,
    id: str | None = None,
) -> AIMessageChunk:
    return AIMessageChunk(content=content, tool_call_chunks=[tool_call_chunk(name=name, args=args, id=id, index=index)])


def _parsed(calls: Sequence[ScriptedCall]) -> tuple[list[ToolCall], list[InvalidToolCall]]:
    valid: list[ToolCall] = []
    invalid: list[InvalidToolCall] = []
    for call in calls:
        try:
            arguments: object = json.loads(call.written(), strict=False) if call.written().strip() else {}
            error = "the arguments are not an object"
        except (ValueError, RecursionError) as problem:
            arguments, error = None, f"the arguments are not JSON: {problem}"
        if isinstance(arguments, dict):
            valid.append(tool_call(name=call.name, args=cast("dict[str, Any]", arguments), id=call.id))
        else:
            invalid.append(invalid_tool_call(name=call.name, args=call.written(), id=call.id, error=error))
    return valid, invalid


def _raw(call: ScriptedCall) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.written()}}


def _call_size(call: ScriptedCall) -> int:
    return _size(call.name) + _size(call.written())


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _cut(text: str, size: int) -> str:
    return text.encode("utf-8", "surrogatepass")[:size].decode("utf-8", "ignore")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
