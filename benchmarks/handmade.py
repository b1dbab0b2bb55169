"""The baseline: the loop that somebody writes who needs nothing but an answer, as cheap as it gets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from benchmarks.tools import DEFINITIONS, FUNCTIONS

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

__all__ = ["Handmade"]

SYSTEM = "You help people to dress."


class Handmade:
    """A loop on `ChatOpenAI.ainvoke(messages, tools=…)` and `.astream`, with tools called directly.

    Args:
        base_url: of the server.
        scenario: the model's name.
        tools: names of the tools that it declares.
    """

    def __init__(self, base_url: str, scenario: str, *tools: str) -> None:
        from langchain_openai import ChatOpenAI

        self.model: ChatOpenAI = ChatOpenAI(
            model=scenario, base_url=base_url, api_key="none", stream_usage=True, max_retries=0
        )
        self._kwargs: dict[str, Any] = {"tools": [DEFINITIONS[name] for name in tools]} if tools else {}

    async def answer(self, text: str) -> str:
        """The answer to a message."""
        messages = _opening(text)
        while True:
            reply = await self.model.ainvoke(messages, **self._kwargs)
            messages.append(reply)
            if not reply.tool_calls:
                return reply.text
            await run_calls(reply.tool_calls, messages)

    async def stream(self, text: str) -> AsyncIterator[str]:
        """The answer's pieces as they come; chunks are put together once, at the end of each call."""
        messages = _opening(text)
        while True:
            chunks: list[Any] = []
            async for chunk in self.model.astream(messages, **self._kwargs):
                chunks.append(chunk)
                if piece := chunk.text:
                    yield piece
            reply = chunks[0] + chunks[1:]
            messages.append(reply)
            if not reply.tool_calls:
                return
            await run_calls(reply.tool_calls, messages)

    async def aclose(self) -> None:
        """Nothing to close: the HTTP client is the process's."""


async def run_calls(calls: list[Any], messages: list[Any]) -> None:
    """Run a round's calls side by side, and append their results in order."""
    import asyncio

    from langchain_core.messages import ToolMessage

    if len(calls) == 1:
        results = [await FUNCTIONS[calls[0]["name"]](**calls[0]["args"])]
    else:
        results = await asyncio.gather(*(FUNCTIONS[call["name"]](**call["args"]) for call in calls))
    for call, result in zip(calls, results, strict=True):
        messages.append(ToolMessage(result, tool_call_id=call["id"]))


def _opening(text: str) -> list[Any]:
    from langchain_core.messages import HumanMessage, SystemMessage

    return [SystemMessage(SYSTEM), HumanMessage(text)]
