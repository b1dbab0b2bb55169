"""A JSON object read in pieces: each member's value as far as it has come."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Final

__all__ = ["JsonPieces"]

_BLANKS: Final = re.compile(r"[ \t\n\r]*")
_SCALAR: Final = re.compile(r"[-+.\w]*", re.ASCII)
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_WORDS: Final = frozenset({"true", "false", "null", "NaN", "Infinity", "-Infinity"})

# The first half of a surrogate pair is taken only once it is known whether the other half follows.
_BODY: Final = re.compile(
    r'[^"\\]*+(?:\\(?:["\\/bfnrt]'
    r"|u(?:[0-9a-ce-fA-CE-F][0-9a-fA-F]|[dD][0-7c-fC-F])[0-9a-fA-F]{2}"
    r"|u[dD][89abAB][0-9a-fA-F]{2}(?=[^\\]|\\[^u]|\\u[0-9a-fA-F]{4})"
    r')[^"\\]*+)*+'
)
_BEGUN: Final = re.compile(r"\\(?:u(?:[0-9a-fA-F]{0,3}|[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?)?)?")
_DECODER: Final = json.JSONDecoder(strict=False)

_PUSH, _POP, _STRING, _KEY, _VALUE = "push", "pop", "string", "key", "value"
_GRAMMAR: Final[dict[str, dict[str, tuple[str, str]]]] = {
    "object": {"{": (_PUSH, "first key")},
    "first key": {'"': (_KEY, "colon"), "}": (_POP, "")},
    "key": {'"': (_KEY, "colon")},
    "colon": {":": (_VALUE, "value")},
    "value": {'"': (_STRING, ""), "{": (_PUSH, "first key"), "[": (_PUSH, "first item")},
    "first item": {'"': (_STRING, ""), "{": (_PUSH, "first key"), "[": (_PUSH, "first item"), "]": (_POP, "")},
    "after member": {",": (_VALUE, "key"), "}": (_POP, "")},
    "after item": {",": (_VALUE, "value"), "]": (_POP, "")},
    "end": {},
}
"""What is expected → the character found → what it does, and what is expected then."""


_Reader = Callable[["JsonPieces", str, int], int]


class JsonPieces:
    """Reads one object; linear in its length, however it is cut.

    A string is told decoded, a list or an object in its own JSON as it comes, any other value once it is
    whole. The grammar is that of `json.loads(…, strict=False)`.
    """

    __slots__ = ("_expect", "_held", "_key", "_open", "_parts", "_read", "_silent", "_start", "_told", "_written")

    def __init__(self) -> None:
        self._read: _Reader | None = JsonPieces._structure
        self._expect = "object"
        self._open: list[str] = []
        self._held = ""
        self._parts: list[str] = []
        self._key = ""
        self._silent = False
        self._start: int | None = None
        self._told: list[tuple[str, str]] = []
        self._written: dict[str, bool] = {}

    def feed(self, piece: str) -> list[tuple[str, str]]:
        """Take the next piece; names and what is new of their values, in order."""
        if self._read is None or not piece:
            return []
        text = self._held + piece if self._held else piece
        self._held, self._told = "", []
        position = 0
        if self._start is not None:
            self._start = 0
        while position < len(text) and self._read is not None:
            position = self._read(self, text, position)
        if self._start is not None:
            self._tell(text[self._start : position])
        return self._told

    def _tell(self, text: str) -> None:
        if text and not self._silent:
            self._written[self._key] = True
            self._told.append((self._key, text))

    def _break(self, position: int) -> int:
        """No JSON: nothing more is read."""
        self._read = None
        return position

    # Each reader takes the text from a position on, and returns how far it came.

    def _structure(self, text: str, position: int) -> int:
        found = _BLANKS.match(text, position)
        position = found.end() if found else position
        if position == len(text):
            return position
        character = text[position]
        step = _GRAMMAR[self._expect].get(character)
        if step is not None:
            return self._take(text, position, *step)
        if self._expect in ("value", "first item"):
            self._read = JsonPieces._scalar
            return position
        return self._break(position)

    def _take(self, text: str, position: int, action: str, then: str) -> int:
        nested = len(self._open) > 1
        if action == _PUSH:
            if len(self._open) == 1:
                self._start = position
            self._open.append(text[position])
            self._expect = then
        elif action == _POP:
            self._open.pop()
            self._value_ended(text, position + 1)
        elif action == _VALUE:
            self._expect = then
        else:
            self._expect = then
            reader = JsonPieces._key_string if action == _KEY else JsonPieces._string
            self._read = JsonPieces._nested_string if nested else reader
        return position + 1

    def _value_ended(self, text: str, end: int) -> None:
        """A value is whole; with an argument's, what is left of it is told."""
        self._read = JsonPieces._structure
        if not self._open:
            self._expect = "end"
            return
        self._expect = "after member" if self._open[-1] == "{" else "after item"
        if len(self._open) == 1 and self._start is not None:
            self._tell(text[self._start : end])
            self._start = None

    def _body(self, text: str, position: int) -> tuple[str, int, bool]:
        """What there is of a string's text, its end, and whether it is closed there."""
        found = _BODY.match(text, position)
        end = found.end() if found else position
        body = text[position:end]
        if end == len(text):
            return body, end, False
        if text[end] == '"':
            return body, end, True
        # An escape that was cut is read again together with what follows.
        if _BEGUN.fullmatch(text, end):
            self._held = text[end:]
        else:
            self._read = None
        return body, end, False

    def _left(self, text: str, end: int, closed: bool) -> int:
        return end + 1 if closed else len(text)

    def _key_string(self, text: str, position: int) -> int:
        body, end, closed = self._body(text, position)
        self._parts.append(_decoded(body))
        if closed:
            self._key = "".join(self._parts)
            self._parts.clear()
            self._silent = self._key in self._written
            self._written.setdefault(self._key, False)
            self._read = JsonPieces._structure
        return self._left(text, end, closed)

    def _string(self, text: str, position: int) -> int:
        body, end, closed = self._body(text, position)
        self._tell(_decoded(body))
        if closed:
            if not self._silent and not self._written[self._key]:
                self._told.append((self._key, ""))
            self._value_ended(text, end + 1)
        return self._left(text, end, closed)

    def _nested_string(self, text: str, position: int) -> int:
        _, end, closed = self._body(text, position)
        if not closed:
            # What is held back is told with the next piece.
            self._tell(text[self._start or 0 : end])
            self._start = len(text)
        elif self._expect:
            self._read = JsonPieces._structure
        else:
            self._value_ended(text, end + 1)
        return self._left(text, end, closed)

    def _scalar(self, text: str, position: int) -> int:
        found = _SCALAR.match(text, position)
        end = found.end() if found else position
        self._parts.append(text[position:end])
        if end == len(text):
            return end
        whole = "".join(self._parts)
        self._parts.clear()
        if whole not in _WORDS and not _NUMBER.fullmatch(whole):
            return self._break(end)
        if len(self._open) == 1:
            self._tell(whole)
        self._value_ended(text, end)
        return end


def _decoded(body: str) -> str:
    return _DECODER.raw_decode(f'"{body}"')[0] if "\\" in body else body
