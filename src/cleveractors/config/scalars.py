"""Plain scalars, read as YAML 1.2's core schema does, in the narrower way that surprises least.

`true` and `false` (also `True`, `TRUE`) are the only booleans; `yes`, `on`, dates, `0x10`, `0o17`, `1_000`, `1:30` and
numbers with leading zeros are text; `1e9` is a float; a whole number beyond 18 digits is a float.
"""

from __future__ import annotations

import re

__all__ = ["Scalar", "cleaned", "resolve", "text_fault"]

Scalar = str | int | float | bool | None

_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]{1,40}|(?:0|[1-9][0-9]{0,39})(?:\.[0-9]{0,40})?)(?:[eE][-+]?[0-9]{1,4})?")
_SPECIAL = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def resolve(text: str) -> Scalar:
    """Return what an unquoted scalar means."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return float(text.replace(".", "")) if _SPECIAL.fullmatch(text) else text


def text_fault(text: str) -> str | None:
    """Say why a text is none: control characters, NUL, half a surrogate pair."""
    match = _UNFIT.search(text)
    return f"a text holds the character U+{ord(match[0]):04X}, which is no text" if match else None


def cleaned(text: str) -> str:
    """Return a faulty text as one that can be looked at further."""
    return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", text)
