"""`{{ name }}` in a system prompt: plain substitution, done once.

There are no expressions, no filters, no statements. A value that holds `{{ … }}` itself stays as it is, so a literal
`{{` can be written as a variable whose value it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from ..exceptions import ConfigurationError, Problem
from .hints import did_you_mean
from .shown import listing, quoted

__all__ = ["VARIABLE", "mentions_in", "mistakes_in", "names_in", "substitute"]

VARIABLE = r"^[A-Za-z_][A-Za-z0-9_]{0,63}$"
"""What a variable's name looks like."""

_MOST = 50
_NAME = re.compile(VARIABLE.strip("^$"))


class _Piece(NamedTuple):
    text: str
    name: str | None = None
    mistake: str | None = None


def _pieces(text: str) -> Iterator[_Piece]:
    """Cut a text at its templates, in one pass: each character is looked at once."""
    at = 0
    while (start := text.find("{{", at)) >= 0:
        yield _Piece(text[at:start])
        end = text.find("}}", start + 2)
        if end < 0:
            yield _Piece(text[start:], mistake="is never closed by `}}`")
            return
        at = end + 2
        fragment = text[start:at]
        name = fragment[2:-2].strip()
        mistake = None if _NAME.fullmatch(name) else "is an expression; only `{{ name }}` is replaced"
        yield _Piece(fragment, None if mistake else name, mistake)
    yield _Piece(text[at:])


def mentions_in(text: str) -> dict[str, str]:
    """Return the names a text mentions, in order, each with its first template as written."""
    mentions: dict[str, str] = {}
    for piece in _pieces(text):
        if piece.name:
            mentions.setdefault(piece.name, piece.text)
    return mentions


def names_in(text: str) -> tuple[str, ...]:
    """Return the names a text mentions, each once, in order; what looks like a template and is none is left out."""
    return tuple(mentions_in(text))


def mistakes_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield what looks like a template and is none: the fragment, and a sentence about it."""
    for piece in _pieces(text):
        if piece.mistake:
            yield piece.text, f"the template {quoted(piece.text, '`')} {piece.mistake}"
    start = text.find("{%")
    end = text.find("%}", start + 2)
    if 0 <= start < end:
        fragment = text[start : end + 2]
        yield fragment, f"the template {quoted(fragment, '`')} is a statement; only `{{{{ name }}}}` is replaced"


def substitute(
    text: str, declared: Mapping[str, str | int | float | bool], given: Mapping[str, object] | None = None
) -> str:
    """Put the values of variables into a text.

    Args:
        text: a text with `{{ name }}` in it.
        declared: the variables that exist, with their defaults.
        given: values of this run, used instead of the defaults: texts, numbers or booleans (`true`, `false`).

    Raises:
        ConfigurationError: a given name is not declared, a given value is neither text nor number nor boolean, or the
            text mentions a variable that is not declared, or an expression.
    """
    given = given or {}
    problems = [*_wrong_values(declared, given), *_wrong_names(text, declared)]
    if problems:
        raise ConfigurationError(*problems)
    values = {**declared, **given}
    return "".join(piece.text if piece.name is None else _written(values[piece.name]) for piece in _pieces(text))


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _wrong_values(declared: Mapping[str, object], given: Mapping[str, object]) -> Iterator[Problem]:
    for name, value in given.items():
        if name not in declared:
            message = f"unknown variable {quoted(str(name), '`')}; declared: {listing(declared)}"
            yield Problem(message, path=f"variables.{quoted(str(name), '')}", hint=did_you_mean(str(name), declared))
        elif not isinstance(value, str | int | float):
            message = f"a variable is a text, a number or a boolean, not {type(value).__name__}"
            yield Problem(message, path=f"variables.{name}")


def _wrong_names(text: str, declared: Mapping[str, object]) -> Iterator[Problem]:
    for _, message in islice(mistakes_in(text), _MOST):
        yield Problem(message)
    undeclared = (name for name in mentions_in(text) if name not in declared)
    for name in islice(undeclared, _MOST):
        message = f"undeclared variable `{name}`; declared: {listing(declared)}"
        yield Problem(message, hint=did_you_mean(name, declared))
