"""From what an actor's file names to models that can be called."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast
from weakref import WeakKeyDictionary

from cleveractors.credentials import OPENAI_URL, Credential, Credentials
from cleveractors.exceptions import ConfigurationError
from cleveractors.models.cooldown import Cooldown
from cleveractors.models.port import Port, bind, port_of
from cleveractors.models.spec import ModelSpec
from cleveractors.models.target import Target, endpoint_of, fallback_targets, target_of
from cleveractors.money import PriceBook
from cleveractors.overrides import model_override

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from cleveractors.config import ModelAgentConfig
    from cleveractors.models.openai import OpenAIClients
    from cleveractors.options import RunOptions

__all__ = ["Asker", "Models", "as_spec"]

ToolDefinitions = Sequence[dict[str, Any]]
Parameters = dict[str, Any]


class Asker(NamedTuple):
    """The run that a model is made ready for."""

    options: RunOptions
    context: object
    """What a host's function of credentials is shown: the `RunContext`."""
    bound: Callable[[], AbstractAsyncContextManager[object, None]]
    """What ends the wait for that function: the run's signal and clock."""
    memo: dict[object, Any]
    """What the run keeps."""


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
        self._ports: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[object, _Kept]] = WeakKeyDictionary()

    def look_up_prices(self, configs: Iterable[ModelAgentConfig]) -> None:
        """Look up the list prices that are known to be wanted: a run should not wait for the list to be read."""
        for config in configs:
            for target in (target_of(config), *fallback_targets(config)):
                known = self.credentials.known.get(target.provider)
                url = target.base_url or (known.base_url if known is not None else None)
                self.prices.listed(target.provider, target.model, None if url == OPENAI_URL else url)

    async def ports(
        self, config: ModelAgentConfig, asker: Asker, definitions: ToolDefinitions, *, entry: bool
    ) -> list[Port]:
        """The models of an agent with its tools: its own, then those that take over when it fails.

        Args:
            config: the agent's.
            asker: the run, for its own model, parameters and credentials.
            definitions: tools as the provider reads them.
            entry: whether the run's own `model` and `parameters` are meant for this agent.

        Raises:
            ConfigurationError: a provider is unknown or has no credential, or a model can't call tools.
        """
        options: RunOptions = asker.options if entry else {}
        chosen = model_override.get() or options.get("model")
        parameters = {**config.parameters.set_fields(), **(options.get("parameters") or {})}
        if chosen is not None and not isinstance(chosen, str):
            return [self._foreign(as_spec(chosen), target_of(config), parameters, definitions)]
        own = chosen is None and not options.get("parameters") and "credentials" not in asker.options
        if not own or self.credentials.asks or config.script is not None:
            return await self._make(config, chosen, asker, parameters, definitions)
        cache = self._ports.setdefault(asyncio.get_running_loop(), {})
        # With and without tools: an agent's passes call without. A run's own subset of tools takes the place.
        key = (id(config), bool(definitions))
        kept = cache.get(key)
        if kept is None or kept[0] is not definitions:
            kept = cache[key] = (definitions, await self._make(config, None, asker, parameters, definitions))
        return kept[1]

    async def _make(
        self,
        config: ModelAgentConfig,
        model: str | None,
        asker: Asker,
        parameters: Parameters,
        definitions: ToolDefinitions,
    ) -> list[Port]:
        targets = [target_of(config, model), *fallback_targets(config)]
        return [await self._port(one, asker, parameters, definitions) for one in targets]

    async def _port(
        self,
        target: Target,
        asker: Asker,
        parameters: Parameters,
        definitions: ToolDefinitions,
        *,
        refused: Credential | None = None,
    ) -> Port:
        if target.provider in self.specs:
            return self._foreign(self.specs[target.provider], target, parameters, definitions)
        if target.provider == "scripted":
            return self._foreign(_scripted(target, asker.memo), target, parameters, definitions)
        keys = cast("Credentials", asker.options.get("credentials", self.credentials))
        async with asker.bound() if keys.asks else nullcontext():
            credential = await keys.get(target.provider, asker.context, refused=refused)
        port = bind(self._openai(target, parameters, credential), definitions, {"tool_choice": "none"})
        if not keys.asks:
            return port
        return replace(port, renew=partial(self._port, target, asker, parameters, definitions, refused=credential))

    def _foreign(self, spec: ModelSpec, target: Target, parameters: Parameters, definitions: ToolDefinitions) -> Port:
        quote = self.prices.quote(target.provider, target.model)
        return bind(port_of(spec, target.provider, target.model, parameters, quote), definitions, spec.tools_off)

    def _openai(self, target: Target, parameters: Parameters, credential: Credential) -> Port:
        from cleveractors.models.openai import OpenAIClients, OpenAISettings, build_model

        url = endpoint_of(target, credential)
        if self._clients is None:
            self._clients = OpenAIClients()
        settings = OpenAISettings(
            model=target.model,
            api_key=credential.api_key,
            base_url=url,
            organization=credential.organization,
            project=credential.project,
            api=target.api,
            transport=self._transport,
            parameters=parameters,
        )
        spec = ModelSpec(build_model(settings, self._clients), cap="max_tokens", usage="last")
        quote = self.prices.quote(target.provider, target.model, None if url == OPENAI_URL else url)
        port = port_of(spec, target.provider, target.model, {}, quote)
        # The key itself must not be found in what all runs share.
        key = hashlib.sha256(credential.api_key.encode()).hexdigest()[:16]
        wanted = int(parameters.get("max_tokens") or port.wanted_output)
        return replace(port, wanted_output=wanted, finish_required=True, endpoint=f"{url}#{key}")

    def bind_model(
        self, model: BaseChatModel | ModelSpec, config: ModelAgentConfig, definitions: ToolDefinitions
    ) -> Port:
        """A port for a chat model that an agent's code chose."""
        spec = as_spec(model_override.get() or model)
        return self._foreign(spec, target_of(config), config.parameters.set_fields(), definitions)

    async def aclose(self) -> None:
        """Close the connections."""
        if self._clients is not None:
            await self._clients.aclose()


def _scripted(target: Target, memo: dict[object, Any]) -> ModelSpec:
    """The scripted model of a run's agent: one for the whole run, whose calls are answered turn by turn."""
    from cleveractors.models.scripted import ScriptedChatModel

    key = "script", id(target.script)
    if key not in memo:
        memo[key] = ModelSpec(ScriptedChatModel(target.script))
    return memo[key]


_Kept = tuple[ToolDefinitions, list[Port]]


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
