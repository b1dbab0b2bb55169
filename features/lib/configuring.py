"""Mistakes of a host, and options that are right."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any, ClassVar

from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.messages import ChatMessage, RemoveMessage

from cleveractors import (
    Agent,
    AgentConfig,
    Budget,
    ConfigurationError,
    Credential,
    ExecutorOptions,
    Limits,
    MemorySessions,
    Price,
    Required,
    RunContext,
)
from cleveractors.testing import RecordedRequest, Turn
from features.lib.bench import Bench


def _credentials(value: Any) -> Callable[[Bench], None]:
    return lambda bench: bench.options.update(credentials=value)


def _options(**options: Any) -> Callable[[Bench], None]:
    return lambda bench: bench.options.update(options)


def _run_options(**options: Any) -> Callable[[Bench], None]:
    return lambda bench: bench.run_options.update(options)


def _house(model: Any) -> Callable[[Bench], None]:
    def use(bench: Bench) -> None:
        bench.keys |= {"provider": "house", "model": "house-1"}
        bench.options["models"] = {"house": model}

    return use


def unbindable(bench: Bench) -> None:
    """A LangChain model whose `bind_tools` is not implemented."""
    _house(FakeListChatModel(responses=["hi"]))(bench)
    bench.declare(["get_weather"])


def empty_environment(bench: Bench) -> None:
    """`"env"`, without a key in it."""
    assert "OPENAI_API_KEY" not in os.environ
    bench.options["credentials"] = "env"


def misspelt_tool(bench: Bench) -> None:
    """A tool that the host does not have."""
    bench.declare(["get_weather"])
    bench.keys["tools"] = ["get_wether"]


def unknown_subset(bench: Bench) -> None:
    """A subset of tools with a misspelt name."""
    bench.declare(["get_weather"])
    bench.run_options["tools"] = ["get_wether"]


class Silent(Agent[Any]):
    """Lacks what every agent has to have."""

    Config: ClassVar[type[AgentConfig]] = AgentConfig


class Listing(Agent[Any]):
    """Has keys of no kind."""

    Config: ClassVar[Any] = dict

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        return "listed"


class Modelless(Agent[Any]):
    """Calls a model, and can't name one."""

    Config: ClassVar[type[AgentConfig]] = type("NoKeys", (AgentConfig,), {})

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        return (await context.call_model([message])).text


class Chaining(FakeListChatModel):
    """Binds tools, and something behind them."""

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self.bind(tools=tools) | str


def calls_without_model(bench: Bench) -> None:
    """An agent that names no model, and calls one."""
    bench.keys = {"type": "own"}
    bench.options["agent_types"] = {"own": Modelless}


def chaining(bench: Bench) -> None:
    """A model whose tools could not be told from what stands behind it."""
    _house(Chaining(responses=["hi"]))(bench)
    bench.declare(["get_weather"])


def no_address(bench: Bench) -> None:
    """A provider that only the host knows, and no address."""
    bench.keys |= {"provider": "mistral"}
    bench.options["credentials"] = {"mistral": "sk-1"}


def no_own_address(bench: Bench) -> None:
    """The host knows the address, and the run's own credential takes the place of all that the host's says."""
    bench.keys |= {"provider": "mistral"}
    bench.options["credentials"] = {"mistral": Credential("sk-1", bench.provider.base_url)}
    bench.run_options["credentials"] = {"mistral": "sk-2"}


def foreign_message(bench: Bench) -> None:
    """A message that is none."""
    bench.notes.append(5)


MISTAKES: dict[str, Callable[[Bench], None]] = {
    "an executor without credentials": _credentials(None),
    'an actor of the provider "mistral"': lambda bench: bench.keys.update(provider="mistral"),
    "a credential function that knows nobody": _credentials(lambda provider, context: None),  # type: ignore[misc]
    "a credential function that answers a number": _credentials(lambda provider, context: 5),  # type: ignore[misc]
    "an empty key": _credentials({"openai": ""}),
    "a key that is a number": _credentials({"openai": Credential(5)}),  # type: ignore[arg-type]
    "base_urls that are one text": lambda bench: bench.notes.append(Credential("k", base_urls="http://x")),  # type: ignore[arg-type]
    "credentials that are a number": _credentials(5),
    "credentials from an empty environment": empty_environment,
    "a model that can't bind tools": unbindable,
    "an unknown tool in the file": misspelt_tool,
    "a model that is a number": _house(5),
    "a factory of models that makes none": _house(lambda name: "none"),  # type: ignore[misc]
    "an agent type that is no Agent": _options(agent_types={"odd": dict}),
    "an agent type that answers nothing": _options(agent_types={"silent": Silent}),
    "a price without a completion": _options(prices={"gpt-4o-mini": {"prompt": 1}}),
    "a tenant that is required and missing": _options(require_tenant=True),
    "a message that is a number": foreign_message,
    "a history that holds a number": _run_options(history=[5]),
    "an unknown tool in the runs' tools": unknown_subset,
    "a variable that the actor does not declare": _run_options(variables={"town": "Oslo"}),
    "options of the executor that are no sinks": _options(on_result="print"),
    "a sink_timeout of 0": _options(sink_timeout=0),
    "max_concurrent_runs of 0": _options(max_concurrent_runs=0),
    "streaming that is a number": _options(streaming=5),
    "an agent type whose Config is a dict": _options(agent_types={"listing": Listing}),
    "an agent without a model that calls one": calls_without_model,
    "a provider of the host's without an address": no_address,
    "a run's own key for it, without an address": no_own_address,
    "a model that binds tools in a chain": chaining,
    "limits that are a mapping": _options(limits={"max_tokens": 5}),
    "budgets that are one budget": _options(budgets=Budget(max_tokens=5)),
}

