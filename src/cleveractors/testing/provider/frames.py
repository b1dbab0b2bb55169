"""The frames of a streamed answer: each chunk's JSON with what it means for billing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from cleveractors.testing.provider.answer import Answer, SettledCall
from cleveractors.testing.provider.completion import chunk_frame, dump, usage_json
from cleveractors.testing.provider.fault import Point
from cleveractors.testing.provider.ledger import Usage
from cleveractors.testing.provider.turn import Turn, UsageMode
from cleveractors.testing.provider.wire import Placing, Wire

_PIECE = 4


@dataclass(frozen=True, slots=True)
class Frame:
    """One chunk of a stream.

    Attributes:
        payload: Its JSON.
        generated: Completion tokens generated once it is sent.
        told: The usage it tells, `None` when it tells none in full.
        points: The places in the stream that are reached with it.
        paced: Whether the turn's `chunk_delay` comes before it.
    """

    payload: str
    generated: int
    told: Usage | None = None
    points: tuple[Point, ...] = ()
    paced: bool = False


def stream_frames(turn: Turn, answer: Answer, wants_usage: bool) -> list[Frame]:
    """Cut an answer into the chunks of a stream.

    Args:
        turn: The turn the answer comes from.
        answer: The answer.
        wants_usage: Whether the request asks for usage.

    Returns:
        The frames in the order of sending, `[DONE]` not among them.
    """
    return _FrameMaker(turn, answer, wants_usage).frames()


class _FrameMaker:
    def __init__(self, turn: Turn, answer: Answer, wants_usage: bool) -> None:
        self._turn = turn
        self._answer = answer
        self._mode: UsageMode = turn.usage
        self._prefix, self._suffix = chunk_frame(answer)
        self._own_chunk = turn.usage in ("always", "partial") or (turn.usage == "last" and wants_usage)
        self._filler = ',"usage":null}' if turn.usage == "null" or (turn.usage == "last" and wants_usage) else "}"

    def frames(self) -> list[Frame]:
        choices = range(1 + len(self._answer.alternatives))
        whole = self._answer.usage.completion_tokens
        frames = [self._frame(_delta(index, self._opening(index)), 0) for index in choices]
        frames[-1] = self._at(frames[-1], (0,))
        frames += self._content()
        finish = self._answer.finish
        if finish is not None:
            ends = [self._end(index, finish) for index in choices] * (2 if self._turn.wire.repeat_finish else 1)
            points: tuple[Point, ...] = ("finish", "usage") if self._mode in ("every", "with_finish") else ("finish",)
            frames += [*ends[:-1], self._at(ends[-1], points)]
        if self._own_chunk:
            frames.append(self._usage_frame(whole))
        return frames

    def _content(self) -> list[Frame]:
        deltas = list(_deltas(self._turn, self._answer))
        usage = self._answer.usage
        hidden = 0 if self._answer.reasoning else usage.reasoning_tokens
        visible, total = usage.completion_tokens - hidden, len(deltas)
        frames: list[Frame] = []
        for position, (index, delta) in enumerate(deltas, start=1):
            generated = hidden - (-visible * position // total)
            frame = self._frame(_delta(index, delta), generated)
            frames.append(Frame(frame.payload, generated, frame.told, (position,), paced=True))
        return frames

    def _frame(self, choice: str, generated: int) -> Frame:
        if self._mode != "every":
            return Frame(f"{self._prefix}[{choice}]{self._suffix}{self._filler}", generated)
        usage = self._answer.usage_at(generated)
        told = usage_json(usage, self._mode)
        return Frame(f'{self._prefix}[{choice}]{self._suffix},"usage":{told}}}', generated, usage)

    def _end(self, index: int, finish: str) -> Frame:
        choice = f'{{"index":{index},"delta":{{}},"logprobs":null,"finish_reason":{dump(finish)}}}'
        usage = self._answer.usage
        if self._mode != "with_finish":
            return self._frame(choice, usage.completion_tokens)
        payload = f'{self._prefix}[{choice}]{self._suffix},"usage":{usage_json(usage, self._mode)}}}'
        return Frame(payload, usage.completion_tokens, usage)

    def _usage_frame(self, whole: int) -> Frame:
        usage = self._answer.usage
        payload = f'{self._prefix}[]{self._suffix},"usage":{usage_json(usage, self._mode)}}}'
        return Frame(payload, whole, None if self._mode == "partial" else usage, ("usage",))

    def _opening(self, index: int) -> str:
        empty = "null" if index == 0 and self._answer.text is None else '""'
        return f'{{"role":"assistant","content":{empty},"refusal":null}}'

    @staticmethod
    def _at(frame: Frame, points: tuple[Point, ...]) -> Frame:
        return Frame(frame.payload, frame.generated, frame.told, points)


def _delta(index: int, delta: str) -> str:
    return f'{{"index":{index},"delta":{delta},"logprobs":null,"finish_reason":null}}'


def _deltas(turn: Turn, answer: Answer) -> Iterator[tuple[int, str]]:
    spoken = [
        *((0, f'{{"reasoning_content":{dump(piece)}}}') for piece in _pieces(answer.reasoning or "", _PIECE)),
        *((0, f'{{"content":{dump(piece)}}}') for piece in _text_pieces(turn, answer.text or "")),
        *((0, f'{{"refusal":{dump(piece)}}}') for piece in _pieces(answer.refusal or "", _PIECE)),
    ]
    calls = [[(0, delta) for delta in _call_deltas(call, turn.wire, turn.argument_chunk)] for call in answer.calls]
    others = [
        [(index, f'{{"content":{dump(piece)}}}') for piece in _pieces(text, _PIECE)]
        for index, text in enumerate(answer.alternatives, start=1)
    ]
    if not turn.wire.interleave:
        return chain(spoken, *calls, *others)
    mixed = chain.from_iterable(zip_longest(*calls, *others))
    return chain(spoken, (delta for delta in mixed if delta is not None))


def _text_pieces(turn: Turn, text: str) -> Sequence[str]:
    chunks = turn.chunks
    if chunks is None or not text:
        return _pieces(text, _PIECE)
    if isinstance(chunks, int):
        return [text[len(text) * k // chunks : len(text) * (k + 1) // chunks] for k in range(chunks)]
    # The text may have been cut by the token cap or replaced under tool_choice: keep the cuts as far as they apply.
    pieces: list[str] = []
    for piece in chunks:
        pieces.append(text[: len(piece)])
        text = text[len(piece) :]
        if not text:
            break
    return [*pieces, text] if text else pieces


def _pieces(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


def _call_deltas(call: SettledCall, wire: Wire, size: int) -> Iterator[str]:
    parts = [call.arguments] if size == 0 else ["", *_pieces(call.arguments, size)]
    last = len(parts) - 1
    for position, part in enumerate(parts):
        entry: dict[str, object] = {} if call.index is None else {"index": call.index}
        call_id = None if call.id is None else _placed(call.id, wire.ids, position, last)
        if call_id is not None:
            entry["id"] = call_id
        if position == 0:
            entry["type"] = "function"
        name = _placed(call.name, wire.names, position, last)
        function = {} if name is None else {"name": name}
        entry["function"] = {**function, "arguments": part}
        yield f'{{"tool_calls":[{dump(entry)}]}}'


def _placed(value: str, placing: Placing, position: int, last: int) -> str | None:
    if placing == "late":
        return value if position == last else None
    if position == 0 or placing == "every":
        return value
    return "" if placing == "blank" else None
