"""Our side: an executor, with the bill that it keeps anyway."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from benchmarks.handmade import SYSTEM
from benchmarks.tools import FUNCTIONS
from cleveractors import (
    ActorPolicy,
    Credential,
    Limits,
    LLMChunkArriveEvent,
    create_executor,
    is_event_yield,
)

__all__ = ["Ours", "actor"]

MANY = 100_000


def actor(model: str, provider: str, tools: tuple[str, ...]) -> dict[str, Any]:
    """An actor of one agent."""
    return {
        "name": "benchmark",
        "agents": {
            "main": {
                "type": "llm",
                "provider": provider,
                "model": model,
                "system_prompt": SYSTEM,
                "tools": list(tools),
                "tool_max_rounds": MANY,
                "streaming": "tokens",
            }
        },
    }


class Ours:
    """An executor of one actor.

    Args:
        base_url: of the server; None with a model of our own.
        scenario: the model's name.
        tools: names of the tools that it declares.
        model: a chat model in place of the server.
        limits: what a run may do.
        transport: to the server.
    """

    def __init__(
        self,
        base_url: str | None,
        scenario: str,
        *tools: str,
        model: Any = None,
        limits: Limits | None = None,
        transport: Any = "lean",
    ) -> None:
        provider = "openai" if model is None else "house"
        self.executor = create_executor(
            actor(scenario, provider, tools),
            tools=[FUNCTIONS[name] for name in tools],
            credentials={"openai": Credential("none", base_url)} if base_url else None,
            models={"house": model} if model is not None else None,
            policy=ActorPolicy(max_rounds=MANY),
            limits=limits or Limits(max_model_calls=MANY),
            transport=transport,
        )

    async def answer(self, text: str) -> str:
        """The answer to a message."""
        result = await self.executor.execute(text)
        assert result.stop_reason == "completed", result.stop_detail
        return result.response

    async def stream(self, text: str) -> AsyncIterator[str]:
        """The answer's pieces as they come."""
        async with self.executor.execute_stream(text) as stream:
            async for piece in stream:
                yield piece
        assert stream.result is not None and stream.result.stop_reason == "completed"

    async def follow(self, text: str) -> AsyncIterator[str]:
        """The same, by one who follows every event."""
        async with self.executor.execute_events(text, stream=True) as stream:
            async for output in stream:
                if is_event_yield(output) and isinstance(output.event, LLMChunkArriveEvent) and output.event.text:
                    yield output.event.text
        assert stream.result is not None and stream.result.stop_reason == "completed"

    async def aclose(self) -> None:
        """Close the executor."""
        await self.executor.aclose()
