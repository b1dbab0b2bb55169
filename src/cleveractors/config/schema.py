"""The language as a JSON Schema, for editors."""

from __future__ import annotations

from typing import Any

from .models import ActorConfig, LLMAgentConfig
from .parts import NAME

__all__ = ["json_schema"]

_REFERENCE = "#/$defs/{model}"
_ROOT_KEYS = ("name", "version", "entry")


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of an actor file, in both forms; a host's own agent types are left open."""
    agent = LLMAgentConfig.model_json_schema(ref_template=_REFERENCE)
    definitions: dict[str, Any] = agent.pop("$defs", {})
    agent["properties"]["type"].update({"const": "llm"})
    root: dict[str, Any] = ActorConfig.model_json_schema(ref_template=_REFERENCE)["properties"]
    root["agents"].pop("patternProperties", None)
    root["agents"].update(
        propertyNames={"pattern": NAME}, additionalProperties={"$ref": "#/$defs/Agent"}, minProperties=1
    )
    for key in ("name", "entry"):
        root[key].pop("default", None)
    common = {key: root[key] for key in _ROOT_KEYS}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "cleveractors actor",
        "description": "A program of one or more agents, or one agent written without `agents` around it.",
        "type": "object",
        "if": {"required": ["agents"]},
        "then": {"$ref": "#/$defs/Actor"},
        "else": {"$ref": "#/$defs/ShortActor"},
        "$defs": {
            "Actor": _closed("Actor", "Named agents.", root, ["agents"]),
            "Agent": _by_type({"$ref": "#/$defs/LLMAgent"}, _custom({}, [])),
            "LLMAgent": {**agent, "title": "LLM agent"},
            "ShortActor": _by_type(
                _closed("Short form", "One llm agent.", {**agent["properties"], **common}, ["model"]),
                _custom(common, ["model"]),
            ),
            **definitions,
        },
    }


def _by_type(llm: dict[str, Any], custom: dict[str, Any]) -> dict[str, Any]:
    return {"if": {"properties": {"type": {"const": "llm"}}}, "then": llm, "else": custom}


def _custom(common: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {
        "title": "Custom agent",
        "description": "An agent of a type that the host made; its keys are the host's.",
        "type": "object",
        "properties": {
            **common,
            "type": {"type": "string", "pattern": NAME, "description": "The host's name of the type."},
            "description": LLMAgentConfig.model_json_schema()["properties"]["description"],
        },
        "required": ["type", *required],
        "additionalProperties": True,
    }


def _closed(title: str, description: str, properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {
        "title": title,
        "description": description,
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
