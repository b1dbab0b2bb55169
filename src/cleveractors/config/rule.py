"""What a schema allows at one place, in words: `a whole number from 0 to 100,000`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from ..exceptions import sentence
from .parts import NAME
from .source import Path
from .template import VARIABLE

__all__ = ["Rule", "Schema"]

Schema = dict[str, Any]

_PATTERNS = {
    NAME: "a name of at most 64 letters, digits, `_` and `-`",
    VARIABLE: "a name of at most 64 letters, digits and `_`",
    r"^\S+$": "a text without spaces, of at most 200 characters",
}


class Rule:
    """A schema and the place in it that rules a value.

    Args:
        root: the whole schema, for its references.
        here: the part that rules the value, `root` itself by default.
    """

    def __init__(self, root: Schema, here: Schema | None = None) -> None:
        self._root = root
        self._options = self._alternatives(root if here is None else here)

    def at(self, path: Path) -> Rule:
        """Follow a path of a document; where the schema says nothing, the rule allows anything."""
        rule = self
        for part in path:
            inner = [found for option in rule._options if (found := _inner(option, part)) is not None]
            rule = Rule(self._root, {"anyOf": inner} if inner else {})
        return rule

    @property
    def keys(self) -> list[str]:
        """The keys of the mapping."""
        return [key for option in self._options for key in option.get("properties", {})]

    @property
    def kinds(self) -> set[str]:
        """The JSON types."""
        return {str(option["type"]) for option in self._options if "type" in option}

    @property
    def choices(self) -> list[str]:
        """The words of a closed list."""
        return [str(word) for option in self._options for word in option.get("enum", [])]

    @property
    def key_words(self) -> str:
        """What a free key of the mapping looks like."""
        patterns = [pattern for option in self._options for pattern in option.get("patternProperties", {})]
        return " or ".join(_PATTERNS.get(pattern, f"a name like {pattern}") for pattern in patterns)

    @property
    def maxima(self) -> list[float]:
        """The largest numbers, longest texts or lists."""
        limits = ("maximum", "maxLength", "maxItems", "maxProperties")
        return [option[limit] for option in self._options for limit in limits if limit in option]

    def __str__(self) -> str:
        """Describe the rule; empty when it says nothing."""
        phrases = dict.fromkeys(self._phrase(option) for option in self._options)
        return sentence([phrase for phrase in phrases if phrase], "or")

    def _alternatives(self, schema: Schema) -> list[Schema]:
        if "$ref" in schema:
            return self._alternatives(self._root["$defs"][str(schema["$ref"]).rsplit("/", 1)[-1]])
        if "anyOf" in schema:
            return [option for part in cast("list[Schema]", schema["anyOf"]) for option in self._alternatives(part)]
        return [schema]

    def _phrase(self, schema: Schema) -> str:
        if "enum" in schema or "const" in schema:
            return sentence([f'"{word}"' for word in schema.get("enum", [schema.get("const")])], "or")
        match schema.get("type"):
            case "integer":
                return _between("a whole number", schema)
            case "number":
                return _between("a number", schema)
            case "string":
                return _text(schema)
            case "boolean":
                return "true or false"
            case "null":
                return "null"
            case "array":
                size = _size(schema.get("minItems"), schema.get("maxItems"))
                return f"a list{size}, each {Rule(self._root, schema.get('items', {}))}"
            case "object":
                return f"a mapping{_size(schema.get('minProperties'), schema.get('maxProperties'))}"
            case _:
                return ""


def _inner(schema: Schema, part: str | int) -> Schema | None:
    if isinstance(part, int):
        return schema.get("items")
    properties = cast("Mapping[str, Schema]", schema.get("properties", {}))
    if part in properties:
        return properties[part]
    patterns = list(cast("Mapping[str, Schema]", schema.get("patternProperties", {})).values())
    others = patterns[0] if patterns else schema.get("additionalProperties")
    return cast(Schema, others) if isinstance(others, dict) else None


def _between(what: str, schema: Schema) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and low == high:
        return f"{low:,}"
    ends = [f"from {low:,}" if low is not None else "", f"to {high:,}" if high is not None else ""]
    return " ".join(part for part in (what, *ends) if part)


def _text(schema: Schema) -> str:
    pattern = schema.get("pattern")
    if pattern is not None:
        return _PATTERNS.get(pattern, f"a text like {pattern}")
    if "format" in schema:
        return f"a {schema['format']}"
    longest = schema.get("maxLength")
    return f"a text of at most {longest:,} characters" if longest else "a text"


def _size(least: int | None, most: int | None) -> str:
    if most is None:
        return f" of at least {least:,}" if least else ""
    return f" of {least:,} to {most:,}" if least and least < most else f" of at most {most:,}"
