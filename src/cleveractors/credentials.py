"""Keys: which provider gets which, and that they show nowhere."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from inspect import isawaitable
from typing import Any, Literal, cast

from cleveractors.exceptions import ConfigurationError

__all__ = ["Credential", "CredentialSource", "Credentials"]

OPENAI_URL = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class Credential:
    """A key, and the only endpoints it goes to.

    Args:
        api_key: never shown in `repr`, logs, events or results.
        base_url: the endpoint; default for provider `openai`: OpenAI's.
        base_urls: further endpoints that an actor's file may choose by `base_url`.
        organization: OpenAI's header of that name.
        project: OpenAI's header of that name.
    """

    api_key: str = field(repr=False)
    base_url: str | None = None
    base_urls: tuple[str, ...] = ()
    organization: str | None = None
    project: str | None = None

    def __post_init__(self) -> None:
        if isinstance(self.base_urls, str):
            raise ConfigurationError("Credential.base_urls must be a list of addresses, found one text")
        object.__setattr__(self, "base_urls", tuple(self.base_urls))


CredentialSource = (
    Mapping[str, "str | Credential"]
    | Callable[[str, Any], "str | Credential | Awaitable[str | Credential | None] | None"]
    | Literal["env"]
)
"""Provider → key; or a function of provider and context, asked once per run; or `"env"`."""


class Credentials:
    """The keys of an executor or of one run.

    Args:
        source: as the host gave them; `"env"` reads `OPENAI_API_KEY` and `OPENAI_BASE_URL` here, once.

    Raises:
        ConfigurationError: `"env"` finds no key, or the source is of a wrong type.
    """

    def __init__(self, source: CredentialSource | None = None) -> None:
        self._ask: Callable[..., Any] | None = None
        self._known: dict[str, Credential] = {}
        self._given: dict[str, Credential] = {}
        self._asking: dict[str, asyncio.Lock] = {}
        if source is None:
            return
        if source == "env":
            self._known["openai"] = _from_environment()
        elif isinstance(source, Mapping):
            known = cast("Mapping[str, object]", source)
            self._known = {name: _credential(name, given) for name, given in known.items()}
        elif callable(source):
            self._ask = source
        else:
            raise ConfigurationError(
                f"credentials must be a mapping of provider to key, a function or 'env', found {type(source).__name__}"
            )

    @property
    def known(self) -> Mapping[str, Credential]:
        """The keys that are known without asking."""
        return self._known

    @property
    def asks(self) -> bool:
        """Whether a function of the host is asked."""
        return self._ask is not None

    def of_run(self) -> Credentials:
        """The same for one run and its children: what the host's function gives is kept as long as the run."""
        run = Credentials()
        run._ask, run._known = self._ask, self._known
        return run

    async def get(self, provider: str, context: object, *, refused: Credential | None = None) -> Credential:
        """The credential of a provider.

        Args:
            provider: by name.
            context: what the host's function is shown.
            refused: the one that the provider did not take: the function is asked anew, unless it has been since.

        Raises:
            ConfigurationError: there is none; the text says how to give one.
        """
        credential = self._known.get(provider)
        if self._ask is not None:
            async with self._asking.setdefault(provider, asyncio.Lock()):
                credential = self._given.get(provider)
                if credential is None or credential is refused:
                    credential = await self._asked(self._ask, provider, context)
                if credential is not None:
                    self._given[provider] = credential
        if credential is not None:
            return credential
        raise ConfigurationError(
            f"no credential for provider {provider!r}: give create_executor(credentials={{{provider!r}: 'key'}})"
            + (", or credentials='env' to read OPENAI_API_KEY" if provider == "openai" else "")
            + self._misspelt(provider)
        )

    def _misspelt(self, provider: str) -> str:
        close = get_close_matches(provider, self._known, n=1)
        return f"; there is one for {close[0]!r}: did you mean {provider!r}?" if close else ""

    async def _asked(self, ask: Callable[..., Any], provider: str, context: object) -> Credential | None:
        answer = ask(provider, context)
        given = await cast("Awaitable[object]", answer) if isawaitable(answer) else answer
        return None if given is None else _credential(provider, given)

    def __repr__(self) -> str:
        return f"<Credentials of {', '.join(sorted(self._known)) or ('a function' if self.asks else 'nobody')}>"


def _credential(provider: str, given: object) -> Credential:
    if isinstance(given, str):
        given = Credential(given)
    if not isinstance(given, Credential):
        raise ConfigurationError(
            f"the credential of provider {provider!r} must be str or Credential, found {type(given).__name__}"
        )
    key = cast("object", given.api_key)
    if not isinstance(key, str):
        raise ConfigurationError(f"the key of provider {provider!r} must be str, found {type(key).__name__}")
    if not key or not key.isprintable() or key != key.strip():
        raise ConfigurationError(
            f"the key of provider {provider!r} is empty or has blanks or control characters around it"
        )
    return given


def _from_environment() -> Credential:
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    if not key:
        raise ConfigurationError(
            "credentials='env' needs the environment variable OPENAI_API_KEY, which is not set: set it, or "
            "give credentials={'openai': 'key'}"
        )
    url = os.environ.get("OPENAI_BASE_URL", "").strip() or None
    return Credential(key, url)
