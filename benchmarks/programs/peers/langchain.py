"""The agent as LangChain's `create_agent` makes it."""

from __future__ import annotations

from collections.abc import AsyncIterator

from langchain.agents import create_agent
from langchain_core.messages import AIMessageChunk
from langchain_openai import ChatOpenAI

from benchmarks.handmade import SYSTEM
from benchmarks.tools import FUNCTIONS

__all__ = ["Peer"]

_CONFIG = {"recursion_limit": 100_000}


class Peer:
    """Answers by `ainvoke` of the graph."""

    def __init__(self, base_url: str, scenario: str, *tools: str) -> None:
        model = ChatOpenAI(model=scenario, base_url=base_url, api_key="none", stream_usage=True, max_retries=0)
        self._agent = create_agent(model, [FUNCTIONS[name] for name in tools], system_prompt=SYSTEM)

    async def answer(self, text: str) -> str:
        """The answer to a message."""
        state = await self._agent.ainvoke({"messages": [("user", text)]}, _CONFIG)
        return state["messages"][-1].text

    async def stream(self, text: str) -> AsyncIterator[str]:
        """The answer's pieces as they come."""
        messages = self._agent.astream({"messages": [("user", text)]}, _CONFIG, stream_mode="messages")
        async for message, _ in messages:
            if isinstance(message, AIMessageChunk) and message.text:
                yield message.text
