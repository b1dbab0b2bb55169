"""The agent in pydantic-ai."""

from __future__ import annotations

from collections.abc import AsyncIterator

from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.usage import UsageLimits

from benchmarks.handmade import SYSTEM
from benchmarks.tools import FUNCTIONS

__all__ = ["Peer"]

_UNLIMITED = UsageLimits(request_limit=None)


class Peer:
    """Answers by `Agent.run`."""

    def __init__(self, base_url: str, scenario: str, *tools: str) -> None:
        model = OpenAIChatModel(scenario, provider=OpenAIProvider(base_url=base_url, api_key="none"))
        self._agent = Agent(model, system_prompt=SYSTEM, tools=[FUNCTIONS[name] for name in tools])

    async def answer(self, text: str) -> str:
        """The answer to a message."""
        return (await self._agent.run(text, usage_limits=_UNLIMITED)).output

    async def stream(self, text: str) -> AsyncIterator[str]:
        """The answer's pieces as they come."""
        async with self._agent.run_stream(text, usage_limits=_UNLIMITED) as result:
            async for piece in result.stream_text(delta=True, debounce_by=None):
                yield piece
