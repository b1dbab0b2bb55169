"""A string that a simple regular expression matches.

Understands literals, classes, groups, alternatives, quantifiers and anchors: what tool schemas use. Look-arounds are
skipped and back references are not known, so callers check the string against the expression afterwards.
"""

from __future__ import annotations

import re

__all__ = ["matching"]

_CLASSES = {"d": "0", "w": "a", "s": " ", "D": "a", "W": " ", "S": "a"}
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}
_ALPHABET = "aA0 -_.:/@+abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ123456789!#$%&*,;=?~"
_COUNT = re.compile(r"\{(\d+)(?:,(\d*))?\}")
_MOST_REPEATS = 4096


def matching(pattern: str, *, shortest: int = 0, longest: int | None = None) -> str | None:
    """Return a short string that `pattern` matches (searched, not anchored), or None if none was found.

    Args:
        pattern: A regular expression in the syntax that ECMA-262 and Python share.
        shortest: The least number of characters.
        longest: The greatest number of characters; None: no bound.
    """
    for wanted in (0, 1, shortest):
        try:
            candidate = _Reader(pattern, wanted).alternatives()
            fits = re.search(pattern, candidate) is not None
        except (re.error, LookupError, ValueError, OverflowError, RecursionError):
            return None
        if fits and shortest <= len(candidate) <= (len(candidate) if longest is None else longest):
            return candidate
    return None


class _Reader:
    """Reads an expression left to right and writes a string it asks for, `wanted` repeats where it leaves them open."""

    def __init__(self, pattern: str, wanted: int) -> None:
        self.pattern = pattern
        self.wanted = wanted
        self.at = 0

    def alternatives(self) -> str:
        first = self.sequence()
        while self.peek() == "|":
            self.at += 1
            self.sequence()
        return first

    def sequence(self) -> str:
        parts: list[str] = []
        while self.peek() not in ("", "|", ")"):
            parts.append(self.atom() * self.repeats())
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
        return "a" if char == "." else char

    def group(self) -> str:
        kept = True
        if self.peek() == "?":
            prefix = re.compile(r"\?(?::|=|!|<=|<!|P?<\w+>|[a-zA-Z]+:)").match(self.pattern, self.at)
            if prefix is None:
                raise LookupError(self.pattern)
            kept = prefix[0][1:] not in ("=", "!", "<=", "<!")
            self.at = prefix.end()
        text = self.alternatives()
        self.at += 1
        return text if kept else ""

    def one_of(self) -> str:
        # The class is found by asking `re` about each letter: ranges, negation and escapes need no second reading.
        start = self.at - 1
        self.at += 2 if self.peek() == "^" else 1
        if self.pattern[self.at - 1] == "\\":
            self.at += 1
        while self.peek() != "]":
            self.at += 2 if self.pattern[self.at] == "\\" else 1
        self.at += 1
        members = re.compile(self.pattern[start : self.at])
        letters = _ALPHABET + self.pattern[start : self.at]
        found = [letter for letter in letters if members.fullmatch(letter)]
        return found[0]

    def escape(self) -> str:
        char = self.take()
        if char in "xu":
            width = 2 if char == "x" else 4
            self.at += width
            return chr(int(self.pattern[self.at - width : self.at], 16))
        if char in "bBAZ":
            return ""
        return _CLASSES.get(char) or _CONTROLS.get(char, char)

    def repeats(self) -> int:
        least, most = 1, 1
        if (mark := self.peek()) and mark in "*+?":
            least, most = int(mark == "+"), 1 if mark == "?" else _MOST_REPEATS
            self.at += 1
        elif count := _COUNT.match(self.pattern, self.at):
            least = int(count[1])
            most = least if count[2] is None else int(count[2] or _MOST_REPEATS)
            self.at = count.end()
        else:
            return 1
        if self.peek() in ("?", "+"):
            self.at += 1
        if least > _MOST_REPEATS:
            raise OverflowError(self.pattern)
        return max(least, min(self.wanted, most))

    def peek(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def take(self) -> str:
        self.at += 1
        return self.pattern[self.at - 1]
