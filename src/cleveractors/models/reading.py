"""One strict view of any answer: blocking, streamed, ours or a foreign model's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, cast

from cleveractors.exceptions import ModelOutputError
from cleveractors.models.asked import AskedCall, are_calls_of, calls_of, read_call, sendable
from cleveractors.models.slot import AttemptSlot, ToldUsage

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

__all__ = ["Reply", "read_answer", "read_stream", "told_by"]


@dataclass(frozen=True, slots=True)
class Reply:
    """What one attempt came to."""

    message: AIMessage
    usage: ToldUsage | None
    finish_reason: str | None
    calls: Sequence[AskedCall] = ()
    """The message's tool calls as they were read."""


def told_by(metadata: Mapping[str, Any] | None) -> ToldUsage | None:
    """LangChain's `usage_metadata` in our terms; service-tier prefixes of the details are understood."""
    if not metadata:
        return None
    prompt, completion = metadata.get("input_tokens"), metadata.get("output_tokens")
    if not (type(prompt) is int and prompt >= 0 and type(completion) is int and completion >= 0):
        return None
    inputs, outputs = metadata.get("input_token_details"), metadata.get("output_token_details")
    if not inputs and not outputs:
        return ToldUsage(prompt, completion)
    return ToldUsage(
        prompt,
        completion,
        _detail(inputs, "cache_read"),
        _detail(inputs, "cache_creation"),
        _detail(outputs, "reasoning"),
    )


def _detail(details: Mapping[str, Any] | None, name: str) -> int:
    return sum(
        value for key, value in (details or {}).items() if key.endswith(name) and type(value) is int and value >= 0
    )


def read_answer(answer: BaseMessage, slot: AttemptSlot) -> Reply:
    """The reply of a blocking call, or of a stream that came as one message."""
    from langchain_core.messages import AIMessage

    if not isinstance(answer, AIMessage):
        raise ModelOutputError(f"the model answered a {type(answer).__name__}, not an AIMessage")
    calls = calls_of(answer)
    metadata = answer.response_metadata
    finish = slot.finish_reason or _text(metadata.get("finish_reason") or metadata.get("stop_reason"))
    message = answer
    if not _is_good(answer, calls):
        calls = _with_ids(calls)
        message = _message(answer.content, calls, answer.additional_kwargs, metadata, answer.id)
    usage = slot.told or told_by(cast("Mapping[str, Any] | None", answer.usage_metadata))
    return Reply(_with_usage(message, answer, usage), usage, finish, calls)


def _is_good(answer: AIMessage, calls: Sequence[AskedCall]) -> bool:
    """Whether an answer can stand in a history as it is: text and calls, with ids of their own, and nothing else."""
    from langchain_core.messages import AIMessage

    content = answer.content
    return (
        type(answer) is AIMessage
        and not answer.additional_kwargs
        and answer.name is None
        and isinstance(content, str)
        and sendable(content) is content
        and are_calls_of(answer, calls)
        and len({call.id for call in calls if call.id}) == len(calls)
    )


def read_stream(
    chunks: Sequence[AIMessageChunk | AIMessage],
    slot: AttemptSlot,
    usage_rule: Literal["sum", "last"],
    issued: Mapping[int, str] | None = None,
) -> Reply:
    """The reply of a streamed call, put together once.

    Args:
        chunks: all that came.
        slot: what the model told by it.
        usage_rule: whether usage told over several chunks adds up.
        issued: ids that listeners were told of before the provider sent one, by the call's place.

    Raises:
        ModelOutputError: there were no chunks.
    """
    from langchain_core.messages import AIMessageChunk

    if not chunks:
        raise ModelOutputError("the model's stream ended without any answer")
    pieces = [chunk for chunk in chunks if isinstance(chunk, AIMessageChunk)]
    if not pieces:
        return read_answer(chunks[-1], slot)
    finish, metadata = _metadata_of(pieces)
    content, extra = _content_of(pieces)
    calls = _with_ids(_assemble(pieces, issued or {}), issued or {})
    message = _message(content, calls, extra, metadata, pieces[0].id)
    usage = slot.told or _usage_of(pieces, usage_rule)
    return Reply(_with_usage(message, None, usage), usage, slot.finish_reason or finish, calls)


def _metadata_of(pieces: Sequence[AIMessageChunk]) -> tuple[str | None, dict[str, Any]]:
    """The last word on each key: LangChain's own merge glues repeated texts together."""
    metadata: dict[str, Any] = {}
    finish: str | None = None
    for piece in pieces:
        if piece.response_metadata:
            metadata.update(piece.response_metadata)
            told = piece.response_metadata.get("finish_reason") or piece.response_metadata.get("stop_reason")
            finish = _text(told) or finish
    return finish, metadata


