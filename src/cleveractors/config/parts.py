"""The nested parts of an agent's configuration, and the words they share."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, with_config
from typing_extensions import TypedDict

__all__ = [
    "NAME",
    "Fallback",
    "ForksConfig",
    "HistoryConfig",
    "Language",
    "ModelName",
    "Name",
    "Parameters",
    "PruningConfig",
    "RetryConfig",
    "ScriptedCall",
    "ScriptedTurn",
    "Seconds",
    "SynthesisConfig",
    "Url",
]

NAME = r"^[A-Za-z0-9_-]{1,64}$"
"""What the name of an agent, a tool, a provider or an actor looks like."""

_STRICT = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False, protected_namespaces=())

Name = Annotated[str, StringConstraints(pattern=NAME)]
ModelName = Annotated[str, StringConstraints(pattern=r"^\S+$", max_length=200)]
Url = Annotated[str, StringConstraints(min_length=1, max_length=2048)]
Tokens = Annotated[int, Field(ge=0, le=1_000_000_000)]
Seconds = Annotated[float, Field(ge=0.001, le=86_400)]


class Language(BaseModel):
    """The base of every part of the language: frozen, closed, without silent conversions."""

    model_config = _STRICT


class Parameters(Language):
    """What the model is asked with. The list is closed; a key left out is not sent."""

    temperature: float | None = Field(
        default=None, ge=0, le=2, description="How much chance is in the answer.", examples=[0.2]
    )
    top_p: float | None = Field(
        default=None, ge=0, le=1, description="Share of likely tokens to choose from.", examples=[0.9]
    )
    max_tokens: int | None = Field(
        default=None,
        ge=1,
        le=10_000_000,
        description="The longest answer of one model call, in tokens.",
        examples=[800],
    )
    stop: str | Annotated[list[str], Field(min_length=1, max_length=16)] | None = Field(
        default=None, description="A text, or up to 16, at which the answer ends.", examples=["END"]
    )
    seed: int | None = Field(
        default=None, ge=-(2**63), le=2**63 - 1, description="For answers that repeat, where supported.", examples=[7]
    )
    presence_penalty: float | None = Field(
        default=None, ge=-2, le=2, description="Against topics already mentioned.", examples=[0.5]
    )
    frequency_penalty: float | None = Field(
        default=None, ge=-2, le=2, description="Against words repeated.", examples=[0.5]
    )
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None = Field(
        default=None, description="How long a reasoning model thinks.", examples=["low"]
    )
    parallel_tool_calls: bool | None = Field(
        default=None, description="Whether one response may ask for several tools.", examples=[False]
    )

    def set_fields(self) -> dict[str, Any]:
        """Return those that were given, as the provider names them."""
        return self.model_dump(exclude_none=True)


class RetryConfig(Language):
    """How the attempts of one model call follow each other."""

    attempts: int = Field(default=3, ge=1, le=100, description="Attempts in all, the first included.", examples=[5])
    initial: float = Field(
        default=0.5, ge=0, le=3600, description="First wait between attempts, in seconds.", examples=[1]
    )
    maximum: float = Field(
        default=8, ge=0, le=3600, description="Longest wait of our own choice, in seconds.", examples=[30]
    )
    deadline: float = Field(default=60, ge=0, le=86_400, description="Seconds after which none begins.", examples=[120])
    after_timeout: bool = Field(
        default=False, description="Whether to try again after a timeout, which was probably paid.", examples=[True]
    )


class SynthesisConfig(Language):
    """How the answer at a limit is made."""

    reserve_tokens: int | None = Field(
        default=None,
        ge=1,
        le=10_000_000,
        description="Output tokens kept for it, at most a third of the budget; left out, a tenth. Room for its prompt "
        "is kept on top.",
        examples=[2000],
    )


class PruningConfig(Language):
    """How old tool output is shortened."""

    trigger_tokens: int = Field(
        ge=1, le=100_000_000, description="Prompt tokens from which on it is done.", examples=[8000]
    )
    keep_last_rounds: int = Field(default=1, ge=1, le=100_000, description="Newest rounds left whole.", examples=[2])
    mode: Literal["condense", "truncate"] = Field(
        default="condense",
        description="`condense` asks the model for a summary, `truncate` cuts.",
        examples=["truncate"],
    )


class HistoryConfig(Language):
    """How much of a stored session a run begins with: whole turns, the newest ones."""

    max_tokens: int | None = Field(
        default=None,
        ge=1,
        le=100_000_000,
        description="Tokens, by estimate, that the turns come to at most.",
        examples=[8000],
    )
    keep_last: int | None = Field(
        default=None, ge=1, le=100_000, description="Turns at most, each from a user's message on.", examples=[20]
    )


class ForksConfig(Language):
    """How an agent may send copies of itself ahead."""

    max_depth: int = Field(default=2, ge=1, le=16, description="Forks of forks, so deep.", examples=[1])
    max_children: int = Field(default=8, ge=1, le=1000, description="Forks of one run.", examples=[4])


class Fallback(Language):
    """A model that takes over when the one before it failed."""

    provider: Name = Field(default="openai", description="Its provider.", examples=["openai"])
    model: ModelName = Field(description="Its name.", examples=["gpt-4o"])
    base_url: Url | None = Field(
        default=None,
        description="Its endpoint, if the host's credential lists it.",
        examples=["https://eu.example.com/v1"],
    )


@with_config(_STRICT)
class ScriptedCall(TypedDict, total=False):
    """A tool call in a script."""

    name: Required[Name]
    arguments: dict[str, Any]
    raw: str
    id: str


@with_config(_STRICT)
class ScriptedUsage(TypedDict, total=False):
    """What a script tells of an answer's tokens."""

    prompt_tokens: Tokens
    completion_tokens: Tokens
    cached_tokens: Tokens
    cache_write_tokens: Tokens
    reasoning_tokens: Tokens


@with_config(_STRICT)
class ScriptedError(TypedDict, total=False):
    """An error in a script."""

    message: Required[str]
    status_code: Annotated[int, Field(ge=100, le=599)]


@with_config(_STRICT)
class _ScriptedTurn(TypedDict, total=False):
    """An answer of the `scripted` provider."""

    text: str
    calls: list[ScriptedCall]
    usage: ScriptedUsage | Annotated[list[int], Field(min_length=2, max_length=2)] | Literal["counted"] | None
    chunks: Annotated[list[str], Field(min_length=1)]
    finish_reason: str
    error: str | ScriptedError


def _sound(turn: _ScriptedTurn) -> _ScriptedTurn:
    if not turn:
        raise ValueError("an empty mapping is no turn")
    if "chunks" in turn and turn.get("text", "") not in ("", "".join(turn["chunks"])):
        raise ValueError("`chunks` and `text` say different things; give one of them")
    if any(call.get("arguments") and "raw" in call for call in turn.get("calls", ())):
        raise ValueError("a call has `raw` and `arguments`; give one of them")
    usage = turn.get("usage")
    if isinstance(usage, list) and min(usage) < 0:
        raise ValueError("`usage` has a number below 0")
    return turn


ScriptedTurn = Annotated[_ScriptedTurn, AfterValidator(_sound)]
