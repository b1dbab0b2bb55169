"""The list of everything that is wrong with one document."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NoReturn

from ..exceptions import ConfigurationError, Problem
from .hints import did_you_mean
from .shown import path_text
from .source import Path, Source
from .tree import Node, key_offset, nearest

__all__ = ["Problems"]

_MOST = 50


class Problems:
    """Collects problems, finds their places, and raises them as one error.

    At most 50 are kept, the rest is counted, so that a hostile file costs no more than a broken one.

    Args:
        source: the document's text.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.root: Node | None = None
        self.prefix: Path = ()
        """What stands before the written path: `agents.main` in the short form."""
        self.overridden: list[Path] = []
        """Paths given by `--set`: they have no place in the file."""
        self._kept: list[Problem] = []
        self._seen: set[tuple[Path, str]] = set()
        self._broken: set[Path] = set()
        self._more = 0

    @property
    def full(self) -> bool:
        """Whether further problems are only counted: no need to word them with care."""
        return len(self._kept) >= _MOST

    def flaw(self, message: str, path: Path = (), *, offset: int | None = None, hint: str | None = None) -> None:
        """Add a problem at an offset of the text."""
        if self.full:
            self._more += 1
            return
        line = column = source = None
        if offset is not None and self.source.text is not None:
            line, column = self.source.place(offset)
            source = self.source.line(line)
        self._kept.append(Problem(message, path_text(path), self.source.file, line, column, hint, source))

    def fatal(self, message: str, path: Path = (), *, offset: int | None = None, hint: str | None = None) -> NoReturn:
        """Add a problem after which reading makes no sense, and raise all."""
        if self.full:
            self._kept.pop()
            self._more += 1
        self.flaw(message, path, offset=offset, hint=hint)
        raise self._error()

    def add(
        self,
        path: Path,
        message: str,
        *,
        at: Literal["key", "value"] = "value",
        hint: str | tuple[str, Iterable[str]] | None = None,
        within: str | None = None,
    ) -> None:
        """Add a problem of a value, once.

        Args:
            path: the way to it, in the full form.
            message: what was found and what is allowed.
            at: point at the key or at the value.
            hint: what to write instead, or a wrong name and the known ones to guess from.
            within: a fragment of a text to point at.
        """
        written = self.written(path)
        if written in self._broken or (written, message) in self._seen:
            return
        self._seen.add((written, message))
        if isinstance(hint, tuple):
            hint = None if self.full else did_you_mean(*hint)
        self.flaw(message, written, offset=self._offset(path, at, within), hint=hint)

    def broken(
        self, path: Path, message: str, *, at: Literal["key", "value"] = "value", hint: str | None = None
    ) -> None:
        """Add a problem of a value that has no meaning: later checks of it say nothing more."""
        self.add(path, message, at=at, hint=hint)
        self._broken.add(self.written(path))

    def spoiled(self, path: Path, message: str, offset: int | None = None) -> None:
        """Add a problem of a value whose text can't be read as meant, found before the document was whole."""
        self.flaw(message, path, offset=offset)
        self._broken.add(path)

    def is_broken(self, path: Path) -> bool:
        """Tell whether a value, or anything in it, was reported as broken."""
        written = self.written(path)
        return any(broken[: len(written)] == written for broken in self._broken)

    def node(self, path: Path) -> Node | None:
        """Return the node of a value, None when it does not stand in a text with places."""
        if self.root is None or any(path[: len(given)] == given for given in self.overridden):
            return None
        node, depth = nearest(self.root, self.written(path))
        return node if depth == len(self.written(path)) else None

    def written(self, path: Path) -> Path:
        """Return a path as the document writes it: the short form has no `agents.main`."""
        return path[len(self.prefix) :] if self.prefix and path[: len(self.prefix)] == self.prefix else path

    def raise_any(self) -> None:
        """Raise one `ConfigurationError` when there is any problem."""
        if self._kept:
            raise self._error()

    def _offset(self, path: Path, at: str, within: str | None) -> int | None:
        if self.root is None or any(path[: len(given)] == given for given in self.overridden):
            return None
        written = self.written(path)
        node, depth = nearest(self.root, written)
        if at == "key" or depth < len(written):
            return key_offset(self.root, written)
        return self.source.find(within, node.start, node.end) if within else node.start

    def _error(self) -> ConfigurationError:
        ordered = sorted(self._kept, key=lambda problem: (problem.line or 0, problem.column or 0))
        if self._more:
            ordered.append(Problem(f"at least {self._more} more problems are not listed", file=self.source.file))
        return ConfigurationError(*ordered)
