"""Answers: a turn settled for one request, with every default filled in."""

from __future__ import annotations

import json
from dataclasses import dataclass

from cleveractors.testing.provider.ledger import Usage
from cleveractors.testing.provider.request import RecordedRequest
from cleveractors.testing.provider.turn import Call, Turn

_BYTES_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class SettledCall:
    """A tool call as it is sent.

    Attributes:
        name: The tool's name.
        arguments: The raw arguments.
        id: The id; `None`: left out.
        index: The index in stream deltas; `None`: left out.
    """

    name: str
    arguments: str
    id: str | None
    index: int | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What the provider says to one request.

    Attributes:
        request_id: The `x-request-id` of the response.
        completion_id: The `id` of the completion.
        model: The model asked for.
        text: The text; `None`: `null`.
        refusal: The refusal.
        reasoning: Visible reasoning.
        calls: The tool calls.
        alternatives: Texts of further choices.
        finish: The finish reason; `None`: left out.
        usage: Usage of the whole answer.
    """

    request_id: str
    completion_id: str
    model: str
    text: str | None
    refusal: str | None
    reasoning: str | None
    calls: tuple[SettledCall, ...]
    alternatives: tuple[str, ...]
    finish: str | None
    usage: Usage

    def usage_at(self, generated: int) -> Usage:
        """Give the usage after part of the answer was generated.

        Args:
            generated: Completion tokens generated so far.

        Returns:
            The usage up to there.
        """
        whole = self.usage
        if generated >= whole.completion_tokens:
            return whole
        return Usage(whole.prompt_tokens, generated, whole.cached_tokens, min(whole.reasoning_tokens, generated))


def count_tokens(text: str) -> int:
    """Count tokens the way the provider does by default.

    Args:
        text: Any text.

    Returns:
        A quarter of its UTF-8 bytes, rounded up.
    """
    return -(-len(text.encode()) // _BYTES_PER_TOKEN)


def settle_answer(turn: Turn, request: RecordedRequest) -> Answer:
    """Settle a turn for a request.

    Args:
        turn: The turn.
        request: The request it answers.

    Returns:
        The answer.
    """
    calls, text = _content(turn, request)
    draft = _Draft(turn.reasoning_content, text, turn.refusal, calls, tuple(turn.alternatives))
    hidden = 0 if turn.reasoning_content else turn.reasoning_tokens
    completion = turn.completion_tokens
    if completion is None:
        completion = max(turn.reasoning_tokens, hidden + draft.tokens())
    finish = turn.finish_reason
    if finish == "auto":
        finish = "tool_calls" if calls else "stop"
    cap = request.token_cap if turn.honour_cap else None
    if cap is not None and cap < completion:
        shown = max(completion - hidden, 1)
        draft = draft.cut(
            draft.size() * max(cap - hidden, 0) // shown
            if turn.completion_tokens
            else max(cap - hidden, 0) * _BYTES_PER_TOKEN
        )
        completion, finish = cap, "length"
    return _assemble(turn, request, draft, (completion, finish))


def _assemble(turn: Turn, request: RecordedRequest, draft: _Draft, end: tuple[int, str | None]) -> Answer:
    completion, finish = end
    prompt = turn.prompt_tokens
    if prompt is None:
        messages = json.dumps(request.body.get("messages", []), ensure_ascii=False, separators=(",", ":"))
        prompt = count_tokens(messages)
    cached, reasoning = min(turn.cached_tokens, prompt), min(turn.reasoning_tokens, completion)
    return Answer(
        request_id=f"req_{request.order:06d}",
        completion_id=f"chatcmpl-{request.order:06d}",
        model=request.model,
        text=draft.text,
        refusal=draft.refusal,
        reasoning=draft.reasoning,
        calls=draft.calls,
        alternatives=draft.alternatives,
        finish=finish,
        usage=Usage(prompt, completion, cached, reasoning),
    )


def _content(turn: Turn, request: RecordedRequest) -> tuple[tuple[SettledCall, ...], str | None]:
    calls, text = turn.call_list(), turn.text
    if turn.respect_tool_choice and calls:
        if request.tool_choice == "none" or request.tools is None:
            calls, text = (), text or "No tool was called."
        elif request.body.get("parallel_tool_calls") is False:
            calls = calls[:1]
    if text is None and not calls and turn.refusal is None:
        text = ""
    return tuple(_settle_call(call, position, request.order) for position, call in enumerate(calls)), text


def _settle_call(call: Call, position: int, order: int) -> SettledCall:
    call_id = f"call_{order:06d}_{position}" if call.id == "auto" else call.id
    index = position if call.index == "auto" else call.index
    return SettledCall(call.name, call.raw_arguments, call_id, index)


@dataclass(frozen=True, slots=True)
class _Draft:
    reasoning: str | None
    text: str | None
    refusal: str | None
    calls: tuple[SettledCall, ...]
    alternatives: tuple[str, ...]

    def size(self) -> int:
        said = "".join(filter(None, (self.reasoning, self.text, self.refusal, *self.alternatives)))
        return len(said.encode()) + sum(len((call.name + call.arguments).encode()) for call in self.calls)

    def tokens(self) -> int:
        return -(-self.size() // _BYTES_PER_TOKEN)

    def cut(self, size: int) -> _Draft:
        """Keep the first `size` bytes, in the order in which the parts are sent."""
        purse = _Purse(size)
        reasoning, text, refusal = purse.buy(self.reasoning), purse.buy(self.text), purse.buy(self.refusal)
        calls: list[SettledCall] = []
        for call in self.calls:
            if purse.left <= 0:
                break
            purse.left -= len(call.name.encode())
            calls.append(SettledCall(call.name, purse.buy(call.arguments) or "", call.id, call.index))
        alternatives = tuple(purse.buy(other) or "" for other in self.alternatives)
        return _Draft(reasoning, text, refusal, tuple(calls), alternatives)


class _Purse:
    """A number of bytes to spend on texts, never on half a character."""

    def __init__(self, left: int) -> None:
        self.left = left

    def buy(self, text: str | None) -> str | None:
        if text is None:
            return None
        kept = text.encode()[: max(self.left, 0)].decode(errors="ignore")
        self.left -= len(text.encode())
        return kept