def _content_of(pieces: Sequence[AIMessageChunk]) -> tuple[Any, dict[str, Any]]:
    odd = [piece for piece in pieces if piece.additional_kwargs or not isinstance(piece.content, str)]
    if not odd:
        return "".join(cast("str", piece.content) for piece in pieces), {}
    merged = odd[0] + odd[1:] if len(odd) > 1 else odd[0]
    extra = dict(merged.additional_kwargs)
    if all(isinstance(piece.content, str) for piece in odd):
        return "".join(cast("str", piece.content) for piece in pieces), extra
    return [part for part in merged.content if part != ""], extra


def _usage_of(pieces: Sequence[AIMessageChunk], rule: Literal["sum", "last"]) -> ToldUsage | None:
    told = [one for piece in pieces if (one := told_by(cast("Any", piece.usage_metadata))) is not None]
    if not told:
        return None
    # A prompt told again is a running total, not another share of it.
    repeated = sum(1 for one in told if one.prompt_tokens) > 1
    if rule == "last" or repeated:
        return told[-1]
    return ToldUsage(*(sum(values) for values in zip(*told, strict=True)))


@dataclass(slots=True)
class _Slot:
    """One call while its pieces arrive."""

    id: str | None = None
    name: str = ""
    pieces: list[str] = field(default_factory=list[str])


def _assemble(pieces: Iterable[AIMessageChunk], issued: Mapping[int, str]) -> list[AskedCall]:
    slots: list[_Slot] = []
    by_index: dict[object, _Slot] = {}
    for piece in pieces:
        for part in piece.tool_call_chunks:
            slot = _slot_for(part, slots, by_index)
            slot.id = slot.id or part.get("id")
            name = part.get("name") or ""
            if name and name != slot.name:
                slot.name += name
            if arguments := part.get("args"):
                slot.pieces.append(arguments)
    return [read_call(issued.get(place, slot.id), slot.name, "".join(slot.pieces)) for place, slot in enumerate(slots)]


def _slot_for(part: Any, slots: list[_Slot], by_index: dict[object, _Slot]) -> _Slot:
    """The slot that a piece belongs to: by its index; a new id opens a new one; neither continues the last."""
    index, call_id = part.get("index"), part.get("id")
    slot = by_index.get(index) if index is not None else None
    if index is None and not call_id and not part.get("name") and slots:
        return slots[-1]
    if index is None and call_id:
        slot = next((one for one in slots if one.id == call_id), None)
    if slot is None or (call_id and slot.id and call_id != slot.id):
        slot = _Slot()
        slots.append(slot)
        if index is not None:
            by_index[index] = slot
    return slot


def _message(
    content: Any,
    calls: Sequence[AskedCall],
    extra: Mapping[str, Any],
    metadata: Mapping[str, Any],
    message_id: str | None,
) -> AIMessage:
    from langchain_core.messages import AIMessage

    kept = {key: value for key, value in extra.items() if key not in ("tool_calls", "function_call")}
    content = sendable(content) if isinstance(content, str) else content
    return AIMessage(
        content=content,
        additional_kwargs=kept,
        response_metadata=dict(metadata),
        id=message_id,
        tool_calls=[
            {"name": call.name, "args": call.arguments or {}, "id": call.id, "type": "tool_call"} for call in calls
        ],
        invalid_tool_calls=[
            {"name": call.name, "args": call.raw, "id": call.id, "error": call.error, "type": "invalid_tool_call"}
            for call in calls
            if call.arguments is None
        ],
    )


def _with_ids(calls: Sequence[AskedCall], issued: Mapping[int, str] = MappingProxyType({})) -> list[AskedCall]:
    """The calls with ids that are there and differ from each other; those that were told of stay as told."""
    from cleveractors.identifiers import new_call_id

    seen = set(issued.values())
    unique: list[AskedCall] = []
    for place, call in enumerate(calls):
        own = call.id if call.id and call.id not in seen else new_call_id()
        call_id = issued.get(place, own)
        seen.add(call_id)
        unique.append(
            call if call_id == call.id else AskedCall(call_id, call.name, call.arguments, call.raw, call.error)
        )
    return unique


def _with_usage(message: AIMessage, answer: AIMessage | None, usage: ToldUsage | None) -> AIMessage:
    if answer is not None and answer.usage_metadata is not None:
        message.usage_metadata = answer.usage_metadata
    elif usage is not None:
        message.usage_metadata = {
            "input_tokens": usage.prompt_tokens,
            "output_tokens": usage.completion_tokens,
            "total_tokens": usage.prompt_tokens + usage.completion_tokens,
        }
    return message


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
