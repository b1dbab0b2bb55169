"""What the server answers: the model's name is the scenario, the request tells how far it is."""

from __future__ import annotations

from typing import Any

from cleveractors.testing import Call, Gate, RecordedRequest, Turn

__all__ = ["ANSWER", "PIECE", "Turns", "text_of"]

ANSWER = "Take a coat."
PIECE = "word "
ARGUMENT_CHARACTERS, ARGUMENT_PIECE = 80_000, 20
PROMPT_TOKENS, COMPLETION_TOKENS = 100, 20


def text_of(chunks: int) -> str:
    """The answer of so many chunks."""
    return PIECE * chunks


class Turns:
    """Answers by scenario; the numbers in a model's name are its measure.

    `rounds-N`: N rounds of one tool call, then the answer. `chunks-N-after-M`: M such rounds, then an answer in N
    chunks; `slow-N`: one of 20 ms each. `tools-N`: one round of N calls. `arguments`: one call whose arguments come
    in thousands of pieces. `held`: an answer that waits for the gate.
    """

    def __init__(self) -> None:
        self.gate = Gate()

    def __call__(self, request: RecordedRequest) -> Turn:
        """The turn of a request."""
        kind, *numbers = request.model.replace("-after", "").split("-")
        return getattr(self, f"_{kind}")(_rounds(request), *map(int, numbers))

    def _rounds(self, done: int, rounds: int) -> Turn:
        return _tools("get_weather", done) if done < rounds else _text(ANSWER)

    def _chunks(self, done: int, chunks: int, rounds: int) -> Turn:
        return _tools("get_weather", done) if done < rounds else _text(text_of(chunks), chunks)

    def _slow(self, done: int, chunks: int) -> Turn:
        return _text(text_of(chunks), chunks, chunk_delay=0.02)

    def _tools(self, done: int, calls: int) -> Turn:
        return _text(ANSWER) if done else _tools("wait", done, calls)

    def _arguments(self, done: int) -> Turn:
        if done:
            return _text(ANSWER)
        text = "lorem ipsum dolor sit amet "
        whole = {"text": (text * (ARGUMENT_CHARACTERS // len(text) + 1))[:ARGUMENT_CHARACTERS]}
        return _turn(calls=[Call("save", whole)], argument_chunk=ARGUMENT_PIECE)

    def _held(self, done: int) -> Turn:
        return _text(ANSWER, hold_before=self.gate)


def _rounds(request: RecordedRequest) -> int:
    return sum(message.get("role") == "assistant" for message in request.messages)


def _tools(name: str, done: int, calls: int = 1) -> Turn:
    return _turn(calls=[Call(name, {"city": "Paris", "day": done * calls + place}) for place in range(calls)])


def _text(text: str, chunks: int | None = None, **more: Any) -> Turn:
    return _turn(text=text, chunks=chunks, **more)


def _turn(**fields: Any) -> Turn:
    return Turn(prompt_tokens=PROMPT_TOKENS, completion_tokens=COMPLETION_TOKENS, **fields)
