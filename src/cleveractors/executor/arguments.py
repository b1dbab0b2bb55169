"""What `create_executor` may be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from cleveractors.budget import Budget
from cleveractors.limits import Limits
from cleveractors.options import Streaming
from cleveractors.policy import ActorPolicy

if TYPE_CHECKING:
    from cleveractors.agents.base import Agent
    from cleveractors.credentials import CredentialSource
    from cleveractors.events.observers import Observer
    from cleveractors.hooks.house import Redact
    from cleveractors.hooks.registry import Hooks
    from cleveractors.money import PriceSource
    from cleveractors.sessions.store import SessionStore
    from cleveractors.sinks import Required, Sink

__all__ = ["ExecutorOptions"]


class ExecutorOptions(TypedDict, total=False):
    """The keyword arguments of `create_executor`; all may be left out."""

    tools: Sequence[Any]
    """What agents may name in `tools:`: functions, LangChain tools, `Tool`s."""
    agent_types: Mapping[str, type[Agent[Any]]] | None
    """Custom agents by the `type:` that files give them."""
    credentials: CredentialSource | None
    """Provider → key or `Credential`; or a function of provider and context, asked once per run; or `"env"`."""
    models: Mapping[str, Any] | None
    """Provider name → a LangChain chat model, a function that makes one, or `ModelSpec`."""
    policy: ActorPolicy | None
    """What a file may ask for."""
    limits: Limits | None
    """What one run may do; default `Limits()`."""
    budgets: Sequence[Budget]
    """Purses that all runs share."""
    hooks: Hooks | None
    """The host's own code and commands at moments of every run."""
    prices: PriceSource | None
    """Model → `Price`, or a function of provider and model; default: list prices, with the extra `prices`."""
    on_unpriced: Literal["refuse", "allow"]
    """What becomes of a model without a known price under a cost ceiling; default `refuse`."""
    on_usage: Sink | Required | None
    """Called with each row, sync or async; `Required(fn)` refuses calls that it could not note."""
    on_result: Sink | None
    """Called once with each run's `ActorResult`, before anybody sees the run's end."""
    observers: Sequence[Observer]
    """Functions of event and origin, sync or async, told of everything in every run."""
    streaming: Streaming | None
    """Replaces what files say of `streaming`."""
    sessions: SessionStore | None
    """Where the messages of runs with a `session_id` are kept."""
    require_tenant: bool
    """Refuse runs without a tenant; default False."""
    max_concurrent_runs: int | None
    """More raise `ExecutorBusyError`; default None: no bound."""
    sink_timeout: float
    """Seconds that one call of a sink may take; default 10."""
    stall_timeout: float
    """Seconds after which a reader of events that takes nothing is taken for gone; default 30."""
    max_threads: int
    """Sync tools, hooks and sinks that run at a time; default 40."""
    platform: str
    """What hooks are told they run in; default `library`."""
    redact: Redact | None
    """Takes the JSON object that a hook's command would read and returns what it reads, where `Hooks` have no
    redaction of their own; what looks like a key is starred in it already."""
    transport: Literal["lean", "stock"]
    """`lean`, the default, or `stock` for LangChain's own way to OpenAI."""
    overrides: Sequence[tuple[str, str]]
    """Paths and values put over the file, such as `("agents.assistant.model", "gpt-4o")`."""
