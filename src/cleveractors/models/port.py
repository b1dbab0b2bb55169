"""A chat model made ready for one toolset: what is sent, how it is capped, what it costs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, cast

from cleveractors.exceptions import ConfigurationError
from cleveractors.models.estimate import Measure, measure_json
from cleveractors.models.spec import ModelSpec
from cleveractors.money import Quote

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

__all__ = ["MAX_OUTPUT", "Port", "bind", "port_of"]

MAX_OUTPUT = 16_384
"""Tokens of output assumed where a model does not tell its maximum."""


@dataclass(frozen=True, slots=True)
class Port:
    """One model as one agent calls it."""

    provider: str
    name: str
    """The model's name at the provider."""
    model: BaseChatModel
    wanted_output: int
    """Tokens of output that a call asks for at most."""
    cap: str | None = None
    """The keyword that bounds the output."""
    kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Sent with every call: tools and parameters."""
    tools_off: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Sent in place of `kwargs` with calls that must not ask for tools."""
    usage: Literal["sum", "last"] = "sum"
    finish_required: bool = False
    """An answer without finish reason was cut."""
    quote: Quote | None = None
    tools_size: Measure = field(default_factory=Measure)
    endpoint: str = ""
    """Where it goes and with which key, for what all calls there share."""
    renew: Callable[[], Awaitable[Port]] | None = None
    """Asks the host for a new key, where it gives keys by a function."""


def port_of(
    spec: ModelSpec, provider: str, name: str, parameters: Mapping[str, Any], quote: Quote | None = None
) -> Port:
    """A port without tools for a model that is at hand."""
    model = _instance(spec, name)
    fields = type(model).model_fields
    cap = spec.cap or ("max_tokens" if "max_tokens" in fields else None)
    if getattr(model, "stream_usage", True) is None:
        # Some servers tell no usage in streams unless they are asked.
        model = model.model_copy(update={"stream_usage": True})
    profile = cast("Mapping[str, Any]", getattr(model, "profile", None) or {})
    known = spec.max_output or profile.get("max_output_tokens") or MAX_OUTPUT
    own = getattr(model, cap, None) if cap in fields else None
    wanted = parameters.get("max_tokens") or own or known
    return Port(
        provider=provider,
        name=name,
        model=model,
        wanted_output=int(wanted),
        cap=cap,
        kwargs=dict(parameters),
        tools_off=dict(parameters),
        usage=spec.usage,
        quote=quote,
        endpoint=f"{provider}:{id(spec.model)}",
    )


def _instance(spec: ModelSpec, name: str) -> BaseChatModel:
    from langchain_core.language_models import BaseChatModel

    if isinstance(spec.model, BaseChatModel):
        return spec.model
    made = cast("Callable[[str], object]", spec.model)(name)
    if not isinstance(made, BaseChatModel):
        raise ConfigurationError(f"the factory of model {name!r} made a {type(made).__name__}, not a chat model")
    return made


def bind(port: Port, definitions: Sequence[dict[str, Any]], tools_off: Mapping[str, Any] | None = None) -> Port:
    """The same port with tools; converted here, once, and never in the loop.

    Raises:
        ConfigurationError: the model can't call tools.
    """
    if not definitions:
        return port
    tools = _bound_kwargs(port, definitions)
    off = {**tools, **(tools_off if tools_off is not None else _choice_none(port, definitions))}
    return replace(
        port,
        kwargs={**port.kwargs, **tools},
        tools_off={**port.kwargs, **off},
        tools_size=measure_json(definitions),
    )


def _bound_kwargs(port: Port, definitions: Sequence[dict[str, Any]], **choice: Any) -> dict[str, Any]:
    try:
        bound: Any = port.model.bind_tools(definitions, **choice)
    except NotImplementedError:
        raise ConfigurationError(
            f"model {port.provider}/{port.name} ({type(port.model).__name__}) can't call tools: "
            "its bind_tools is not implemented; choose another model or declare no tools"
        ) from None
    kwargs = getattr(bound, "kwargs", None)
    if getattr(bound, "bound", None) is not port.model or not isinstance(kwargs, dict):
        raise ConfigurationError(
            f"model {port.provider}/{port.name}: bind_tools gave a {type(bound).__name__} that is no plain binding"
        )
    return cast("dict[str, Any]", kwargs)


def _choice_none(port: Port, definitions: Sequence[dict[str, Any]]) -> dict[str, Any]:
    try:
        return _bound_kwargs(port, definitions, tool_choice="none")
    except (TypeError, ValueError):
        # The model knows no such choice: calls in a wrap-up are ignored anyway.
        return {}
