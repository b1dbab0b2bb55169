"""How large a prompt may be, without a tokenizer: exact where a provider told, bounded where it did not."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

__all__ = ["Measure", "PromptMeter", "TokenRate", "measure", "measure_json", "measure_said"]

PER_MESSAGE = 8
PER_MEDIA = 2000
MARGIN = 1.25
SAID_ANSWERS = 8
SAID_WEIGHT = 400
_MEDIA = frozenset({"image", "image_url", "input_image", "audio", "input_audio", "file", "input_file", "video"})


_ANSWERS = ("ai", "AIMessageChunk")
_writer = json.JSONEncoder(ensure_ascii=False, default=str)

# What stands around texts on the wire, in bytes: role and content, a call, a result's reference to its call.
_MESSAGE_FRAME = 36
_CALL_FRAME = 84
_RESULT_FRAME = 20


@dataclass(slots=True)
class Measure:
    """The size of messages in bytes of UTF-8, as they are sent."""

    ascii: int = 0
    other: int = 0
    """Bytes beyond ASCII."""
    messages: int = 0
    media: int = 0
    """Images, audio and file parts."""

    @property
    def size(self) -> int:
        """Bytes of text."""
        return self.ascii + self.other

    def add(self, more: Measure) -> None:
        """Add another measure to this one."""
        self.ascii += more.ascii
        self.other += more.other
        self.messages += more.messages
        self.media += more.media

    def add_text(self, text: str) -> None:
        """Count a text, with the escapes that JSON needs for it."""
        self.add_written(_writer.encode(text))

    def add_written(self, text: str) -> None:
        """Count a text as it stands."""
        if text.isascii():
            self.ascii += len(text)
        else:
            plain = len(text.encode("ascii", "ignore"))
            self.ascii += plain
            self.other += len(text.encode("utf-8", "surrogatepass")) - plain


def measure(*messages: BaseMessage) -> Measure:
    """The size of messages: text, tool calls with their ids, and parts that are no text."""
    total = Measure()
    for message in messages:
        total.messages += 1
        total.ascii += _MESSAGE_FRAME
        _add_content(total, message.content)
        # By its type: to ask a message for an attribute that it has not costs more than to measure it.
        if message.type == "tool":
            total.ascii += _RESULT_FRAME + len(cast("ToolMessage", message).tool_call_id)
        elif message.type in _ANSWERS:
            _add_calls(total, cast("AIMessage", message))
    return total


def _add_calls(total: Measure, message: AIMessage) -> None:
    for call in message.tool_calls:
        _add_call(total, call["id"], str(call["name"]), _writer.encode(call["args"]))
    for call in message.invalid_tool_calls:
        _add_call(total, call["id"], str(call["name"]), str(call["args"]))


def _add_call(total: Measure, call_id: str | None, name: str, arguments: str) -> None:
    total.ascii += _CALL_FRAME + len(call_id or "")
    total.add_written(name)
    total.add_text(arguments)


def measure_said(messages: Iterable[BaseMessage]) -> Measure:
    """The size of what a model wrote, whole or in pieces: words and calls alone, nothing that stands around them."""
    total, texts = Measure(), list[str]()
    for message in messages:
        texts.append(message.text)
        pieces = getattr(message, "tool_call_chunks", None)
        calls = getattr(message, "tool_calls", None) if pieces is None else pieces
        for call in calls or ():
            arguments = call["args"] or ""
            texts.append(call["name"] or "")
            texts.append(arguments if isinstance(arguments, str) else _writer.encode(arguments))
    total.add_written("".join(texts))
    return total


def measure_json(values: Iterable[Mapping[str, Any]]) -> Measure:
    """The size of tool definitions as they are sent."""
    total = Measure()
    for value in values:
        total.messages += 1
        total.add_written(_writer.encode(value))
    return total


def _add_content(total: Measure, content: object) -> None:
    if isinstance(content, str):
        total.add_text(content)
        return
    for part in cast("list[str | dict[str, object]]", content):
        if isinstance(part, str):
            total.add_text(part)
        elif part.get("type") in _MEDIA:
            total.media += 1
        else:
            total.add_text(str(part.get("text") or _writer.encode(part)))


class TokenRate:
    """Tokens per byte as the settled calls of a run showed them."""

    __slots__ = ("_bytes", "_tokens")

    def __init__(self) -> None:
        self._bytes = 0
        self._tokens = 0

    def learn(self, size: Measure, tokens: int) -> None:
        """Take in a prompt whose tokens the provider told."""
        net = tokens - PER_MEDIA * size.media
        if size.size > 0 and net > 0:
            self._bytes += size.size
            self._tokens += net

    def tokens(self, size: Measure) -> float:
        """What a text of this size most likely comes to."""
        if not self._bytes:
            return size.ascii / 3 + size.other / 2 + PER_MEDIA * size.media
        shown = size.size * self._tokens / self._bytes
        # What comes may be denser than what was seen, as figures are after prose; a token is at least a byte.
        text = min(max(shown, _plain(size)), size.size)
        return text + PER_MEDIA * size.media

    def likely(self, size: Measure) -> float:
        """What a text of this size comes to, no more than is likely, for what nobody told."""
        if not self._bytes:
            return _plain(size) + PER_MEDIA * size.media
        return min(size.size * self._tokens / self._bytes, size.size) + PER_MEDIA * size.media


def _plain(size: Measure) -> float:
    """Tokens of ordinary prose."""
    return size.ascii / 4 + size.other / 3


class SaidRate:
    """Tokens per byte of what a run's models wrote, as the last settled calls showed them.

    The answers themselves are kept, and looked at only when something has to be estimated.
    """

    __slots__ = ("_answers",)

    def __init__(self) -> None:
        # A bounded deque would hold room for sixty.
        self._answers: list[tuple[BaseMessage, int]] = []

    def heard(self, answer: BaseMessage, tokens: int) -> None:
        """The provider told what an answer came to, reasoning aside."""
        self._answers.append((answer, tokens))
        del self._answers[:-SAID_ANSWERS]

    def tokens(self, size: Measure) -> float:
        """What was written, which is something, most likely comes to."""
        seen = told = 0
        for answer, tokens in list(self._answers):
            if said := measure_said([answer]).size:
                seen, told = seen + said, told + tokens
        plain = _plain(size)
        # A few words show little: they count beside so much ordinary prose.
        weight = SAID_WEIGHT * plain / size.size
        return min(size.size * (told + weight) / (seen + SAID_WEIGHT), size.size)


class PromptMeter:
    """The size of one conversation's prompt: an exact figure for a prefix, and what was added since."""

    __slots__ = ("_added", "_known", "_rate", "_total")

    def __init__(self, rate: TokenRate) -> None:
        self._rate = rate
        self._known: int | None = None
        self._added = Measure()
        self._total = Measure()

    def add(self, size: Measure) -> None:
        """Something was added behind the prefix."""
        self._added.add(size)
        self._total.add(size)

    def fork(self, size: Measure) -> PromptMeter:
        """The meter of a prompt that goes on from this one."""
        other = PromptMeter(self._rate)
        other._known = self._known
        other._added.add(self._added)
        other._total.add(self._total)
        other.add(size)
        return other

    def settle(self, prompt_tokens: int) -> None:
        """The provider told what the prompt so far came to."""
        self._rate.learn(self._total, prompt_tokens)
        self._known = prompt_tokens
        self._added = Measure()

    def likely(self) -> int:
        """An upper bound that holds for ordinary text."""
        media = PER_MEDIA * self._added.media
        estimate = (self._rate.tokens(self._added) - media) * MARGIN + media
        return (self._known or 0) + int(estimate) + PER_MESSAGE * self._added.messages + 1

    def strict(self) -> int:
        """An upper bound that always holds: a token is at least one byte."""
        added = self._added
        return (self._known or 0) + added.size + PER_MESSAGE * added.messages + PER_MEDIA * added.media

    def estimate(self) -> int:
        """The most likely figure, for a call whose provider told nothing."""
        return (self._known or 0) + round(self._rate.likely(self._added))
