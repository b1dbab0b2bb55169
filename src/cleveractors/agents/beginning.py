"""How a loop begins: its model, its tools, its prompt, and the reserve for its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from cleveractors.agents.conversation import Conversation
from cleveractors.agents.output import instructed
from cleveractors.agents.synthesis import keep_reserve, reserve_tokens
from cleveractors.agents.telling import listen
from cleveractors.context import RunContext
from cleveractors.exceptions import ConfigurationError
from cleveractors.models.listener import Listener
from cleveractors.models.port import Port
from cleveractors.tools.toolset import Toolset

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

    from cleveractors.config import LLMAgentConfig

__all__ = ["converse"]


class Host(Protocol):
    """The agent whose loop begins."""

    @property
    def config(self) -> LLMAgentConfig: ...

    def tools_of(self, context: RunContext[Any]) -> Toolset: ...
    async def prepare_tools(self, tools: Toolset, context: RunContext[Any]) -> Toolset: ...
    async def ports_for(self, context: RunContext[Any], definitions: Sequence[dict[str, Any]]) -> list[Port]: ...
    async def system_prompt(self, context: RunContext[Any]) -> str: ...


async def converse(
    agent: Host, messages: list[BaseMessage], context: RunContext[Any], listener: Listener | None
) -> Conversation:
    """Lay out a conversation.

    Args:
        agent: whose it is.
        messages: the record, which the loop appends to.
        context: the run.
        listener: follows the answer while it is written.

    Raises:
        ConfigurationError: the model can't be had, can't call tools, or can't be held to a budget.
    """
    from langchain_core.messages import SystemMessage

    config = agent.config
    tools = await agent.prepare_tools(agent.tools_of(context), context)
    ports = await agent.ports_for(context, tools.definitions)
    prompt = instructed(await agent.system_prompt(context), context)
    talk = Conversation(context.run, messages, ports, config.token_budget)
    _refuse_unbounded(talk)
    talk.tools = tools
    listen(talk, listener, context)
    talk.start_view(SystemMessage(prompt) if prompt else None)
    if tools and talk.own_purses:
        keep_reserve(talk, reserve_tokens(talk, config.synthesis.reserve_tokens))
    context.run.conversation = talk
    return talk


def _refuse_unbounded(talk: Conversation) -> None:
    """Refuse a model whose spend no budget could bound; leave out such ones among those that take over."""
    problems = [_unbounded(talk, port) for port in talk.ports]
    if problems[0]:
        raise ConfigurationError(problems[0])
    talk.ports = [port for port, problem in zip(talk.ports, problems, strict=True) if not problem]


def _unbounded(talk: Conversation, port: Port) -> str:
    if not talk.purses:
        return ""
    if port.cap is None:
        return (
            f"model {port.provider}/{port.name} can't be held to a budget: no keyword is known that bounds "
            "its output; give ModelSpec(model, cap='max_tokens'), or run it without token and cost ceilings"
        )
    in_money = any(purse.budget.max_cost is not None for purse in talk.purses)
    if in_money and port.quote is None and not talk.run.services.allow_unpriced:
        return (
            f"model {port.provider}/{port.name} has no known price, so that a cost ceiling can't hold it; "
            "give create_executor(prices={…}), or on_unpriced='allow' to let it run uncounted"
        )
    return ""
