"""Strings that a simple regular expression matches.

Understands literals, classes, groups, alternatives, quantifiers and anchors: what tool schemas use. Look-arounds are
skipped and back references are not known, so callers check the strings against the expression afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_letters, digits
from typing import Final

__all__ = ["matching"]

_ANY: Final = "aA0 -_.:/@+" + ascii_letters[1:26] + ascii_letters[27:] + digits[1:] + "!#$%&*,;=?~"
_CLASSES: Final = {"d": digits, "w": ascii_letters, "s": " \t", "D": ascii_letters, "W": " -", "S": ascii_letters}
_CONTROLS: Final = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}
_COUNT: Final = re.compile(r"\{(\d+)(?:(,)(\d*))?\}")
_GROUP: Final = re.compile(r"\?(?::|>|=|!|<=|<!|P<\w+>|[a-zA-Z]+[:)])")
_CODE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))")
_LONGEST: Final = 100_000


class _UnknownError(Exception):
    """The expression has something that is not understood."""


def matching(pattern: str, shortest: int, more: int) -> Iterator[str]:
    """Yield strings that `pattern` probably matches (searched, not anchored), short ones first.

    Args:
        pattern: A regular expression in the syntax that ECMA-262 and Python share.
        shortest: The least number of characters that is of use.
        more: How many further letters are tried where the expression leaves a choice.
    """
    try:
        re.compile(pattern)
        for choice in range(more + 1):
            for repeats in (0, 1, shortest):
                yield _Reader(pattern, repeats, choice).alternatives()
    except (re.error, _UnknownError):
        return


class _Reader:
    """Reads a valid expression left to right and writes a string it asks for.

    Args:
        pattern: The expression.
        wanted: How many repeats there are where it leaves them open.
        choice: Which letter or alternative is taken where it leaves one open.
    """

    def __init__(self, pattern: str, wanted: int, choice: int) -> None:
        self.pattern = pattern
        self.wanted = wanted
        self.choice = choice
        self.at = 0

    def alternatives(self) -> str:
        found = [self.sequence()]
        while self.peek() == "|":
            self.at += 1
            found.append(self.sequence())
        return self.chosen(found)

    def sequence(self) -> str:
        parts: list[str] = []
        while self.peek() not in ("", "|", ")"):
            atom, count = self.atom(), self.repeats()
            if len(atom) * count > _LONGEST:
                raise _UnknownError(f"too long: {self.pattern}")
            parts.append(atom * count)
        return "".join(parts)

    def atom(self) -> str:
        char = self.take()
        if char == "(":
            return self.group()
        if char == "[":
            return self.one_of()
        if char == "\\":
            return self.escape()
        if char in "^$":
            return ""
        return self.chosen(_ANY) if char == "." else char

    def group(self) -> str:
        kept = True
        if self.peek() == "?":
            prefix = _GROUP.match(self.pattern, self.at)
            if prefix is None:
                raise _UnknownError(f"an unknown group: {self.pattern}")
            kept = prefix[0][1:] not in ("=", "!", "<=", "<!")
            self.at = prefix.end()
            if prefix[0].endswith(")"):
                return ""
        text = self.alternatives()
        self.at += 1
        return text if kept else ""

    def one_of(self) -> str:
        # The class is found by asking `re` about each letter: ranges, negation and escapes need no second reading.
        start = self.at - 1
        self.at += 1 if self.peek() == "^" else 0
        self.at += 2 if self.peek() == "\\" else 1
        while self.peek() != "]":
            self.at += 2 if self.peek() == "\\" else 1
        self.at += 1
        written = self.pattern[start : self.at]
        members = re.compile(written)
        letters = [*_ANY, *written, *(chr(int(code[1] or code[2], 16)) for code in _CODE.finditer(written))]
        return self.chosen([letter for letter in letters if members.fullmatch(letter)])

    def escape(self) -> str:
        if code := _CODE.match(self.pattern, self.at - 1):
            self.at = code.end()
            return chr(int(code[1] or code[2], 16))
        char = self.take()
        if char in "bBAZ":
            return ""
        return self.chosen(_CLASSES.get(char) or _CONTROLS.get(char, char))

    def repeats(self) -> int:
        least, most = 1, 1
        if (mark := self.peek()) and mark in "*+?":
            least, most = int(mark == "+"), 1 if mark == "?" else _LONGEST
            self.at += 1
        elif count := _COUNT.match(self.pattern, self.at):
            least = int(count[1])
            most = int(count[3] or _LONGEST) if count[2] else least
            self.at = count.end()
        else:
            return 1
        if self.peek() in ("?", "+"):
            self.at += 1
        return max(least, min(self.wanted, most))

    def chosen(self, ways: str | list[str]) -> str:
        if not ways:
            raise _UnknownError(f"no letter is known for {self.pattern}")
        return ways[self.choice % len(ways)]

    def peek(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def take(self) -> str:
        self.at += 1
        return self.pattern[self.at - 1]
