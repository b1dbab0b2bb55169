"""The language of actor files, as pydantic models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import (
    BeforeValidator,
    Field,
    SerializeAsAny,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError, PydanticKnownError, to_json

from .parts import (
    Fallback,
    ForksConfig,
    HistoryConfig,
    Language,
    ModelName,
    Name,
    Parameters,
    PruningConfig,
    RetryConfig,
    ScriptedTurn,
    Seconds,
    SynthesisConfig,
    Url,
)
from .shown import listing, quoted
from .template import VARIABLE

__all__ = [
    "MAIN",
    "ActorConfig",
    "AgentConfig",
    "LLMAgentConfig",
    "ModelAgentConfig",
    "expanded",
    "is_short",
    "known_types",
]

MAIN = "main"
"""The one agent of the short form."""

_MOST_AGENTS = 50
_ROOT_KEYS = ("name", "entry", "version")

VariableName = Annotated[str, StringConstraints(pattern=VARIABLE)]
Text = Annotated[str, StringConstraints(max_length=100_000)]
Value = Text | int | float | bool


class AgentConfig(Language):
    """What every agent has. Subclass it for a custom type: your fields are the keys of the file."""

    type: Name = Field(description="What kind of agent it is: `llm`, or a type of the host's.", examples=["llm"])
    description: str = Field(
        default="",
        max_length=4096,
        description="What a parent's model is told about the agent.",
        examples=["Answers questions about the weather."],
    )
    input_schema: dict[str, Any] | None = Field(
        default=None,
        description="The JSON schema of what a parent's model gives it; by default a `task` in words.",
        examples=[{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}],
    )


class ModelAgentConfig(AgentConfig):
    """An agent that calls a model."""

    provider: Name = Field(
        default="openai",
        description="Whose model it is: a name of the host's credentials or models.",
        examples=["openai"],
    )
    model: ModelName = Field(description="The model, as its provider names it.", examples=["gpt-4o-mini"])
    base_url: Url | None = Field(
        default=None,
        description="The endpoint, one of those the host's credential lists.",
        examples=["https://eu.example.com/v1"],
    )
    api: Literal["chat", "responses"] = Field(
        default="chat", description="Chat completions, or the responses API.", examples=["responses"]
    )
    parameters: Parameters = Field(
        default_factory=Parameters, description="What the model is asked with.", examples=[{"temperature": 0}]
    )
    model_timeout: Seconds = Field(
        default=300, description="Seconds for one attempt: to a whole answer, or to the first chunk.", examples=[120]
    )
    stream_idle_timeout: Seconds = Field(default=60, description="Seconds between two chunks.", examples=[20])
    token_budget: int | None = Field(
        default=None,
        ge=1,
        le=1_000_000_000,
        description="Tokens, prompts and answers, of one run of this agent and its children.",
        examples=[20_000],
    )
    retry: RetryConfig = Field(
        default_factory=RetryConfig, description="Attempts of one model call.", examples=[{"attempts": 5}]
    )
    fallbacks: list[Fallback] = Field(
        default_factory=list[Fallback],
        max_length=10,
        description="Models that take over, in order.",
        examples=[[{"model": "gpt-4o"}]],
    )
    script: list[str | ScriptedTurn] | None = Field(
        default=None,
        max_length=10_000,
        description="What the `scripted` provider answers, turn by turn.",
        examples=[[{"calls": [{"name": "get_weather", "arguments": {"city": "Paris"}}]}, "Take a coat."]],
    )


class LLMAgentConfig(ModelAgentConfig):
    """The agent with tools."""

    # Not a Literal: a host's subclass of the llm agent has this class under a type name of its own.
    type: Name = Field(default="llm", description="What kind of agent it is.", examples=["llm"])
    system_prompt: str = Field(
        default="",
        max_length=262_144,
        description="What the model is told first; `{{ name }}` is replaced by a variable.",
        examples=["You work for {{ company }}."],
    )
    variables: dict[VariableName, Value] = Field(
        default_factory=dict[str, Value],
        max_length=200,
        description="The prompt's variables with their defaults: texts, numbers, booleans.",
        examples=[{"company": "Acme"}],
    )
    tools: list[Name] = Field(
        default_factory=list[str],
        max_length=500,
        description="Names of the host's tools, and of other agents.",
        examples=[["get_weather"]],
    )
    tool_max_rounds: int = Field(
        default=10, ge=0, le=100_000, description="Rounds of tool calls before the wrap-up.", examples=[20]
    )
    max_repeated_calls: int | None = Field(
        default=5, ge=2, le=100_000, description="Equal rounds before the wrap-up; null: never.", examples=[3]
    )
    tool_timeout: Seconds = Field(default=60, description="Seconds for one tool call.", examples=[10])
    max_parallel_tools: int = Field(
        default=32, ge=1, le=10_000, description="Tools of a round at a time.", examples=[4]
    )
    synthesis: SynthesisConfig = Field(
        default_factory=SynthesisConfig, description="The wrap-up at a limit.", examples=[{"reserve_tokens": 2000}]
    )
    pruning: PruningConfig | None = Field(
        default=None, description="Shortening of old tool output; left out, none.", examples=[{"trigger_tokens": 8000}]
    )
    history: HistoryConfig | None = Field(
        default=None, description="How much of a stored session is sent; left out, all.", examples=[{"keep_last": 20}]
    )
    forks: ForksConfig | None = Field(
        default=None, description="Leave to fork itself; left out, none.", examples=[{"max_children": 4}]
    )
    streaming: Literal["answer", "tokens"] = Field(
        default="answer", description="With tools: one chunk, or tokens as they come.", examples=["tokens"]
    )


def known_types(custom: Mapping[str, type[AgentConfig]] | None = None) -> dict[str, type[AgentConfig]]:
    """Return the config classes by type name, the host's over our own."""
    return {"llm": LLMAgentConfig, **(custom or {})}


