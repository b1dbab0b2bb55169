"""From what an actor's file names to a model that can be called."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast
from weakref import WeakKeyDictionary

from cleveractors.credentials import OPENAI_URL, Credential, Credentials
from cleveractors.exceptions import ConfigurationError, sentence
from cleveractors.models.cooldown import Cooldown
from cleveractors.models.port import Port, bind, port_of
from cleveractors.models.spec import ModelSpec
from cleveractors.money import PriceBook
from cleveractors.overrides import model_override

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from cleveractors.config import ModelAgentConfig
    from cleveractors.context import RunContext
    from cleveractors.models.openai import OpenAIClients
    from cleveractors.options import RunOptions

__all__ = ["Models", "as_spec"]

ToolDefinitions = Sequence[dict[str, Any]]


class Models:
    """The models of one executor.

    Args:
        credentials: provider → key.
        specs: provider name → a host's model.
        prices: what tokens cost.
        transport: `lean`, or `stock` for LangChain's own way to OpenAI.
    """

    def __init__(
        self,
        credentials: Credentials,
        specs: Mapping[str, ModelSpec] | None = None,
        prices: PriceBook | None = None,
        transport: Literal["lean", "stock"] = "lean",
    ) -> None:
        self.credentials = credentials
        self.specs = dict(specs or {})
        self.prices = prices or PriceBook()
        self.cooldown = Cooldown()
        self._transport: Literal["lean", "stock"] = transport
        self._clients: OpenAIClients | None = None
        self._ports: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[object, Port]] = WeakKeyDictionary()

    async def port(
        self, config: ModelAgentConfig, context: RunContext[Any], definitions: ToolDefinitions, *, entry: bool
    ) -> Port:
        """The model of an agent with its tools.

        Args:
            config: the agent's.
            context: the run's, for its own model, parameters and credentials.
            definitions: tools as the provider reads them.
            entry: whether the run's own `model` and `parameters` are meant for this agent.

        Raises:
            ConfigurationError: the provider is unknown, has no credential, or the model can't call tools.
        """
        options: RunOptions = context.run.options if entry else {}
        chosen = model_override.get() or options.get("model")
        parameters = {**config.parameters.set_fields(), **(options.get("parameters") or {})}
        if chosen is not None and not isinstance(chosen, str):
            spec = as_spec(chosen)
            name = config.model or type(spec.model).__name__
            return self._bound(
                port_of(spec, config.provider, name, parameters, self._quote(config.provider, name)), definitions, spec
            )
        name = chosen or config.model
        run_keys = context.run.options.get("credentials")
        shared = chosen is None and run_keys is None and not options.get("parameters") and not self.credentials.asks
        if not shared or config.script is not None:
            return await self._make(config, context, name, parameters, definitions)
        cache = self._ports.setdefault(asyncio.get_running_loop(), {})
        key = (id(config), id(definitions))
        port = cache.get(key)
        if port is None:
            port = cache[key] = await self._make(config, context, name, parameters, definitions)
        return port

    async def _make(
        self,
        config: ModelAgentConfig,
        context: RunContext[Any],
        name: str,
        parameters: dict[str, Any],
        definitions: ToolDefinitions,
    ) -> Port:
        provider = config.provider
        quote = self._quote(provider, name)
        if provider in self.specs:
            spec = self.specs[provider]
            return self._bound(port_of(spec, provider, name, parameters, quote), definitions, spec)
        if provider == "scripted":
            from cleveractors.models.scripted import ScriptedChatModel

            spec = ModelSpec(ScriptedChatModel(config.script))
            return self._bound(port_of(spec, provider, name, parameters, quote), definitions, spec)
        source = context.run.options.get("credentials")
        keys = self.credentials if source is None else Credentials(source)
        credential = await keys.get(provider, context)
        port = self._openai(config, name, parameters, credential)
        return self._bound(port, definitions, None)

    def _openai(self, config: ModelAgentConfig, name: str, parameters: dict[str, Any], credential: Credential) -> Port:
        from cleveractors.models.openai import OpenAIClients, OpenAISettings, build_model

        url = endpoint_of(config, credential)
        if self._clients is None:
            self._clients = OpenAIClients()
        settings = OpenAISettings(
            model=name,
            api_key=credential.api_key,
            base_url=url,
            organization=credential.organization,
            project=credential.project,
            api=config.api,
            transport=self._transport,
            parameters=parameters,
        )
        spec = ModelSpec(build_model(settings, self._clients), cap="max_tokens", usage="last")
        port = port_of(spec, config.provider, name, {}, self._quote(config.provider, name))
        key = hashlib.sha256(credential.api_key.encode()).hexdigest()[:16]
        return Port(
            provider=port.provider,
            name=port.name,
            model=port.model,
            wanted_output=int(parameters.get("max_tokens") or port.wanted_output),
            cap=port.cap,
            usage="last",
            finish_required=True,
            quote=port.quote,
            endpoint=f"{url}#{key}",
        )

    def bind_model(
        self, model: BaseChatModel | ModelSpec, config: ModelAgentConfig, definitions: ToolDefinitions
    ) -> Port:
        """A port for a chat model that an agent's code chose."""
        spec = as_spec(model)
        port = port_of(
            spec,
            config.provider,
            config.model,
            config.parameters.set_fields(),
            self._quote(config.provider, config.model),
        )
        return self._bound(port, definitions, spec)

    def _bound(self, port: Port, definitions: ToolDefinitions, spec: ModelSpec | None) -> Port:
        return bind(port, definitions, spec.tools_off if spec else {"tool_choice": "none"})

    def _quote(self, provider: str, name: str) -> Any:
        return self.prices.quote(provider, name)

    async def aclose(self) -> None:
        """Close the connections."""
        if self._clients is not None:
            await self._clients.aclose()


def as_spec(model: object) -> ModelSpec:
    """A host's model as a spec.

    Raises:
        ConfigurationError: it is no chat model and no function that makes one.
    """
    from langchain_core.language_models import BaseChatModel

    if isinstance(model, ModelSpec):
        return model
    if isinstance(model, BaseChatModel) or callable(model):
        return ModelSpec(cast("BaseChatModel", model))
    raise ConfigurationError(
        f"a model must be a LangChain chat model, a function that makes one, or ModelSpec; found {type(model).__name__}"
    )


def endpoint_of(config: ModelAgentConfig, credential: Credential) -> str:
    """Where an agent's calls go: a key goes only to the endpoints that its credential names.

    Raises:
        ConfigurationError: the file chose another address, or there is none.
    """
    own = credential.base_url or (OPENAI_URL if config.provider == "openai" else None)
    if config.base_url is None:
        if own is None:
            raise ConfigurationError(
                f"provider {config.provider!r} needs an address: "
                f"credentials={{{config.provider!r}: Credential(api_key, base_url='https://…')}}"
            )
        return own
    allowed = [url for url in (own, *credential.base_urls) if url is not None]
    if config.base_url.rstrip("/") not in {url.rstrip("/") for url in allowed}:
        raise ConfigurationError(
            f"base_url {config.base_url!r} is not an endpoint of provider {config.provider!r}; allowed are "
            f"{sentence(allowed)}"
        )
    return config.base_url
