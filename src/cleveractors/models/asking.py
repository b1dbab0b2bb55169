"""A whole answer of a chat model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from cleveractors.models.direct import answer_of, is_bare

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage
    from langchain_core.outputs import ChatGeneration

__all__ = ["ask"]


async def ask(model: BaseChatModel, messages: list[BaseMessage], kwargs: Mapping[str, Any]) -> BaseMessage:
    """What `ainvoke` answers, without its look at each message, which are known to be messages.

    A model that has its own `ainvoke` is asked by that, and one around which nobody has anything by what it implements.
    """
    from langchain_core.language_models import BaseChatModel
    from langchain_core.runnables import ensure_config

    kind = type(model)
    if kind.ainvoke is not BaseChatModel.ainvoke or kind.agenerate_prompt is not BaseChatModel.agenerate_prompt:
        return await model.ainvoke(messages, **kwargs)
    # Callbacks and tags of a LangChain program around the run, as `ainvoke` finds them.
    config = ensure_config()
    if is_bare(model, messages, config, kwargs):
        return await answer_of(model, messages, kwargs)
    result = await model.agenerate(
        [messages],
        callbacks=config.get("callbacks"),
        tags=config.get("tags"),
        metadata=config.get("metadata"),
        run_name=config.get("run_name"),
        run_id=config.get("run_id"),
        **kwargs,
    )
    return cast("ChatGeneration", result.generations[0][0]).message
