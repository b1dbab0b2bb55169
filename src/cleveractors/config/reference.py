"""The reference of the language, made from its models."""

from __future__ import annotations

import json
from typing import Any, cast

from .models import ActorConfig, LLMAgentConfig
from .parts import (
    Fallback,
    ForksConfig,
    HistoryConfig,
    Language,
    Parameters,
    PruningConfig,
    RetryConfig,
    SynthesisConfig,
)
from .rule import Rule, Schema

__all__ = ["reference_markdown"]

_PARTS: dict[str, type[Language]] = {
    "The actor": ActorConfig,
    "An agent of type `llm`": LLMAgentConfig,
    "`parameters`": Parameters,
    "`retry`": RetryConfig,
    "`synthesis`": SynthesisConfig,
    "`pruning`": PruningConfig,
    "`history`": HistoryConfig,
    "`forks`": ForksConfig,
    "`fallbacks`, each": Fallback,
}
_HEAD = "| Key | Meaning | Type | Default | Maximum | Example |\n| --- | --- | --- | --- | --- | --- |"


def reference_markdown() -> str:
    """Return a markdown table for each part of the language: every key with type, default, maximum and example."""
    return "\n\n".join(_section(title, model) for title, model in _PARTS.items()) + "\n"


def _section(title: str, model: type[Language]) -> str:
    schema = model.model_json_schema()
    required = cast("list[str]", schema.get("required", []))
    rows = [_row(key, schema, key in required) for key in schema["properties"]]
    return f"## {title}\n\n{model.__doc__}\n\n{_HEAD}\n" + "\n".join(rows)


def _row(key: str, root: Schema, required: bool) -> str:
    field: dict[str, Any] = root["properties"][key]
    rule = Rule(root).at((key,))
    cells = [
        f"`{key}`",
        str(field.get("description", "")),
        str(rule),
        "required" if required else _default(field),
        _maximum(rule),
        _code(field["examples"][0]) if field.get("examples") else "",
    ]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _default(field: dict[str, Any]) -> str:
    default = field.get("default")
    return _code(default) if default not in (None, "") else "none"


def _maximum(rule: Rule) -> str:
    return ", ".join(f"{limit:,}" for limit in rule.maxima) or "none"


def _code(value: object) -> str:
    return f"`{value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}`"
