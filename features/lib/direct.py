"""A host's model, and what stands around its calls."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextvars import ContextVar
from typing import Any, cast
from unittest.mock import patch

from langchain_core.caches import InMemoryCache
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.globals import set_llm_cache
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.rate_limiters import BaseRateLimiter
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langchain_core.tracers.context import register_configure_hook

from cleveractors import create_executor
from features.lib.world import World

__all__ = ["AROUND", "Plain", "around_of"]

_listener: ContextVar[Any] = ContextVar("features_listener", default=None)
register_configure_hook(_listener, inheritable=True)


class Plain(BaseChatModel):
    """Says yes."""

    @property
    def _llm_type(self) -> str:
        return "plain"

    def _generate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        usage: Any = {"input_tokens": 3, "output_tokens": 1, "total_tokens": 4}
        return ChatResult(generations=[ChatGeneration(message=AIMessage("Yes.", usage_metadata=usage))])


class Listener(AsyncCallbackHandler):
    """Counts the calls that it is told of."""

    def __init__(self, around: Around) -> None:
        self._around = around

    async def on_chat_model_start(self, *given: Any, **named: Any) -> None:
        self._around.seen += 1


class Cache(InMemoryCache):
    """Counts the calls that it is asked about, and has none of them."""

    def __init__(self, around: Around) -> None:
        super().__init__()
        self._around = around

    async def alookup(self, prompt: str, llm_string: str) -> Any:
        self._around.seen += 1
        return None


class Limiter(BaseRateLimiter):
    """Counts the calls that it lets through."""

    def __init__(self, around: Around) -> None:
        self._around = around

    def acquire(self, *, blocking: bool = True) -> bool:
        raise NotImplementedError

    async def aacquire(self, *, blocking: bool = True) -> bool:
        self._around.seen += 1
        return True


class Around:
    """A host's actor on a model, and who has seen its calls."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.seen = 0
        self.model: BaseChatModel = Plain()
        self.parameters: dict[str, Any] = {}
        self.config: RunnableConfig = {}
        self.listener: Listener | None = None
        """Who listens by a context variable."""
        self.answers: list[str] = []
        self.ended: object = None
        """How a run has ended, after how many calls, and their rows."""
        self.task: object = None
        """Who asks."""

    def note(self) -> None:
        """One more call was seen."""
        self.seen += 1

    def note_task(self) -> None:
        """LangChain has made a task of its own for the call, as `agenerate` does."""
        self.seen += asyncio.current_task() is not self.task

    async def ask_twice(self) -> None:
        """Ask the actor, within a LangChain program where that has callbacks."""
        self.task = asyncio.current_task()
        # In this task's own context.
        _listener.set(self.listener)
        agent = {"provider": "house", "model": "m", "parameters": self.parameters}
        async with create_executor({"agents": {"main": agent}}, models={"house": self.model}) as executor:

            async def answer(text: str) -> str:
                return (await executor.execute(text)).response

            program = RunnableLambda(answer)
            for text in ("One?", "Two?"):
                self.answers.append(await (program.ainvoke(text, self.config) if self.config else answer(text)))


def around_of(context: Any) -> Around:
    """Find the scenario's, or begin one."""
    found = getattr(context, "around", None)
    if found is None:
        context.around = found = Around(cast("World", context.world))
    return cast("Around", found)


def _model_callback(around: Around) -> None:
    around.model = Plain(callbacks=[Listener(around)])


def _program_callback(around: Around) -> None:
    around.config = {"callbacks": [Listener(around)]}


def _variable(around: Around) -> None:
    around.listener = Listener(around)


def _model_cache(around: Around) -> None:
    around.model = Plain(cache=Cache(around))


def _program_cache(around: Around) -> None:
    set_llm_cache(Cache(around))
    around.world.defer(lambda: set_llm_cache(None))


def _limiter(around: Around) -> None:
    around.model = Plain(rate_limiter=Limiter(around))


def _own_ainvoke(around: Around) -> None:
    class Own(Plain):
        async def ainvoke(self, *given: Any, **named: Any) -> Any:
            around.note()
            return await super().ainvoke(*given, **named)

    around.model = Own()


def _own_agenerate(around: Around) -> None:
    class Own(Plain):
        async def agenerate(self, *given: Any, **named: Any) -> Any:
            around.note()
            return await super().agenerate(*given, **named)

    around.model = Own()


class Streaming(Plain):
    """Can stream."""

    streaming: bool = False
    around: Any = None

    async def _astream(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        self.around.note()
        result = self._generate(messages)
        yield ChatGenerationChunk(message=_as_chunk(result.generations[0].message))


def _as_chunk(message: BaseMessage) -> AIMessageChunk:
    return AIMessageChunk(content=message.content, usage_metadata=getattr(message, "usage_metadata", None))


def _own_choice(around: Around) -> None:
    class Own(Streaming):
        def _should_stream(self, **named: Any) -> bool:
            return True

    around.model = Own(around=around)


def _switch(around: Around) -> None:
    around.model = Streaming(streaming=True, around=around)


def _wrapped(around: Around) -> None:
    own = BaseChatModel.agenerate

    class Wrapper:
        """What instruments a program, as wrapt does it: no function."""

        def __get__(self, model: Any, kind: Any) -> Any:
            if model is None:
                return self

            async def agenerate(*given: Any, **named: Any) -> Any:
                around.note()
                return await own(model, *given, **named)

            return agenerate

    around.world.use(patch.object(BaseChatModel, "agenerate", Wrapper()))


def _stop_words(around: Around) -> None:
    class Own(Plain):
        def _generate(
            self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
        ) -> ChatResult:
            around.seen += stop == ["END"]
            return super()._generate(messages)

    around.model, around.parameters = Own(), {"stop": ["END"]}


def _put_in_place(around: Around) -> None:
    own = BaseChatModel.agenerate

    async def agenerate(model: Any, *given: Any, **named: Any) -> Any:
        around.note()
        return await own(model, *given, **named)

    around.world.use(patch.object(BaseChatModel, "agenerate", agenerate))


def _nothing(around: Around) -> None:
    class Own(Plain):
        async def _agenerate(
            self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
        ) -> ChatResult:
            around.note_task()
            return self._generate(messages)

    around.model = Own()


def _no_manager(around: Around) -> None:
    class Own(Plain):
        async def _agenerate(  # type: ignore[override]
            self, messages: list[BaseMessage], stop: list[str] | None = None
        ) -> ChatResult:
            around.note_task()
            return self._generate(messages)

    around.model = Own()


AROUND: dict[str, Callable[[Around], None]] = {
    "a callback of the model": _model_callback,
    "a callback of the program around it": _program_callback,
    "a callback by a context variable": _variable,
    "a cache of the model": _model_cache,
    "a cache of the whole program": _program_cache,
    "a rate limiter": _limiter,
    "an ainvoke of its own": _own_ainvoke,
    "an agenerate of its own": _own_agenerate,
    "a way of its own to choose a stream": _own_choice,
    "a switch that makes it stream": _switch,
    "a program that wraps LangChain's class": _wrapped,
    "a program that puts its own in its place": _put_in_place,
    "words that stop it": _stop_words,
    "no parameter for a manager": _no_manager,
    "nothing": _nothing,
}
