"""A host's own chat model, which sends what it likes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from cleveractors import ModelSpec

__all__ = ["ForeignModel", "foreign"]


class ForeignModel(BaseChatModel):
    """Streams what it was given, in calls one after the other; a call without pieces streams nothing."""

    streams: list[list[dict[str, Any]]]
    whole: bool = False
    """Whether it can't stream: then a stream is one message."""
    played: int = 0

    @property
    def _llm_type(self) -> str:
        return "foreign"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self.bind(tools=tools, **kwargs)

    def _generate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        (piece,) = self._next()
        return ChatResult(generations=[ChatGeneration(message=AIMessage(**piece))])

    async def _astream(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        for piece in self._next():
            yield ChatGenerationChunk(message=AIMessageChunk(**piece))

    def _should_stream(self, **kwargs: Any) -> bool:
        return not self.whole and bool(kwargs.get("async_api"))

    def _next(self) -> list[dict[str, Any]]:
        self.played += 1
        return self.streams[self.played - 1]


def foreign(calls: Sequence[Sequence[Mapping[str, Any]]], *, usage: Any = "sum", whole: bool = False) -> ModelSpec:
    """A model of pieces: `usage` as a pair becomes LangChain's, `calls` become call chunks, `whole` stays whole."""
    return ModelSpec(ForeignModel(streams=[[_piece(one) for one in call] for call in calls], whole=whole), usage=usage)


def _piece(given: Mapping[str, Any]) -> dict[str, Any]:
    piece: dict[str, Any] = {"content": given.get("content", "")}
    if "usage" in given:
        prompt, completion = given["usage"]
        piece["usage_metadata"] = {
            "input_tokens": prompt, "output_tokens": completion, "total_tokens": prompt + completion
        }  # fmt: skip
    if "chunks" in given:
        piece["tool_call_chunks"] = [{"name": None, "args": None, "id": None, **one} for one in given["chunks"]]
    if "calls" in given:
        piece["tool_calls"] = given["calls"]
    if "finish" in given:
        piece["response_metadata"] = {"finish_reason": given["finish"]}
    return piece
