"""What an actor's file names: a model at a provider, perhaps at an address of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cleveractors.credentials import OPENAI_URL, Credential
from cleveractors.exceptions import ConfigurationError, sentence

if TYPE_CHECKING:
    from cleveractors.config import Fallback, ModelAgentConfig

__all__ = ["Target", "endpoint_of", "fallback_targets", "target_of"]


@dataclass(frozen=True, slots=True)
class Target:
    """One model to call."""

    provider: str
    model: str
    base_url: str | None = None
    api: Literal["chat", "responses"] = "chat"
    script: Sequence[Any] | None = None


def target_of(config: ModelAgentConfig, model: str | None = None) -> Target:
    """An agent's own model, or another name at the same provider."""
    return Target(config.provider, model or config.model, config.base_url, config.api, config.script)


def fallback_targets(config: ModelAgentConfig) -> list[Target]:
    """The models that take over, in order."""
    return [_fallback(one, config) for one in config.fallbacks]


def _fallback(fallback: Fallback, config: ModelAgentConfig) -> Target:
    return Target(fallback.provider, fallback.model, fallback.base_url, config.api)


def endpoint_of(target: Target, credential: Credential) -> str:
    """Where calls go: a key goes only to the endpoints that its credential names.

    Raises:
        ConfigurationError: the file chose another address, or there is none.
    """
    own = credential.base_url or (OPENAI_URL if target.provider == "openai" else None)
    if target.base_url is None:
        if own is None:
            raise ConfigurationError(
                f"provider {target.provider!r} needs an address: "
                f"credentials={{{target.provider!r}: Credential(api_key, base_url='https://…')}}"
            )
        return own
    allowed = [url for url in (own, *credential.base_urls) if url is not None]
    if target.base_url.rstrip("/") not in {url.rstrip("/") for url in allowed}:
        raise ConfigurationError(
            f"base_url {target.base_url!r} is not an endpoint of provider {target.provider!r}; allowed are "
            f"{sentence(allowed)}"
        )
    return target.base_url
