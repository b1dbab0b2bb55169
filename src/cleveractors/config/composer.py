"""From YAML text to nodes: events of PyYAML's parser, composed here, within bounds and without constructors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

import yaml

from .bounds import Bounds
from .problems import Problems
from .scalars import cleaned, resolve, text_fault
from .shown import quoted
from .source import Path
from .tree import Node

__all__ = ["compose"]

_TAGS = "tags (`!…`) are not supported: a file holds data, never objects"
_SECOND = "a second document starts here; a file is one actor"
_PLAIN_WORDS = (
    ("while scanning a quoted scalar", "a quote that is never closed", None),
    ("while parsing a flow sequence", "a list with no end, or without a comma between two values", None),
    ("while parsing a flow mapping", "a mapping with no end, or without a comma between two keys", None),
    ("mapping values are not allowed", "a `:` stands where none can stand", "put the text in quotes, or indent it"),
    ("could not find expected ':'", "a key without its `:`", None),
    ("that cannot start any token", "a character that can't start a value", "put the text in quotes"),
    ("expected '<document start>'", _SECOND, None),
    ("tag", _TAGS, None),
)
"""What a parser's message holds, our words for it, a hint. Where something has no end, its beginning is shown."""


def compose(text: str, problems: Problems) -> Node | None:
    """Compose the one document of a YAML text; None when it is empty.

    Mistakes after which reading can go on (duplicate keys, tags, merge keys) are added to the problems; the others,
    and whatever passes a bound, raise.
    """
    return _Composer(text, problems).document()


class _Composer:
    def __init__(self, text: str, problems: Problems) -> None:
        self._text = text
        self._problems = problems
        self._bounds = Bounds(problems)
        self._events: Iterator[yaml.Event] = iter(yaml.parse(text, Loader=yaml.SafeLoader))
        self._anchors: dict[str, tuple[Node, int, int]] = {}
        self._open: set[str] = set()

    def document(self) -> Node | None:
        self._next()
        if isinstance(self._next(), yaml.StreamEndEvent):
            return None
        node = self._node(self._next(), ())
        self._next()
        after = self._next()
        if not isinstance(after, yaml.StreamEndEvent):
            self._problems.fatal(_SECOND, offset=_start(after))
        return node

    def _next(self) -> yaml.Event:
        # Without their cause: PyYAML's messages quote the file, secrets and all.
        try:
            return next(self._events)
        except yaml.MarkedYAMLError as error:
            problem = error
        except (yaml.YAMLError, ValueError, OverflowError):
            self._problems.fatal("not YAML: a number or an escape names something impossible")
        self._not_yaml(problem)

    def _not_yaml(self, error: yaml.MarkedYAMLError) -> NoReturn:
        told = f"{error.context or ''} {error.problem or ''}"
        unended = told.startswith(("while scanning a quoted", "while parsing a flow"))
        mark = error.context_mark if unended else error.problem_mark
        offset = min(mark.index, len(self._text)) if mark else 0
        line_start = max(self._text.rfind("\n", 0, offset), self._text.rfind("\r", 0, offset)) + 1
        indentation = self._text[line_start:].split("\n", 1)[0]
        if "\t" in indentation[: len(indentation) - len(indentation.lstrip())]:
            self._problems.fatal("not YAML: a tab indents this line", offset=offset, hint="indent with spaces")
        for sign, message, hint in _PLAIN_WORDS:
            if sign in told:
                self._problems.fatal(f"not YAML: {message}", offset=offset, hint=hint)
        self._problems.fatal(f"not YAML: {quoted(error.problem or '', '')}", offset=offset)

    def _node(self, event: yaml.Event, path: Path) -> Node:
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event, path)
        assert isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent)
        offset = _start(event)
        if event.tag is not None:
            self._problems.spoiled(path, _TAGS, offset)
        before = self._bounds.nodes, self._bounds.characters
        self._bounds.add(path, offset=offset)
        anchor = event.anchor
        if anchor is not None:
            self._open.add(anchor)
        node = self._value(event, path)
        if anchor is not None:
            self._open.discard(anchor)
            self._anchors[anchor] = node, self._bounds.nodes - before[0], self._bounds.characters - before[1]
        return node

    def _value(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent, path: Path) -> Node:
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, path)
        return self._mapping(event, path) if isinstance(event, yaml.MappingStartEvent) else self._sequence(event, path)

    def _alias(self, event: yaml.AliasEvent, path: Path) -> Node:
        start, end = _start(event), _end(event)
        name = str(event.anchor)
        if name not in self._anchors or name in self._open:
            why = "stands inside what it names" if name in self._open else "names no anchor before it"
            self._problems.spoiled(path, f"the alias {quoted('*' + name, '`')} {why}", start)
            return Node(None, start, end)
        target, nodes, characters = self._anchors[name]
        self._bounds.add(path, nodes=nodes, characters=characters, offset=start)
        return Node(target.value, start, end, target.raw, target.keys, target.children)

    def _scalar(self, event: yaml.ScalarEvent, path: Path) -> Node:
        text = str(event.value)
        start = _start(event)
        self._bounds.add(path, nodes=0, characters=len(text), offset=start)
        if fault := text_fault(text):
            self._problems.spoiled(path, fault, start)
            text = cleaned(text)
        plain = event.style is None
        return Node(resolve(text) if plain else text, start, _end(event), text if plain else None)

    def _sequence(self, event: yaml.Event, path: Path) -> Node:
        items: list[object] = []
        node = Node(items, _start(event), _end(event))
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            child = self._node(event, (*path, len(items)))
            node.children[len(items)] = child
            items.append(child.value)
        return self._ended(node, event)

    def _mapping(self, event: yaml.Event, path: Path) -> Node:
        entries: dict[str, object] = {}
        node = Node(entries, _start(event), _end(event))
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._key(event, path)
            child = self._node(self._next(), (*path, key))
            if self._fits(key, node, path, _start(event)):
                node.keys[key] = _start(event)
                node.children[key] = child
                entries[key] = child.value
        return self._ended(node, event)

    @staticmethod
    def _ended(node: Node, event: yaml.Event) -> Node:
        node.end = max(node.end, _end(event))
        return node

    def _key(self, event: yaml.Event, path: Path) -> str:
        offset = _start(event)
        if not isinstance(event, yaml.ScalarEvent):
            template = self._text.startswith("{", offset) and self._text[max(offset - 1, 0)] == "{"
            hint = "put text that starts with `{{` in quotes" if template else None
            self._problems.fatal("a key is a plain word, not a list, mapping or alias", path, offset=offset, hint=hint)
        key = str(event.value)
        self._bounds.add(path, characters=len(key), offset=offset)
        if event.tag is not None:
            self._problems.flaw(_TAGS, path, offset=offset)
        if fault := text_fault(key):
            self._problems.flaw(fault, path, offset=offset)
            return cleaned(key)
        return key

    def _fits(self, key: str, node: Node, path: Path, offset: int) -> bool:
        if key == "<<":
            self._problems.flaw(
                "merge keys (`<<`) are not supported", path, offset=offset, hint="write the keys out, or use an alias"
            )
            return False
        if key in node.keys:
            first, _ = self._problems.source.place(node.keys[key])
            message = f"the key {quoted(key, '`')} is written twice, first on line {first}"
            self._problems.flaw(message, (*path, key), offset=offset)
            return False
        return True


def _start(event: yaml.Event) -> int:
    return event.start_mark.index if event.start_mark else 0


def _end(event: yaml.Event) -> int:
    return event.end_mark.index if event.end_mark else 0
