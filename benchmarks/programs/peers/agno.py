"""The agent in agno."""

from __future__ import annotations

from collections.abc import AsyncIterator

from agno.agent import Agent
from agno.models.openai import OpenAIChat

from benchmarks.handmade import SYSTEM
from benchmarks.tools import FUNCTIONS

__all__ = ["Peer"]


class Peer:
    """Answers by `Agent.arun`."""

    def __init__(self, base_url: str, scenario: str, *tools: str) -> None:
        self._agent = Agent(
            model=OpenAIChat(id=scenario, base_url=base_url, api_key="none"),
            tools=[FUNCTIONS[name] for name in tools],
            instructions=SYSTEM,
            telemetry=False,
        )

    async def answer(self, text: str) -> str:
        """The answer to a message."""
        return (await self._agent.arun(text)).content

    async def stream(self, text: str) -> AsyncIterator[str]:
        """The answer's pieces as they come."""
        async for event in self._agent.arun(text, stream=True):
            if event.event == "RunContent" and event.content:
                yield event.content
