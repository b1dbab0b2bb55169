"""A host's model, and what stands around its calls."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextvars import ContextVar
from typing import Any, cast
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.caches import InMemoryCache
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.globals import set_llm_cache
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.rate_limiters import BaseRateLimiter
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langchain_core.tracers.context import register_configure_hook

from cleveractors import create_executor
from cleveractors.models.asking import ask
from features.lib.world import World

__all__ = ["AROUND", "around_of", "compare_messages"]

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

    def note(self) -> None:
        """One more call was seen."""
        self.seen += 1

    async def ask_twice(self) -> None:
        """Ask the actor, within a LangChain program where that has callbacks."""
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


def _no_manager(around: Around) -> None:
    class Own(Plain):
        async def _agenerate(  # type: ignore[override]
            self, messages: list[BaseMessage], stop: list[str] | None = None
        ) -> ChatResult:
            return self._generate(messages)

    around.model = Own()
    _nothing(around)


def _nothing(around: Around) -> None:
    own = BaseChatModel._agenerate_with_cache  # pyright: ignore[reportPrivateUsage]

    async def counted(model: Any, *given: Any, **named: Any) -> Any:
        around.note()
        return await own(model, *given, **named)

    around.world.use(patch.object(BaseChatModel, "_agenerate_with_cache", counted))


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
    "words that stop it": _stop_words,
    "no parameter for a manager": _no_manager,
    "nothing": _nothing,
}


class Telling(Plain):
    """Tells what it was given beside its answer."""

    told: dict[str, Any]

    def _generate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        told = self.told
        message = AIMessage(told["text"], id=told["id"], response_metadata=dict(told["metadata"]))
        one = ChatGeneration(message=message, generation_info=told["info"])
        return ChatResult(generations=[one] * told["count"], llm_output=told["output"])


_facts = st.dictionaries(st.sampled_from(["finish_reason", "model_name", "other"]), st.text(max_size=5), max_size=3)
_told = st.fixed_dictionaries(
    {
        "text": st.text(max_size=8),
        "id": st.none() | st.just("own"),
        "metadata": _facts,
        "info": st.none() | _facts,
        "output": st.none() | _facts,
        "count": st.integers(1, 2),
    }
)


def compare_messages() -> None:
    """Ask by both ways, whatever the model tells."""

    @settings(max_examples=100, deadline=None)
    @given(_told)
    def alike(told: dict[str, Any]) -> None:
        model, question = Telling(told=told), HumanMessage("?")

        async def both() -> Sequence[BaseMessage]:
            return await model.ainvoke([question]), await ask(model, [question], {})

        theirs, ours = asyncio.run(both())
        for message in (theirs, ours):
            if told["id"] is None:
                assert message.id is not None and message.id.startswith("lc_run--"), message
                message.id = None
        assert ours == theirs

    alike()
