"""A chat model that costs next to nothing, so that what is left is the loop's own work."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from benchmarks.handmade import SYSTEM, run_calls
from benchmarks.tools import DEFINITIONS
from benchmarks.turns import ANSWER

__all__ = ["BoundLoop", "NoopModel"]


class NoopModel(BaseChatModel):
    """Asks for a tool in so many rounds, then answers."""

    rounds: int
    max_tokens: int | None = None

    @property
    def _llm_type(self) -> str:
        return "noop"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        """Bind tools that are ready-made."""
        return self.bind(tools=tools, **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        raise NotImplementedError

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        done = len(messages) // 2 - 1
        usage: Any = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
        metadata = {"finish_reason": "tool_calls" if done < self.rounds else "stop", "model_name": "noop"}
        if done < self.rounds:
            call: Any = {"name": "get_weather", "args": {"city": "Paris", "day": done}, "id": f"call_{done}"}
            message = AIMessage("", tool_calls=[call], usage_metadata=usage, response_metadata=metadata)
        else:
            message = AIMessage(ANSWER, usage_metadata=usage, response_metadata=metadata)
        return ChatResult(generations=[ChatGeneration(message=message)])


class BoundLoop:
    """The baseline on such a model: tools bound once, called directly with the parsed arguments."""

    def __init__(self, model: NoopModel) -> None:
        self._bound = model.bind_tools([DEFINITIONS["get_weather"]])

    async def answer(self, text: str) -> str:
        """The answer to a message."""
        from langchain_core.messages import HumanMessage, SystemMessage

        messages: list[BaseMessage] = [SystemMessage(SYSTEM), HumanMessage(text)]
        while True:
            reply = await self._bound.ainvoke(messages)
            messages.append(reply)
            if not reply.tool_calls:
                return reply.text
            await run_calls(reply.tool_calls, messages)
            assert isinstance(messages[-1], ToolMessage)
