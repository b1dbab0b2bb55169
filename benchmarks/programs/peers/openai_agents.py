"""The agent in the OpenAI Agents SDK, on chat completions."""

from __future__ import annotations

from collections.abc import AsyncIterator

from agents import Agent, ModelSettings, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI
from openai.types.responses import ResponseTextDeltaEvent

from benchmarks.handmade import SYSTEM
from benchmarks.tools import FUNCTIONS

__all__ = ["Peer"]

_TURNS = 100_000


class Peer:
    """Answers by `Runner`."""

    def __init__(self, base_url: str, scenario: str, *tools: str) -> None:
        set_tracing_disabled(True)
        client = AsyncOpenAI(base_url=base_url, api_key="none", max_retries=0)
        self._agent = Agent(
            name="main",
            instructions=SYSTEM,
            model=OpenAIChatCompletionsModel(model=scenario, openai_client=client),
            model_settings=ModelSettings(include_usage=True),
            tools=[function_tool(FUNCTIONS[name]) for name in tools],
        )

    async def answer(self, text: str) -> str:
        """The answer to a message."""
        return (await Runner.run(self._agent, text, max_turns=_TURNS)).final_output

    async def stream(self, text: str) -> AsyncIterator[str]:
        """The answer's pieces as they come."""
        async for event in Runner.run_streamed(self._agent, text, max_turns=_TURNS).stream_events():
            if event.type == "raw_response_event" and isinstance(event.data, ResponseTextDeltaEvent):
                yield event.data.delta
