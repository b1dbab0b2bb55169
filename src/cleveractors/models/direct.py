"""A model asked by the method that it implements, where nobody uses what LangChain puts around it.

Around each call `agenerate` makes two tasks, looks at each message for traces, and inspects a signature: half of what
a round without a network costs. Where there are callbacks, tracing, a cache or a rate limiter, or where a program has
put something of its own in its place, that is how a model is asked; else nobody can tell the difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from inspect import signature
from types import FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage
    from langchain_core.outputs import ChatResult
    from langchain_core.runnables import RunnableConfig

__all__ = ["answer_of", "is_bare"]

_AROUND = (
    *("ainvoke", "agenerate_prompt", "agenerate", "_agenerate_with_cache"),
    *("_should_stream", "_should_use_protocol_streaming", "_streaming_disabled"),
)
"""LangChain's own steps from `ainvoke` to `_agenerate`: where one is somebody else's, all of them are taken."""

_GATEWAY = "lc_gateway_metadata"
"""What LangChain takes out of what a model tells beside its answer."""


def is_bare(
    model: BaseChatModel, messages: Sequence[BaseMessage], config: RunnableConfig, kwargs: Mapping[str, Any]
) -> bool:
    """Whether nothing stands around a call of this model.

    Args:
        model: that would be asked.
        messages: what it would be sent; LangChain writes some kinds of images and files anew.
        config: of the LangChain program around the run.
        kwargs: of the call.
    """
    from langchain_core.callbacks import AsyncCallbackManager
    from langchain_core.globals import get_llm_cache

    if not _is_plain(type(model)) or model.rate_limiter is not None or model.output_version == "v1":
        return False
    if model.cache or (model.cache is None and get_llm_cache() is not None):
        return False
    if kwargs.get("stream") or getattr(model, "streaming", None):
        return False
    if not all(isinstance(message.content, str) for message in messages):
        return False
    # Finds handlers in the program's configuration, in context variables, and those of tracing and debugging.
    manager = AsyncCallbackManager.configure(config.get("callbacks"), model.callbacks, model.verbose)
    return not manager.handlers


def _is_plain(kind: type[BaseChatModel]) -> bool:
    """Whether a model's class, and LangChain's own, come to `_agenerate` as LangChain wrote it."""
    from langchain_core.language_models import BaseChatModel

    for name in _AROUND:
        method: object = getattr(BaseChatModel, name, None)
        if getattr(kind, name, None) is not method or not _is_langchains(method):
            return False
    return True


def _is_langchains(method: object) -> bool:
    """Whether a method is as LangChain wrote it: what instruments a program puts its own in the place."""
    home = "langchain_core.language_models.chat_models"
    return isinstance(method, FunctionType) and method.__module__ == home and not hasattr(method, "__wrapped__")


async def answer_of(model: BaseChatModel, messages: list[BaseMessage], kwargs: Mapping[str, Any]) -> BaseMessage:
    """What the model answers; the message is as `ainvoke` gives it.

    It runs in the caller's own task and context, where `agenerate` makes a task: see `bounded` for a model that
    swallows its cancellation.
    """
    from langchain_core.callbacks import AsyncCallbackManagerForLLMRun

    manager = AsyncCallbackManagerForLLMRun.get_noop_manager()
    sent: dict[str, Any] = {"stop": None, **kwargs}
    if _takes_manager(type(model)):
        sent["run_manager"] = manager
    result = await model._agenerate(messages, **sent)  # pyright: ignore[reportPrivateUsage] - what models implement
    return _finished(result, f"lc_run--{manager.run_id}-0")


@lru_cache(maxsize=256)
def _takes_manager(kind: type[BaseChatModel]) -> bool:
    return "run_manager" in signature(kind._agenerate).parameters  # pyright: ignore[reportPrivateUsage]


def _finished(result: ChatResult, message_id: str) -> BaseMessage:
    generation = result.generations[0]
    message = generation.message
    if message.id is None:
        message.id = message_id
    beside = {**result.llm_output} if result.llm_output and len(result.generations) == 1 else {}
    beside |= {name: told for name, told in (generation.generation_info or {}).items() if name != _GATEWAY}
    if beside:
        message.response_metadata = beside | message.response_metadata
    return message
