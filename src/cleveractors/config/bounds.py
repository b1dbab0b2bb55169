"""How large a document may be once its aliases are followed."""

from __future__ import annotations

from .problems import Problems
from .source import Path

__all__ = ["Bounds"]

_NODES = 20_000
_CHARACTERS = 1024 * 1024
_DEPTH = 32


class Bounds:
    """Counts values and characters of one document, shared parts as often as they are used.

    Args:
        problems: where a bound that is passed is reported, as the last problem.
    """

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self.nodes = 0
        self.characters = 0

    def add(self, path: Path, *, nodes: int = 1, characters: int = 0, offset: int | None = None) -> None:
        """Count; too much is fatal."""
        self.nodes += nodes
        self.characters += characters
        if len(path) > _DEPTH:
            self._problems.fatal(f"values are nested deeper than {_DEPTH} levels", path[:4], offset=offset)
        if self.nodes > _NODES:
            self._problems.fatal(f"the document has more than {_NODES:,} values, aliases followed", offset=offset)
        if self.characters > _CHARACTERS:
            self._problems.fatal("the document's texts are longer than 1 MiB, aliases followed", offset=offset)