NAMES: dict[str, Any] = {
    **{kind.__name__: kind for kind in (Budget, ChatMessage, RemoveMessage, str, range, float)},
    **{kind.__name__: kind for kind in (MemorySessions, Price, Required)},
    "chr": chr,
    "print": print,
    "__builtins__": {},
}


async def make_and_ask(bench: Bench, mistake: str) -> None:
    """Everything that the mistake could come out at."""
    MISTAKES[mistake](bench)
    message: Any = bench.notes[0] if bench.notes else "What should I wear?"
    await bench.ask(message)


async def ask_with(bench: Bench, option: str, value: str) -> None:
    """One run with one option, written in Python."""
    await bench.ask(**{option: eval(value, dict(NAMES))})


def make_with(bench: Bench, option: str, value: str) -> None:
    """An executor with one option, written in Python."""
    bench.make(**{option: eval(value, dict(NAMES))})


def make_of_no_kind(bench: Bench) -> None:
    """An executor all of whose options are something that none may be."""
    bench.make(**dict.fromkeys(ExecutorOptions.__annotations__, object()))


def check_every_option(error: ConfigurationError) -> None:
    """One problem for each option, by its name."""
    named = [problem.message.split()[0] for problem in error.problems]
    assert sorted(named) == sorted(ExecutorOptions.__annotations__), named


def make_purse(figures: dict[str, Any]) -> Budget:
    """A purse of a host."""
    return Budget(**figures)


def make_limits(figures: dict[str, Any]) -> Limits:
    """Limits of a host."""
    return Limits(**figures)


FIGURES: dict[str, Any] = {"prompt": "0.15", "completion": 0.6}


def _price(provider: str, model: str) -> Price:
    return Price(**FIGURES)


def _figures(provider: str, model: str) -> dict[str, Any]:
    return FIGURES


PRICES: dict[str, Any] = {
    "a table of Price": {"gpt-4o-mini": Price(**FIGURES)},
    "a table of mappings": {"gpt-4o-mini": FIGURES},
    "a table by provider": {"openai/gpt-4o-mini": FIGURES, "gpt-4o-mini": {"prompt": 9, "completion": 9}},
    "a function that gives Price": _price,
    "a function that gives a mapping": _figures,
}


def use_telling_provider(bench: Bench) -> None:
    """A provider that always answers."""
    bench.provider.script_forever(Turn("Yes.", prompt_tokens=10, completion_tokens=2))


async def ask_for_itself(bench: Bench) -> None:
    """A run with a model, parameters and a key of its own."""
    own = Credential("sk-own", bench.provider.base_url)
    await bench.ask(model="gpt-4o", parameters={"temperature": 0.5}, credentials={"openai": own})


def use_tenant_keys(bench: Bench) -> None:
    """A key for each tenant, looked up by a coroutine."""

    async def find(provider: str, context: RunContext[Any]) -> Credential:
        return Credential(f"sk-{context.tenant}", bench.provider.base_url)

    bench.options["credentials"] = find


def last_request(bench: Bench) -> RecordedRequest:
    """What was asked last."""
    return bench.provider.requests[-1]


async def ask_beside(bench: Bench, running: int, **options: Any) -> None:
    """So many runs that stand at the gate, and one more, whose error is kept."""
    runs = [asyncio.create_task(bench.ask(**options)) for _ in range(running)]
    await bench.gate.wait_reached_async(running)
    with bench.world.catching():
        await bench.ask(**options)
    bench.gate.open()
    await asyncio.gather(*runs)
    bench.run_options |= options
