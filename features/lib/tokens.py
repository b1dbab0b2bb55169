"""Streams of tokens: fast models, slow consumers, and what the context knows meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from pydantic import Field

from cleveractors import ScriptedChatModel, last_token_usage_var
from features.lib.bench import Bench


class Torrent(BaseChatModel):
    """Writes pieces as fast as it can, and counts them."""

    pieces: int
    written: list[int] = Field(default_factory=list[int])

    @property
    def _llm_type(self) -> str:
        return "torrent"

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        raise NotImplementedError

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for number in range(self.pieces):
            self.written.append(number)
            yield ChatGenerationChunk(message=AIMessageChunk(content=f"{number} "))
        last = AIMessageChunk(content="", response_metadata={"finish_reason": "stop"})
        yield ChatGenerationChunk(message=last)


def use_model(bench: Bench, model: BaseChatModel) -> None:
    """Put a foreign model behind the actor."""
    bench.keys |= {"provider": "house", "model": "h"}
    bench.options["models"] = {"house": model}


def use_torrent(bench: Bench, pieces: int) -> None:
    """A model that is faster than anybody reads."""
    model = Torrent(pieces=pieces)
    bench.notes.append(model)
    use_model(bench, model)


def use_turns(bench: Bench, turns: list[Any]) -> None:
    """A scripted model."""
    use_model(bench, ScriptedChatModel(turns))


async def read_slowly(bench: Bench) -> None:
    """Give the model every chance to run ahead before each piece is taken."""
    ahead = 0
    async for text in bench.open_stream():
        bench.texts.append(text)
        for _ in range(3):
            await asyncio.sleep(0)
        ahead = max(ahead, len(bench.notes[0].written) - len(bench.texts))
    bench.notes.append(ahead)


async def read_late(bench: Bench) -> None:
    """Take the second text only when the idle time is over: the loop's own clock says when."""
    loop = asyncio.get_running_loop()
    stream = bench.open_stream()
    bench.texts.append(await anext(stream))
    over = asyncio.Event()
    loop.call_later(0.1, over.set)
    await over.wait()
    await bench.read(stream)


async def begin_second(bench: Bench) -> None:
    """What the context knows after the first piece of the second stream, and after it was dropped."""
    await bench.read()
    bench.notes.append(last_token_usage_var.get())
    stream = bench.executor.execute_stream("?")
    await anext(stream)
    bench.notes.append(last_token_usage_var.get())
    await bench.gate.wait_reached_async()
    del stream
    bench.notes.append(last_token_usage_var.get())


async def stream_step(bench: Bench) -> None:
    """The overriding agent's answer, asked for as tokens."""
    await bench.read(bench.open_stream(streaming="tokens"))