def _agent(value: object, info: ValidationInfo) -> object:
    """Validate a mapping with the class that its `type` names."""
    if not isinstance(value, dict):
        return value
    fields = {"type": "llm", **cast("dict[str, object]", value)}
    context = cast("dict[str, Any]", info.context or {})
    types = known_types(context.get("agent_types"))
    named = fields["type"]
    if not isinstance(named, str) or named in types:
        config = types.get(named, AgentConfig) if isinstance(named, str) else AgentConfig
        # As JSON: strict, and yet a custom class may have dates, enums or tuples among its fields.
        return config.model_validate_json(to_json(fields, inf_nan_mode="constants"))
    message = f"unknown type {quoted(named, '`')}; allowed: {listing(types)}"
    error = PydanticCustomError("actor", "{text}", {"text": message, "given": named, "known": list(types)})
    raise ValidationError.from_exception_data("agent", [InitErrorDetails(type=error, loc=("type",), input=named)])


def _few(value: object) -> object:
    """Refuse too many agents before each of them is looked at."""
    count = len(cast("dict[str, object]", value)) if isinstance(value, dict) else 0
    if count > _MOST_AGENTS:
        facts = {"field_type": "Dictionary", "max_length": _MOST_AGENTS, "actual_length": count}
        raise PydanticKnownError("too_long", facts)
    return cast(object, value)


class ActorConfig(Language):
    """A whole actor: named agents, one of them the entry."""

    name: Name = Field(default="actor", description="The actor's name, in records and logs.", examples=["weather"])
    version: int = Field(default=1, ge=1, le=1, description="The version of the language.", examples=[1])
    entry: str = Field(
        default="", description="The agent that gets the message; the first one by default.", examples=["assistant"]
    )
    agents: Annotated[
        dict[Name, Annotated[SerializeAsAny[AgentConfig], BeforeValidator(_agent)]],
        Field(
            min_length=1,
            max_length=_MOST_AGENTS,
            description="The agents by name.",
            examples=[{"assistant": {"model": "gpt-4o-mini"}}],
        ),
        BeforeValidator(_few),
    ]

    @model_validator(mode="before")
    @classmethod
    def _expand(cls, data: object) -> object:
        return expanded(cast("dict[str, object]", data)) if isinstance(data, dict) else data


def is_short(data: Mapping[str, object]) -> bool:
    """Tell whether a document is one agent without `agents` around it."""
    return "model" in data and "agents" not in data


def expanded(data: dict[str, object]) -> dict[str, object]:
    """Return the full form of a document, with its entry named."""
    if is_short(data):
        agent = {key: value for key, value in data.items() if key not in _ROOT_KEYS}
        data = {**{key: data[key] for key in _ROOT_KEYS if key in data}, "agents": {MAIN: agent}}
    agents = data.get("agents")
    if "entry" not in data and isinstance(agents, dict) and agents:
        data = {**data, "entry": next(iter(cast("dict[str, object]", agents)))}
    return data
