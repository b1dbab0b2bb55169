"""Two servers on loopback: the one a key belongs to, and one that must never see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from cleveractors import ConfigurationError, Credential, create_executor
from cleveractors.config import reference_markdown
from cleveractors.testing import ScriptedProvider, Turn
from features.lib.world import World

__all__ = ["LANGUAGE_PAGE", "Endpoints", "endpoints", "page_is_current"]

LANGUAGE_PAGE = Path("docs/language.md")
ENDPOINTS = "endpoints"
KEY = "sk-of-the-house-0123456789"


@dataclass
class Endpoints:
    """A house with one key, its provider, and another address."""

    world: World
    own: ScriptedProvider
    other: ScriptedProvider
    listed: bool = False

    async def ask(self, actor: Mapping[str, Any], **options: Any) -> None:
        """Run an actor with the house's key; what its file may name is its own address, and the listed ones."""
        listed = (self.other.base_url,) if self.listed else ()
        keys = {"openai": Credential(KEY, self.own.base_url, listed)}
        with self.world.catching(ConfigurationError):
            async with create_executor(dict(actor), credentials=keys) as executor:
                await executor.execute("Hello", **options)

    def seen(self, server: ScriptedProvider) -> list[str | None]:
        """The keys that a server was shown."""
        return [request.api_key for request in server.requests]


def endpoints(context: Any) -> Endpoints:
    """The scenario's servers, started when they are first asked for."""
    if not hasattr(context, ENDPOINTS):
        world: World = context.world
        own, other = (world.use(ScriptedProvider(Turn("Hello."))) for _ in range(2))
        setattr(context, ENDPOINTS, Endpoints(world, own, other))
    return cast("Endpoints", getattr(context, ENDPOINTS))


def page_is_current() -> bool:
    """Whether the page of the language says what the models say."""
    return LANGUAGE_PAGE.read_text(encoding="utf-8").rstrip().endswith(reference_markdown().rstrip())
