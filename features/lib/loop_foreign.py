"""A host's own chat model, which sends what it likes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from cleveractors import ModelSpec

__all__ = ["ForeignModel", "foreign", "made_by_factory", "nesting", "silent"]


class ForeignModel(BaseChatModel):
    """Streams what it was given, in calls one after the other; a call without pieces streams nothing."""

    streams: list[list[dict[str, Any]]]
    whole: bool = False
    """Whether it can't stream: then a stream is one message."""
    played: int = 0
    stream_usage: bool | None = None
    """Whether it tells usage in streams: some servers want to be asked."""

    @property
    def _llm_type(self) -> str:
        return "foreign"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self.bind(tools=tools, **kwargs)

    def _generate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        (piece,) = self._next()
        kind = piece.pop("kind", AIMessage)
        usage = piece.pop("usage_metadata", None)
        message = kind(**piece)
        if kind is AIMessage:
            # As models do that know no better: LangChain would not take figures that are none.
            message.usage_metadata = usage
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _astream(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        for piece in self._next():
            if self.stream_usage is not True:
                piece.pop("usage_metadata", None)
            yield ChatGenerationChunk(message=AIMessageChunk(**piece))

    def _should_stream(self, **kwargs: Any) -> bool:
        return not self.whole and bool(kwargs.get("async_api"))

    def _next(self) -> list[dict[str, Any]]:
        self.played += 1
        return self.streams[self.played - 1]


class Choosing(ForeignModel):
    """Knows no other choice of tools than its own."""

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        if kwargs:
            raise ValueError(f"unknown: {sorted(kwargs)}")
        return super().bind_tools(tools)


class Silent(ForeignModel):
    """Has a stream of its own making, in which nothing comes."""

    async def astream(self, *given: Any, **options: Any) -> AsyncIterator[Any]:
        for piece in self._next():
            yield piece


def made_by_factory(calls: Sequence[Sequence[Mapping[str, Any]]]) -> ModelSpec:
    """A model that is made by name, and knows no choice of tools."""

    def make(name: str) -> ForeignModel:
        return Choosing(streams=_streams(calls))

    return ModelSpec(make)


def nesting(levels: int) -> ModelSpec:
    """A model that calls echo with a word in so many lists."""
    text: object = "word"
    for _ in range(levels):
        text = [text]
    return foreign(
        [[{"calls": [{"name": "echo", "args": {"text": text}, "id": "x"}]}], [{"content": "Yes."}]], whole=True
    )


def silent() -> ModelSpec:
    """A model whose stream is over at once."""
    return ModelSpec(Silent(streams=[[]]))


def _streams(calls: Sequence[Sequence[Mapping[str, Any]]]) -> list[list[dict[str, Any]]]:
    return [[_piece(one) for one in call] for call in calls]


def foreign(calls: Sequence[Sequence[Mapping[str, Any]]], *, usage: Any = "sum", whole: bool = False) -> ModelSpec:
    """A model of pieces: `usage` as a pair becomes LangChain's, `calls` become call chunks, `whole` stays whole."""
    return ModelSpec(ForeignModel(streams=_streams(calls), whole=whole), usage=usage)


def _piece(given: Mapping[str, Any]) -> dict[str, Any]:
    piece: dict[str, Any] = {"content": given.get("content", "")}
    if "usage" in given:
        prompt, completion = given["usage"]
        total = prompt + completion if prompt is not None else 0
        piece["usage_metadata"] = {"input_tokens": prompt, "output_tokens": completion, "total_tokens": total}
    for side in ("input", "output"):
        if side in given:
            piece["usage_metadata"][f"{side}_token_details"] = given[side]
    if "broken" in given:
        piece["invalid_tool_calls"] = given["broken"]
    if "extra" in given:
        piece["additional_kwargs"] = given["extra"]
    if given.get("says") == "human":
        piece["kind"] = HumanMessage
    if "chunks" in given:
        piece["tool_call_chunks"] = [{"name": None, "args": None, "id": None, **one} for one in given["chunks"]]
    if "calls" in given:
        piece["tool_calls"] = given["calls"]
    if "finish" in given:
        piece["response_metadata"] = {"finish_reason": given["finish"]}
    return piece
