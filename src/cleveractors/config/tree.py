"""A document's values with the places they stand at."""

from __future__ import annotations

from dataclasses import dataclass, field

from .source import Path

__all__ = ["Node", "key_offset", "nearest"]


@dataclass(slots=True)
class Node:
    """One value of a document.

    An alias has a node of its own, at the place of its use; what is inside the aliased value keeps the places of the
    anchor's text.
    """

    value: object
    start: int
    end: int
    raw: str | None = None
    """How a plain scalar was written."""
    keys: dict[str, int] = field(default_factory=dict[str, int])
    """A mapping's keys and their offsets."""
    children: dict[str | int, Node] = field(default_factory=dict[str | int, "Node"])


def nearest(root: Node, path: Path) -> tuple[Node, int]:
    """Follow a path as far as it exists; return the node and how many parts led to it."""
    node = root
    for depth, part in enumerate(path):
        child = node.children.get(part)
        if child is None:
            return node, depth
        node = child
    return node, len(path)


def key_offset(root: Node, path: Path) -> int:
    """Return where the last key of a path stands.

    A list's item stands where its value does; a key that is not there, where the key of its mapping does.
    """
    parent, depth = nearest(root, path[:-1])
    if path and depth == len(path) - 1 and path[-1] in parent.keys:
        return parent.keys[str(path[-1])]
    node, depth = nearest(root, path)
    return node.start if depth == len(path) else key_offset(root, path[:depth])
